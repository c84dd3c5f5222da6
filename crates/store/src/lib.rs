//! Storage: every line of SQL in the product.
//!
//! [`traits`] say what the others may ask; [`SqliteStore`] answers on an embedded database with
//! sqlite-vec. This crate knows no document format, no model and no network, and it cuts, embeds
//! and writes nothing by itself: it keeps what it is given.

pub mod conformance;
mod error;
mod sqlite;
pub mod traits;
mod vector_index;

pub use error::StoreError;
pub use sqlite::{Access, SqliteStore};
