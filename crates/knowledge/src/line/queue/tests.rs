//! What the queue promises whatever stands in it.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use std::collections::HashMap;

use ancre_domain::{Cancellation, CharRange, Chunk, ChunkId, DocumentId, ProjectId, Timestamp};
use proptest::prelude::*;

use super::*;

const NOW: Timestamp = Timestamp::from_millis(1);

fn item() -> LineDocument {
    LineDocument {
        project_id: ProjectId::generate(NOW),
        document_id: DocumentId::generate(NOW),
        cancellation: Cancellation::new(),
    }
}

/// A document of so many windows, of a chunk each.
fn passages(item: &LineDocument, windows: u32) -> Passages {
    let chunk = |position| Chunk {
        id: ChunkId::generate(NOW),
        document_id: item.document_id.clone(),
        position,
        content: format!("Phrase {position}."),
        range: CharRange { start: 0, end: 10 },
        page: None,
        page_kind: None,
        page_label: None,
        heading: None,
        token_count: 3,
        tokens_outside_window: 0,
    };
    let chunks = (0..windows).map(chunk).collect();
    Passages::of(CutDocument { title: "Titre".to_owned(), language: None, chunks })
}

fn enter(queue: &mut Queue, job: u64, windows: u32) -> LineDocument {
    let item = item();
    let passages = passages(&item, windows);
    queue.enter(job, item.clone(), Size::of(windows * 10), passages);
    item
}

fn embedded(part: &BatchPart) -> Vec<Embedding> {
    let one = || Embedding { vector: vec![1.0], tokens_outside_window: 0 };
    std::iter::repeat_with(one).take(part.len()).collect()
}

/// Embeds a batch, and says how many of its places each job had.
fn embed(queue: &mut Queue, batch: Batch) -> HashMap<u64, usize> {
    let mut places = HashMap::new();
    for part in batch.into_parts() {
        *places.entry(part.job).or_default() += part.len();
        let embeddings = embedded(&part);
        queue.deliver(part, Ok(embeddings));
    }
    places
}

#[test]
fn a_note_is_in_the_next_batch_and_the_oldest_book_gets_on_all_the_same() {
    let mut queue = Queue::new();
    let job = queue.join(8);
    for _ in 0..12 {
        enter(&mut queue, job, 1_000);
    }
    for _ in 0..10 {
        let batch = queue.next_batch();
        embed(&mut queue, batch);
    }
    let note = enter(&mut queue, job, 1);
    let batch = queue.next_batch();
    let first = batch.parts.iter().find(|part| part.document == 2).unwrap();
    assert!(first.len() >= 4, "{batch:?}");
    embed(&mut queue, batch);
    let news = queue.take_news(job);
    let is_note =
        |it: &News| matches!(it, News::Embedded(item, _) if item.document_id == note.document_id);
    assert!(news.iter().any(is_note), "{news:?}");
}

#[test]
fn what_is_cancelled_leaves_and_what_comes_back_of_it_is_passed_over() {
    let mut queue = Queue::new();
    let job = queue.join(4);
    let gone = enter(&mut queue, job, 3);
    let batch = queue.next_batch();
    gone.cancellation.cancel();
    assert!(!queue.has_windows());
    let news = queue.take_news(job);
    assert!(matches!(news[..], [News::Failed(..)]), "{news:?}");
    embed(&mut queue, batch);
    assert!(queue.take_news(job).is_empty() && !queue.has_open(job));
}

proptest! {
    #[test]
    fn every_window_is_embedded_once_and_jobs_share_alike(
        jobs in prop::collection::vec(
            (1_usize..9, prop::collection::vec(1_u32..30, 1..6)),
            1..4,
        )
    ) {
        let mut queue = Queue::new();
        let mut numbers = Vec::new();
        for (size, documents) in &jobs {
            let job = queue.join(*size);
            numbers.push(job);
            for windows in documents {
                enter(&mut queue, job, *windows);
            }
        }
        let largest = jobs.iter().map(|(size, _)| *size).max().unwrap();
        while queue.has_windows() {
            let batch = queue.next_batch();
            prop_assert!((1..=largest).contains(&batch.texts().len()));
            let places = embed(&mut queue, batch);
            let waits = |job: &&u64| {
                queue.jobs.iter().any(|it| it.number == **job && it.has_windows())
            };
            let shares: Vec<usize> = numbers
                .iter()
                .filter(waits)
                .map(|job| places.get(job).copied().unwrap_or_default())
                .collect();
            let (least, most) = (shares.iter().min(), shares.iter().max());
            prop_assert!(most.unwrap_or(&0) - least.unwrap_or(&0) <= 1, "{shares:?}");
        }
        for (number, (_, documents)) in numbers.iter().zip(&jobs) {
            let mut whole = Vec::new();
            for news in queue.take_news(*number) {
                if let News::Embedded(_, passages) = news {
                    let (_, indexed) = passages.finish();
                    prop_assert!(indexed.iter().all(|chunk| chunk.windows.len() == 1));
                    whole.push(u32::try_from(indexed.len()).unwrap());
                }
            }
            prop_assert_eq!(&whole, documents);
            prop_assert!(!queue.has_open(*number));
        }
    }
}
