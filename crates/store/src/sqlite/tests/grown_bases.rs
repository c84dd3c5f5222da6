//! Bases that have grown: what an index derived from their vectors may and may not change.

use std::collections::HashMap;
use std::sync::{Arc, Barrier};

use ancre_domain::Cancellation;

use super::*;
use crate::traits::StorageStore;

/// Directions all around, none twice.
fn directions(count: u32, seed: u32) -> Vec<[f32; 3]> {
    (0..count)
        .map(|at| {
            let turn = f64::from(at + seed) * 2.399_963;
            let height = 1.0 - 2.0 * (f64::from(at) + 0.5) / f64::from(count);
            let radius = (1.0 - height * height).sqrt();
            #[allow(clippy::cast_possible_truncation)]
            [(radius * turn.cos()) as f32, (radius * turn.sin()) as f32, height as f32]
        })
        .collect()
}

impl Ground {
    fn nearest(&self, vector: [f32; 3], k: u32) -> Vec<(ChunkId, f64)> {
        let hits = self.store.nearest(&self.project, &self.kb.id, &vector, k, None).unwrap();
        hits.into_iter().map(|hit| (hit.chunk.id, hit.distance)).collect()
    }

    /// A base that has grown, with its index.
    fn grown() -> (Self, Document) {
        let ground = Self::new();
        let document = ground.ready(1, &directions(3_200, 0));
        ground.nearest([1.0, 0.0, 0.0], 1);
        ground.store.indexes.shelf().wait();
        assert_eq!(ground.store.indexes.vectors(), 3_200, "an index was made");
        (ground, document)
    }
}

#[test]
fn an_index_answers_as_the_table_does() {
    let (ground, _) = Ground::grown();
    for question in directions(7, 100) {
        // More than an index is asked for, so the table answers.
        let table = ground.nearest(question, 1_100);
        let index = ground.nearest(question, 20);
        assert_eq!(index, table[..20]);
    }
}

#[test]
fn what_comes_after_the_index_is_found_at_once() {
    let (ground, _) = Ground::grown();
    let new = ground.ready(2, &[[0.6, 0.8, 0.0]]);
    let chunk = &ground.store.chunks(&ground.project, &new.id).unwrap()[0];
    assert_eq!(ground.nearest([0.6, 0.8, 0.0], 1)[0].0, chunk.id);

    // So much that the index is brought up to date in the background.
    let many = ground.ready(3, &directions(300, 7));
    let last = &ground.store.chunks(&ground.project, &many.id).unwrap()[299];
    assert_eq!(ground.nearest(directions(300, 7)[299], 1)[0].0, last.id);
    ground.store.indexes.shelf().wait();
    assert_eq!(ground.store.indexes.vectors(), 3_501);
    assert_eq!(ground.nearest(directions(300, 7)[299], 1)[0].0, last.id);
}

#[test]
fn a_search_does_not_wait_for_an_index_that_is_brought_up_to_date() {
    let (ground, _) = Ground::grown();
    let pause = Arc::new(Barrier::new(2));
    ground.store.indexes.shelf().pause_at(&pause);
    let new = ground.ready(2, &directions(300, 7));
    let last = &ground.store.chunks(&ground.project, &new.id).unwrap()[299];
    // This search begins it; the thread comes to the barrier with a part of its work done.
    ground.nearest([1.0, 0.0, 0.0], 1);
    pause.wait();
    let question = directions(300, 7)[299];
    assert_eq!(ground.nearest(question, 1)[0].0, last.id, "found beside the old index");
    assert_eq!(ground.nearest(question, 100).len(), 100);
    assert_eq!(ground.store.indexes.vectors(), 3_200, "the old index went on answering");
    pause.wait();
    ground.store.indexes.shelf().wait();
    assert_eq!(ground.store.indexes.vectors(), 3_500);
    assert_eq!(ground.nearest(question, 1)[0].0, last.id);
}

#[test]
fn what_was_deleted_or_switched_off_is_not_found() {
    let (ground, document) = Ground::grown();
    let other = ground.ready(2, &[[0.6, 0.8, 0.0], [0.0, 1.0, 0.0]]);
    ground.store.set_document_enabled(&ground.project, &other.id, false).unwrap();
    let found = |k| ground.nearest([0.6, 0.8, 0.0], k);
    assert!(found(3).iter().all(|(_, distance)| *distance > 1e-7), "it is switched off");
    ground.store.set_document_enabled(&ground.project, &other.id, true).unwrap();
    assert_eq!(found(3).len(), 3);

    ground.store.delete_document(&ground.project, &document.id).unwrap();
    assert_eq!(found(3).len(), 2, "only the other document is left");
    ground.store.indexes.shelf().wait();
    assert_eq!(found(3).len(), 2);
}

#[test]
fn packing_the_table_leaves_passages_whole_in_the_index() {
    let ground = Ground::new();
    let windows = directions(900, 3);
    let first = ground.ready_with_windows(1, &directions(600, 50));
    let second = ground.ready_with_windows(2, &windows);
    ground.nearest([1.0, 0.0, 0.0], 1);
    ground.store.indexes.shelf().wait();
    // Two fifths of the first block stay, with one window of a passage whose others are in the next.
    ground.store.delete_document(&ground.project, &first.id).unwrap();
    ground.store.compact(&Cancellation::new()).unwrap();
    for _ in 0..2 {
        let question = windows[424];
        let index: HashMap<ChunkId, f64> = ground.nearest(question, 300).into_iter().collect();
        let table = ground.nearest(question, 1_001);
        assert_eq!((index.len(), table.len()), (300, 300), "all of {}", second.id);
        for (chunk, distance) in table {
            assert!((index[&chunk] - distance).abs() < 1e-6, "{} is not {distance}", index[&chunk]);
        }
        // Then with the index brought up to date.
        ground.store.indexes.shelf().wait();
    }
    assert_eq!(ground.store.indexes.vectors(), 900);
}

#[test]
fn a_store_closes_while_an_index_is_made() {
    let ground = Ground::new();
    ground.ready(1, &directions(3_200, 0));
    ground.nearest([1.0, 0.0, 0.0], 1);
    drop(ground);
}
