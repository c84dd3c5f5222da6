//! Models beside the default one: loaded when they are needed, released when nobody needs them.
//!
//! A loaded model takes some 600 MB. The one that was used last stays; any other goes when it has
//! not been asked for during [`IDLE`] and nobody holds it. That is looked at whenever a model is
//! asked for, so that no clock has to tick for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ancre_models::ModelError;

use super::{EmbedderLoader, Model};

/// How long a model may rest before it is released.
const IDLE: Duration = Duration::from_secs(120);

/// The models that are loaded, by their ids.
#[derive(Default)]
pub(super) struct Others(Mutex<HashMap<String, Kept>>);

struct Kept {
    model: Model,
    used: Instant,
}

impl Others {
    /// The model of that id; loaded, if it is not, while everyone else waits.
    pub(super) fn get(&self, id: &str, loader: &dyn EmbedderLoader) -> Result<Model, ModelError> {
        self.get_at(id, loader, Instant::now())
    }

    fn get_at(
        &self,
        id: &str,
        loader: &dyn EmbedderLoader,
        now: Instant,
    ) -> Result<Model, ModelError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Before loading, so that two models are not in memory for longer than they must.
        kept.retain(|other, it| {
            let is_held = Arc::strong_count(&it.model.embedder) > 1;
            other == id || is_held || now.saturating_duration_since(it.used) < IDLE
        });
        if let Some(it) = kept.get_mut(id) {
            it.used = now;
            return Ok(it.model.clone());
        }
        let model = Model::new(loader.load()?);
        kept.insert(id.to_owned(), Kept { model: model.clone(), used: now });
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use ancre_models::{Embedder, EmbedderDescription};
    use ancre_testkit::WordEmbedder;

    use super::*;

    struct Counting(AtomicUsize);

    impl EmbedderLoader for Counting {
        fn describe(&self) -> Result<EmbedderDescription, ModelError> {
            Ok(WordEmbedder::new(8).description().clone())
        }

        fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Ok(Arc::new(WordEmbedder::new(8)))
        }
    }

    #[test]
    fn a_model_that_rests_is_released_unless_somebody_holds_it() {
        let (others, loader) = (Others::default(), Counting(AtomicUsize::new(0)));
        let began = Instant::now();
        let get = |id, seconds| {
            others.get_at(id, &loader, began + Duration::from_secs(seconds)).unwrap();
            loader.0.load(Ordering::SeqCst)
        };
        assert_eq!([get("a", 0), get("a", 10), get("b", 20), get("a", 30)], [1, 1, 2, 2]);
        assert_eq!([get("a", 200), get("a", 400)], [2, 2], "the one in use stays");
        assert_eq!(get("b", 401), 3, "the other one was released");
        let held = others.get_at("b", &loader, began + Duration::from_secs(402)).unwrap();
        assert_eq!([get("a", 900), get("b", 1_800)], [3, 3], "it is held");
        drop(held);
    }
}
