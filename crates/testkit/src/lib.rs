//! A temporary Ancre for tests.
//!
//! A store in a folder that goes away, archives written by hand, clocks that only tests move, an embedder that needs no
//! model, and [`Scene`], which puts them together. For `[dev-dependencies]` only: nothing here is
//! good enough for a product, above all not the vectors.

mod archive;
mod clock;
mod scene;
mod temporary_store;
mod word_embedder;

pub use archive::zip_of;
pub use clock::{FixedClock, SteppingClock};
pub use scene::Scene;
pub use temporary_store::TemporaryStore;
pub use word_embedder::WordEmbedder;
