//! The embedding cache.

use ancre_domain::Timestamp;

use super::Subject;
use super::scene::{Scene, Told};
use crate::traits::CachedVector;

const HOUR: i64 = 3_600_000;

fn hash(number: u8) -> [u8; 32] {
    [number; 32]
}

fn vector(number: u8) -> CachedVector {
    CachedVector {
        vector: vec![f32::from(number), 0.1 + 0.2],
        tokens_outside_window: u32::from(number),
    }
}

/// What was embedded is found again, by its model and version only.
pub fn an_embedded_text_is_remembered(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (store, now) = (scene.store(), scene.now());
    let vectors = [(hash(1), vector(1)), (hash(2), vector(2)), (hash(1), vector(9))];
    store.remember_vectors("e5", "1", &vectors, now)?;
    store.remember_vectors("e5", "1", &[], now)?;
    let found = scene.neighbour()?.cached_vectors("e5", "1", &[hash(2), hash(3), hash(1)], now)?;
    assert_eq!(found, [Some(vector(2)), None, Some(vector(1))], "in order, the first one stays");
    assert_eq!(store.cached_vectors("e5", "2", &[hash(1)], now)?, [None]);
    assert_eq!(store.cached_vectors("other", "1", &[hash(1)], now)?, [None]);
    Ok(())
}

/// The cache keeps to its size, and what was used last stays longest.
pub fn the_longest_unused_vector_is_forgotten_first(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let store = scene.store();
    let at = |hours: i64| Timestamp::from_millis(hours * HOUR);
    for number in 0..4 {
        let hours = i64::from(number) + 1;
        store.remember_vectors("e5", "1", &[(hash(number), vector(number))], at(hours))?;
    }
    let whole = store.cached_bytes()?;
    assert!(whole > 0);
    assert_eq!(store.forget_vectors(whole)?, 0, "it is small enough");
    // The oldest is used again.
    store.cached_vectors("e5", "1", &[hash(0)], at(9))?;
    let forgotten = store.forget_vectors(whole / 2)?;
    assert_eq!(forgotten, whole / 2);
    assert_eq!(store.cached_bytes()?, whole / 2);
    let found = store.cached_vectors("e5", "1", &[0, 1, 2, 3].map(hash), at(9))?;
    assert_eq!(found, [Some(vector(0)), None, None, Some(vector(3))]);
    assert!(store.forget_vectors(0)? > 0);
    assert_eq!((store.forget_vectors(0)?, store.cached_bytes()?), (0, 0));
    Ok(())
}
