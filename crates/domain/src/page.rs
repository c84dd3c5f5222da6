//! Long lists, a piece at a time.

use serde::{Deserialize, Serialize};

/// Which piece of a list is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PageRequest {
    /// How many items to skip.
    pub offset: u32,
    /// How many items to return at most; 500 is the most that is honoured.
    pub limit: u32,
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { offset: 0, limit: 100 }
    }
}

impl PageRequest {
    /// The most items in one page.
    pub const MAX_LIMIT: u32 = 500;
}

/// A piece of a list, and how long the whole is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Page<T> {
    /// The items of this piece, in the list's order.
    pub items: Vec<T>,
    /// How many items the whole list has.
    pub total: u32,
}
