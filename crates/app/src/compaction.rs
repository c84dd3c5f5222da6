//! Giving room back by itself, out of everybody's way.
//!
//! After something was deleted, and when a window has started, the size of the database is looked
//! at on a thread of its own; where giving back pays (see
//! [`StorageSize::is_compacting_worthwhile`](ancre_store::traits::StorageSize)) it is done in
//! steps of milliseconds, and stops as soon as documents are to be indexed. A later look goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ancre_domain::Cancellation;
use ancre_store::traits::Store;

/// One look at a time; stopped with the Ancre that it belongs to.
#[derive(Debug, Default)]
pub(crate) struct Compaction {
    is_looking: Arc<AtomicBool>,
    cancellation: Cancellation,
}

impl Compaction {
    /// Looks, unless somebody is at it.
    pub(crate) fn look(&self, store: &Arc<dyn Store>) {
        if store.is_read_only() || self.is_looking.swap(true, Ordering::AcqRel) {
            return;
        }
        let (store, is_looking) = (Arc::clone(store), Arc::clone(&self.is_looking));
        let cancellation = self.cancellation.clone();
        std::thread::spawn(move || {
            let outcome = match store.storage_size() {
                Ok(size) if size.is_compacting_worthwhile() => store.compact(&cancellation),
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
            // Nobody asked for it, so nobody has to hear that it has to wait.
            if let Err(error) = outcome {
                tracing::info!(%error, "no room was given back");
            }
            is_looking.store(false, Ordering::Release);
        });
    }

    pub(crate) fn stop(&self) {
        self.cancellation.cancel();
    }
}

impl Drop for Compaction {
    fn drop(&mut self) {
        self.stop();
    }
}
