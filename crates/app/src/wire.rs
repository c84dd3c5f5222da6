//! What crosses to an interface, and nothing else.
//!
//! Every input, output, progress event and error of the operations table is one of these types
//! (or a type of the domain inside one). JSON names are camelCase. The TypeScript twins in
//! `ui/src/backend/wire.ts` are generated from here by [`crate::typescript`]; a test fails when
//! they are stale.

mod bench;
mod desk;
mod error;
mod event;
mod indexes;
mod jobs;
mod library;
mod rag;
mod reading;
mod rerankers;
mod search;
mod settings;

pub use bench::*;
pub use desk::*;
pub use error::WireError;
pub use event::Event;
pub use indexes::*;
pub use jobs::*;
pub use library::*;
pub use rag::*;
pub use reading::*;
pub use rerankers::*;
pub use search::*;
pub use settings::*;
