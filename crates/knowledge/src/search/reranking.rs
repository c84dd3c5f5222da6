//! A second look at the best passages by a model that reads question and passage together.
//!
//! Such a model is slow, so it sees few passages and has a time by which it must be done; when it
//! is late or fails, the order of the search stays. It is off unless somebody asks.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use ancre_domain::{Cancellation, Hit};
use ancre_models::Reranker;

/// How the best passages are put in a better order.
#[derive(Clone)]
pub struct Reranking {
    /// What orders them.
    pub reranker: Arc<dyn Reranker>,
    /// How many of the best it sees, at most [`Self::MAX_CANDIDATES`].
    pub candidates: usize,
    /// How long it may take.
    pub budget: Duration,
    /// See [`Self::misses`].
    pub missed: Arc<AtomicU32>,
}

impl Reranking {
    /// The most passages that are reranked.
    pub const MAX_CANDIDATES: usize = 30;

    /// Thirty passages in two seconds.
    pub fn new(reranker: Arc<dyn Reranker>) -> Self {
        let (candidates, budget) = (Self::MAX_CANDIDATES, Duration::from_secs(2));
        Self { reranker, candidates, budget, missed: Arc::default() }
    }

    /// In how many searches with this value and its clones it was late or failed, so that the order
    /// of the search stayed.
    pub fn misses(&self) -> u32 {
        self.missed.load(Ordering::Relaxed)
    }

    /// Puts the first hits in the reranker's order; their score becomes the reranker's, in [0, 1].
    /// When it fails or is late, nothing changes.
    pub(super) fn reorder(&self, query: &str, hits: &mut [Hit]) {
        let count = hits.len().min(self.candidates).min(Self::MAX_CANDIDATES);
        let (best, _) = hits.split_at_mut(count);
        if best.len() < 2 {
            return;
        }
        let passages = best.iter().map(|hit| hit.chunk.content.clone()).collect();
        let Some(scores) = self.scores(query.to_owned(), passages) else {
            self.missed.fetch_add(1, Ordering::Relaxed);
            return;
        };
        for (hit, score) in best.iter_mut().zip(scores) {
            hit.score = logistic(score);
        }
        // Stable: equals stay as the search had them.
        best.sort_by(|one, other| other.score.total_cmp(&one.score));
    }

    /// What the reranker says of each passage; `None` when it fails or is late. A late one is asked
    /// to stop, and its answer is not waited for.
    fn scores(&self, query: String, passages: Vec<String>) -> Option<Vec<f32>> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let cancellation = Cancellation::new();
        let (reranker, flag) = (Arc::clone(&self.reranker), cancellation.clone());
        let count = passages.len();
        thread::spawn(move || {
            let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
            // Nobody listens any more when it was late.
            let _ = sender.send(reranker.rerank(&query, &passages, &flag));
        });
        match receiver.recv_timeout(self.budget) {
            Ok(Ok(scores)) if scores.len() == count => Some(scores),
            Ok(Ok(scores)) => {
                tracing::warn!(expected = count, actual = scores.len(), "reranker scores missing");
                None
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "the reranker failed; the order of the search stays");
                None
            }
            Err(_) => {
                cancellation.cancel();
                tracing::warn!("the reranker was late; the order of the search stays");
                None
            }
        }
    }
}

fn logistic(score: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(score)).exp())
}
