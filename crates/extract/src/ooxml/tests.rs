//! Stories of text documents and slides, each built here from the few parts that it needs.

mod around;
mod document;
mod show;
