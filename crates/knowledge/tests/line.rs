//! Stories of the indexing line: whose turn it is, what is embedded, and what never again.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use ancre_domain::{Cancellation, ChunkingSettings, DocumentId, DocumentStatus, KnowledgeBase};
use ancre_knowledge::ingestion::{IndexOutcome, Indexer, NewText, register_text};
use ancre_knowledge::{CACHE_SETTING, IndexingLine, LineDocument, LineEvent};
use ancre_store::traits::{DocumentStore, EmbeddingCache, SettingsStore};
use ancre_testkit::{Scene, WordEmbedder};

fn indexer<'a>(scene: &'a Scene, line: &'a IndexingLine) -> Indexer<'a> {
    Indexer {
        store: &*scene.store,
        embedder: &scene.embedder,
        line,
        clock: &scene.clock,
        batch_size: 4,
    }
}

fn register(scene: &Scene, base: &KnowledgeBase, title: &str, text: &str) -> DocumentId {
    let text = NewText::pasted(title, text);
    let added = register_text(&*scene.store, &scene.clock, scene.project_id(), &base.id, text);
    added.unwrap().document.id
}

fn item(scene: &Scene, document_id: &DocumentId) -> LineDocument {
    LineDocument {
        project_id: scene.project_id().clone(),
        document_id: document_id.clone(),
        cancellation: Cancellation::new(),
    }
}

/// Indexes documents and gives the order in which they ended.
fn index(scene: &Scene, documents: Vec<LineDocument>) -> Vec<(DocumentId, bool)> {
    index_in(&IndexingLine::new(), scene, documents)
}

fn index_in(
    line: &IndexingLine,
    scene: &Scene,
    documents: Vec<LineDocument>,
) -> Vec<(DocumentId, bool)> {
    let mut ended = Vec::new();
    indexer(scene, line).index_documents(&mut documents.into_iter(), &mut |event| {
        if let LineEvent::Ended { document, outcome } = event {
            ended.push((document, matches!(outcome, Ok(IndexOutcome::Ready(_)))));
        }
        ControlFlow::Continue(())
    });
    ended
}

fn prose(of: &str, sentences: usize) -> String {
    (0..sentences).map(|number| format!("La phrase {number} parle de {of}. ")).collect()
}

#[test]
fn a_small_document_does_not_wait_for_a_large_one() {
    let scene = slow_scene();
    let base = scene.knowledge_base("Aide");
    let book = register(&scene, &base, "Livre", &prose("tout", 3_000));
    let notes: Vec<DocumentId> =
        (0..30).map(|number| register(&scene, &base, "Note", &format!("Note {number}."))).collect();
    let order = [&book].into_iter().chain(&notes).map(|id| item(&scene, id)).collect();
    let ended = index(&scene, order);
    assert!(ended.iter().all(|(_, is_ready)| *is_ready));
    assert_eq!(ended.len(), 31);
    assert_eq!(ended.last().map(|(id, _)| id), Some(&book), "every note was ready before");
    let in_order: Vec<&DocumentId> = ended.iter().map(|(id, _)| id).take(30).collect();
    assert_eq!(in_order, notes.iter().collect::<Vec<_>>());
}

#[test]
fn one_document_is_cancelled_and_the_others_go_on() {
    let scene = slow_scene();
    let base = scene.knowledge_base("Aide");
    let [one, other] =
        ["un", "deux"].map(|of| item(&scene, &register(&scene, &base, of, &prose(of, 900))));
    let mut ended = Vec::new();
    let cancellation = one.cancellation.clone();
    let (first, second) = (one.document_id.clone(), other.document_id.clone());
    let line = IndexingLine::new();
    indexer(&scene, &line).index_documents(&mut vec![one, other].into_iter(), &mut |event| {
        match event {
            LineEvent::Progressed { progress, .. } if progress.chunks_done > 1 => {
                cancellation.cancel();
            }
            LineEvent::Progressed { .. } => {}
            LineEvent::Ended { document, outcome } => ended.push((document, outcome.unwrap())),
        }
        ControlFlow::Continue(())
    });
    assert!(matches!(&ended[0], (id, IndexOutcome::Cancelled) if *id == first), "{ended:?}");
    assert!(matches!(&ended[1], (id, IndexOutcome::Ready(_)) if *id == second), "{ended:?}");
    let document = scene.store.document(scene.project_id(), &first).unwrap();
    assert_eq!(document.status, DocumentStatus::Queued);
}

#[test]
fn whoever_listens_can_stop_the_line_and_what_was_begun_waits() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let documents: Vec<LineDocument> = (0..3)
        .map(|number| {
            item(&scene, &register(&scene, &base, "Livre", &prose(&number.to_string(), 100)))
        })
        .collect();
    let line = IndexingLine::new();
    indexer(&scene, &line)
        .index_documents(&mut documents.into_iter(), &mut |_| ControlFlow::Break(()));
    let statuses: Vec<_> = scene.documents(&base).iter().map(|it| it.status).collect();
    assert_eq!(statuses, [DocumentStatus::Queued; 3]);
}

#[test]
fn the_same_text_is_embedded_once_whatever_the_base() {
    let scene = Scene::new();
    let (one, other) = (scene.knowledge_base("Un"), scene.knowledge_base("Deux"));
    let text = prose("remboursement", 100);
    let first = register(&scene, &one, "Retours", &text);
    index(&scene, vec![item(&scene, &first)]);
    let batches = scene.embedder.batch_count();
    assert!(batches > 0);
    let second = register(&scene, &other, "Retours", &text);
    assert_eq!(index(&scene, vec![item(&scene, &second)]), [(second, true)]);
    assert_eq!(scene.embedder.batch_count(), batches, "everything was remembered");
}

#[test]
fn a_killed_process_finds_what_it_had_embedded() {
    let mut scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let book = register(&scene, &base, "Livre", &prose("tout", 600));
    let mut whole = 0;
    index(&scene, vec![item(&scene, &register(&scene, &base, "Autre", &prose("rien", 600)))]);
    whole += scene.embedder.batch_count();
    scene.embedder = WordEmbedder::new(64).losing_its_model_after(whole - 2);
    index(&scene, vec![item(&scene, &book)]);
    assert_ne!(scene.documents(&base)[1].status, DocumentStatus::Ready);

    scene.store = scene.store.restart().unwrap();
    scene.embedder = WordEmbedder::new(64);
    assert_eq!(index(&scene, vec![item(&scene, &book)]), [(book, true)]);
    assert!(scene.embedder.batch_count() <= 3, "{}", scene.embedder.batch_count());
}

#[test]
fn the_cache_keeps_to_its_size() {
    let scene = Scene::new();
    scene.store.set_setting(CACHE_SETTING, "20000").unwrap();
    let base = scene.knowledge_base("Aide");
    let book = register(&scene, &base, "Livre", &prose("tout", 600));
    let line = IndexingLine::new();
    let outcome = indexer(&scene, &line).index_document(
        scene.project_id(),
        &book,
        &Cancellation::new(),
        &mut |_| {},
    );
    assert!(matches!(outcome, Ok(IndexOutcome::Ready(_))));
    let bytes = scene.store.cached_bytes().unwrap();
    assert!((1..=20_000).contains(&bytes), "{bytes}");
}

#[test]
fn no_text_is_in_no_vector() {
    // A window of few words, so that even windows are too long for the model.
    let scene = Scene::with_embedder(WordEmbedder::new(64).with_window(20));
    let base = scene.knowledge_base("Aide");
    let row = "Référence A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J 10 K 11 L 12 M 13 N 14 O 15.\n\n";
    let text = format!("{}Le mot rare est quetzalcoatl.", row.repeat(12));
    let id = register(&scene, &base, "Tarif", &text);
    assert_eq!(index(&scene, vec![item(&scene, &id)]), [(id.clone(), true)]);
    let chunks = scene.store.chunks(scene.project_id(), &id).unwrap();
    assert!(chunks.iter().all(|chunk| chunk.tokens_outside_window == 0));
    assert!(scene.documents(&base)[0].warnings.is_empty());
}

#[test]
fn a_chunk_without_a_place_to_cut_says_what_is_outside() {
    let scene = Scene::with_embedder(WordEmbedder::new(64).with_window(2));
    let base = scene.knowledge_base_with("Aide", ChunkingSettings { size: 100, overlap: 0 });
    let id = register(&scene, &base, "KB-1", "Un deux trois quatre.");
    assert_eq!(index(&scene, vec![item(&scene, &id)]), [(id.clone(), true)]);
    let chunks = scene.store.chunks(scene.project_id(), &id).unwrap();
    assert_eq!(chunks[0].tokens_outside_window, 2);
}

#[test]
fn several_jobs_share_the_model() {
    let scene = slow_scene();
    let base = scene.knowledge_base("Aide");
    let jobs: Vec<Vec<LineDocument>> = (0..3)
        .map(|job| {
            let text = |number| prose(&format!("{job} et {number}"), 40);
            (0..4)
                .map(|number| item(&scene, &register(&scene, &base, "Note", &text(number))))
                .collect()
        })
        .collect();
    let line = IndexingLine::new();
    std::thread::scope(|scope| {
        for job in jobs {
            let (line, scene) = (&line, &scene);
            scope.spawn(move || {
                let ended = index_in(line, scene, job);
                assert!(ended.iter().all(|(_, is_ready)| *is_ready), "{ended:?}");
            });
        }
    });
    assert_eq!(scene.documents(&base).len(), 12);
    assert_eq!(scene.embedder.most_calls_at_once(), 1);
    let jobs_in = |batch: &Vec<String>| -> BTreeSet<&str> {
        let of_job =
            |job: &&str| batch.iter().any(|text| text.contains(&format!("parle de {job} et")));
        ["0", "1", "2"].into_iter().filter(of_job).collect()
    };
    let batches = scene.embedder.batches();
    let mixed = batches.iter().filter(|batch| jobs_in(batch).len() > 1).count();
    assert!(mixed > 0, "no batch has windows of two jobs");
}

/// What an embedder of a line was asked: it is slow, so that documents are opened meanwhile.
fn slow_scene() -> Scene {
    Scene::with_embedder(WordEmbedder::new(64).pausing(Duration::from_millis(2)))
}

/// How many characters of `documents` are open at once at most, as the line tells of it, and the
/// order in which they end.
fn most_open(
    line: &IndexingLine,
    scene: &Scene,
    documents: &[DocumentId],
    mut hear: impl FnMut(&LineEvent),
) -> (u64, Vec<DocumentId>) {
    let (mut open, mut most, mut ended) = (BTreeMap::new(), 0, Vec::new());
    let mut items = documents.iter().map(|id| item(scene, id));
    indexer(scene, line).index_documents(&mut items, &mut |event| {
        hear(&event);
        match event {
            LineEvent::Progressed { document, .. } => {
                open.entry(document).or_insert_with_key(|id| {
                    let document = scene.store.document(scene.project_id(), id).unwrap();
                    u64::from(document.char_count)
                });
                most = most.max(open.values().sum());
            }
            LineEvent::Ended { document, outcome } => {
                assert!(matches!(outcome, Ok(IndexOutcome::Ready(_))), "{outcome:?}");
                open.remove(&document);
                ended.push(document);
            }
        }
        ControlFlow::Continue(())
    });
    (most, ended)
}

#[test]
fn a_note_behind_twelve_books_is_in_the_next_batch() {
    let scene = slow_scene();
    let base = scene.knowledge_base("Aide");
    let book = |number: usize| prose(&format!("tout et de {number}"), 800);
    let mut documents: Vec<DocumentId> =
        (0..12).map(|number| register(&scene, &base, "Livre", &book(number))).collect();
    let note = register(&scene, &base, "Note", "Le parking ferme à dix heures.");
    documents.push(note.clone());
    let mut batches_before = None;
    let (_, ended) = most_open(&IndexingLine::new(), &scene, &documents, |event| {
        if let LineEvent::Progressed { document, .. } = event
            && *document == note
        {
            batches_before.get_or_insert_with(|| scene.embedder.batch_count());
        }
    });
    assert_eq!(ended.len(), 13);
    assert_eq!(ended[0], note);
    let batches = scene.embedder.batches();
    let of_note = batches.iter().position(|batch| batch.iter().any(|it| it.contains("parking")));
    // One may have been on its way.
    assert!(of_note.unwrap() <= batches_before.unwrap() + 1, "{of_note:?} {batches_before:?}");
    let books_in = |batch: &Vec<String>| {
        let books = batch.iter().filter_map(|text| text.rsplit("tout et de ").next());
        books.map(|rest| rest.split('.').next().unwrap().to_owned()).collect::<BTreeSet<_>>().len()
    };
    let mixed = batches[of_note.unwrap() + 1..].iter().take(50);
    assert!(mixed.clone().all(|batch| books_in(batch) >= 3), "{:?}", mixed.collect::<Vec<_>>());
    assert_eq!(scene.embedder.most_calls_at_once(), 1);
}

#[test]
fn what_has_no_room_is_set_aside_and_small_ones_pass() {
    let scene = slow_scene();
    let base = scene.knowledge_base("Aide");
    let book = |number: usize, sentences| {
        register(&scene, &base, "Livre", &prose(&format!("tout et de {number}"), sentences))
    };
    // Of some thirty thousand characters, and one of three times as many.
    let mut books: Vec<DocumentId> = (0..4).map(|number| book(number, 800)).collect();
    books.insert(2, book(9, 2_500));
    let notes: Vec<DocumentId> = (0..150)
        .map(|number| register(&scene, &base, "Note", &format!("Le parking {number} ferme.")))
        .collect();
    let documents: Vec<DocumentId> = books.iter().chain(&notes).cloned().collect();
    let (most, ended) = most_open(&IndexingLine::with_room(80_000), &scene, &documents, |_| ());
    assert_eq!(ended.len(), 155);
    let largest = scene.store.document(scene.project_id(), &books[2]).unwrap().char_count;
    let small = 51_200 + 400;
    assert!(largest > 80_000 && most <= u64::from(largest) + small, "{most}");
    let last_note = ended.iter().rposition(|id| notes.contains(id)).unwrap();
    let third_book = ended.iter().position(|id| *id == books[2]).unwrap();
    assert!(last_note < third_book, "no note waits for the largest book");
}

#[test]
fn two_jobs_have_the_same_share_of_the_model() {
    let scene = slow_scene();
    let base = scene.knowledge_base("Aide");
    let many: Vec<LineDocument> = (0..9)
        .map(|number| prose(&format!("plusieurs et de {number}"), 300))
        .map(|text| item(&scene, &register(&scene, &base, "Plusieurs", &text)))
        .collect();
    let one = item(&scene, &register(&scene, &base, "Un", &prose("un seul", 900)));
    let line = IndexingLine::new();
    std::thread::scope(|scope| {
        scope.spawn(|| index_in(&line, &scene, many));
        scope.spawn(|| index_in(&line, &scene, vec![one]));
    });
    let batches = scene.embedder.batches();
    let is_of_one = |text: &&String| text.contains("un seul");
    let first_of = |is_of_one_wanted: bool| {
        let has = |batch: &Vec<String>| batch.iter().any(|it| is_of_one(&it) == is_of_one_wanted);
        batches.iter().position(has).unwrap()
    };
    // Whichever came later.
    let begun = first_of(true).max(first_of(false));
    let ended = batches.iter().rposition(|batch| batch.iter().any(|it| is_of_one(&it))).unwrap();
    let both = &batches[begun + 1..ended];
    assert!(both.len() > 10, "{}", both.len());
    let shares = both.iter().map(|batch| batch.iter().filter(is_of_one).count());
    assert!(shares.clone().all(|share| share == 2), "{:?}", shares.collect::<Vec<_>>());
    assert_eq!(scene.embedder.most_calls_at_once(), 1);
}

#[test]
fn a_window_that_the_model_refuses_costs_its_own_document_only() {
    let scene = Scene::with_embedder(WordEmbedder::new(64).refusing("interdit"));
    let base = scene.knowledge_base("Aide");
    let texts = ["Un mot.", "Un mot interdit.", "Un autre mot."];
    let ids: Vec<DocumentId> =
        texts.iter().map(|text| register(&scene, &base, "Note", text)).collect();
    let line = IndexingLine::new();
    // Held until all three are open, so that they are in one batch.
    let mut outcomes = BTreeMap::new();
    let mut documents = ids.iter().map(|id| item(&scene, id));
    indexer(&scene, &line).index_documents(&mut documents, &mut |event| {
        if let LineEvent::Ended { document, outcome } = event {
            outcomes.insert(document, outcome.unwrap());
        }
        ControlFlow::Continue(())
    });
    assert!(matches!(outcomes[&ids[0]], IndexOutcome::Ready(_)), "{outcomes:?}");
    assert!(matches!(outcomes[&ids[1]], IndexOutcome::Failed(_)), "{outcomes:?}");
    assert!(matches!(outcomes[&ids[2]], IndexOutcome::Ready(_)), "{outcomes:?}");
}
