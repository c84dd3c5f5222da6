//! The desk: tickets, runs, citations, and the runner that answers with the documents' own words.
//!
//! A run searches the agent's bases for what a customer asks, has a runner write the reply, gives
//! the passages their numbers, checks each sentence against them and keeps everything together:
//! [`runs`] is the use case, the other modules are its steps. Nothing here is sent to anybody; a
//! draft waits for its reviewer.

pub mod anatomy;
pub mod citations;
pub mod courtesy;
mod error;
pub mod extractive;
pub mod markup;
mod passages;
mod place;
pub mod question;
pub mod runs;
pub mod support;
pub mod tickets;
mod vocabulary;
pub mod words;

pub use error::DeskError;
pub use passages::Answerer;
