//! Clocks that only tests move.

use std::sync::atomic::{AtomicI64, Ordering};

use ancre_domain::{Clock, Timestamp};

/// A moment in March 2026, where the clocks of tests begin.
const BEGINNING: i64 = 1_772_000_000_000;

/// A clock that stands still until it is set.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// A clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_millis()))
    }

    /// Moves it to `now`.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), Ordering::SeqCst);
    }
}

impl Default for FixedClock {
    fn default() -> Self {
        Self::at(Timestamp::from_millis(BEGINNING))
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// A clock that goes on by one step each time somebody looks, so that order can be seen.
#[derive(Debug)]
pub struct SteppingClock {
    next: AtomicI64,
    step: i64,
}

impl SteppingClock {
    /// A clock that shows `first`, then each time `step` milliseconds more.
    pub fn from(first: Timestamp, step: i64) -> Self {
        Self { next: AtomicI64::new(first.as_millis()), step }
    }
}

impl Default for SteppingClock {
    fn default() -> Self {
        Self::from(Timestamp::from_millis(BEGINNING), 1)
    }
}

impl Clock for SteppingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.next.fetch_add(self.step, Ordering::SeqCst))
    }
}
