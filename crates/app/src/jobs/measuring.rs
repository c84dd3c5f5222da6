//! Stopping measurements, which are no jobs: they are soon done, and one that is cut short is worth
//! nothing.

use ancre_domain::{Cancellation, KnowledgeBaseId};

use super::Jobs;

impl Jobs {
    /// What stops a measurement of a base that begins now.
    pub(crate) fn measurement(&self, kb_id: &KnowledgeBaseId) -> Cancellation {
        let mut state = self.lock();
        let cancellation = state.measurements.entry(kb_id.clone()).or_default().clone();
        if self.is_stopping() {
            cancellation.cancel();
        }
        cancellation
    }

    /// Stops the measurements of a base that go on; one that begins later is not meant.
    pub(crate) fn stop_measurements(&self, kb_id: &KnowledgeBaseId) {
        if let Some(cancellation) = self.lock().measurements.remove(kb_id) {
            cancellation.cancel();
        }
    }
}
