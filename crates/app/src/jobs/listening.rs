//! Who waits for a job hears how it goes on.
//!
//! A job never waits for a listener: what it tells is put in a queue of the listener's own, and
//! one that is gone is forgotten. Dropping a [`Watch`] stops nothing.

use std::sync::mpsc::{Receiver, channel};

use ancre_domain::{Job, JobId};

use super::Jobs;
use crate::wire::IngestProgress;

/// What a listener hears.
#[derive(Debug, Clone)]
pub(crate) enum Told {
    /// An ingestion moved on.
    Progress(Box<IngestProgress>),
    /// Nothing can be done with it now, not even written down; the job says why, and when it is
    /// tried again.
    Waits(Box<Job>),
    /// Nobody works on the job any more, for now or for good: its record says which.
    Rested,
}

/// Hears of one job. Its end without a word says that this process works no more.
#[derive(Debug)]
pub(crate) struct Watch(pub(super) Receiver<Told>);

impl Jobs {
    /// Begins to listen to a job; whoever begins before the job is queued misses nothing.
    pub(crate) fn watch(&self, id: &JobId) -> Watch {
        let (sender, receiver) = channel();
        let mut state = self.lock();
        if !self.is_stopping() {
            state.watches.entry(id.clone()).or_default().push(sender);
        }
        Watch(receiver)
    }

    /// Tells everyone who listens.
    pub(crate) fn tell(&self, id: &JobId, told: &Told) {
        let mut state = self.lock();
        let Some(watches) = state.watches.get_mut(id) else { return };
        watches.retain(|watch| watch.send(told.clone()).is_ok());
        if watches.is_empty() {
            state.watches.remove(id);
        }
    }
}
