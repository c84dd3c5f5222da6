//! Time as a parameter.

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01T00:00:00Z, UTC.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "number"))]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment `milliseconds` after the Unix epoch.
    pub const fn from_millis(milliseconds: i64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }
}

/// Tells the time. The product has one real clock, in `app`; tests bring their own.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}
