//! The desk: tickets, runs, citations, and the runner that answers with the documents' own words.
