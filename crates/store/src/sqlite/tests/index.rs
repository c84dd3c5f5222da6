//! What only this implementation can show of an index: lost tables, full disks, what is left over.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::traits::{GenerationStore, LexicalQuery, LexicalTerm, LexicalWeights, NewGeneration};
use ancre_domain::{ChunkId, GenerationState, IndexHealth};

pub(super) const QUESTION: [f32; 3] = [1.0, 0.0, 0.0];

pub(super) fn run(ground: &Ground, sql: &str) {
    connections::lock(&ground.store.writer).execute_batch(sql).unwrap();
}

pub(super) fn number(ground: &Ground, sql: &str) -> i64 {
    connections::lock(&ground.store.writer).query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The settings of the base itself.
fn same_settings(ground: &Ground) -> NewGeneration {
    NewGeneration {
        embedding_model_id: ground.kb.embedding_model_id.clone(),
        embedding_version: None,
        embedding_dim: ground.kb.embedding_dim,
        chunking: ground.kb.chunking,
    }
}

/// Cuts a document into chunks of two windows.
fn cut(document: &Document, chunks: usize) -> (Vec<Chunk>, Vec<IndexedChunk>) {
    (0..chunks)
        .map(|at| {
            let chunk = chunk(document, at);
            let indexed = indexed(&chunk, &[[0.0, 1.0, 0.0], QUESTION]);
            (chunk, indexed)
        })
        .unzip()
}

pub(super) fn reindex(ground: &Ground) -> Result<(), StoreError> {
    let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
    let begun = store.begin_generation(project, kb, &same_settings(ground), NOW)?;
    for id in store.documents_to_build(project, kb)? {
        let document = store.document(project, &id)?;
        let (chunks, indexed) = cut(&document, 2);
        store.add_to_generation(project, &id, begun.number, &chunks, &indexed, NOW)?;
    }
    store.switch_generation(project, kb, NOW).map(|_| ())
}

pub(super) fn nearest(ground: &Ground) -> Result<usize, StoreError> {
    let found = ground.store.nearest(&ground.project, &ground.kb.id, &QUESTION, 6, None);
    found.map(|hits| hits.len())
}

pub(super) fn with_word(ground: &Ground, word: &str) -> usize {
    let term = LexicalTerm { words: vec![word.to_owned()], is_prefix: false };
    let weights = LexicalWeights { title: 1.0, heading: 1.0, body: 1.0 };
    let query = LexicalQuery { terms: vec![term] };
    let found = ground.store.lexical(&ground.project, &ground.kb.id, &query, weights, 99);
    found.unwrap().matches.len()
}

pub(super) fn health(ground: &Ground) -> IndexHealth {
    ground.store.index_health(&ground.project, &ground.kb.id).unwrap()
}

#[test]
fn lost_or_unfit_vectors_are_said_and_mended_by_a_new_index() {
    for (damage, expected) in [
        ("DROP TABLE vec_kb_ID", IndexHealth::VectorsMissing),
        (
            "DROP TABLE vec_kb_ID;
             CREATE VIRTUAL TABLE vec_kb_ID USING vec0(chunk_id TEXT PRIMARY KEY, embedding FLOAT[5])",
            IndexHealth::WrongDimension,
        ),
    ] {
        let ground = Ground::new();
        let document = ground.ready(1, &[QUESTION]);
        run(&ground, &damage.replace("ID", ground.kb.id.as_str()));
        assert_eq!(health(&ground), expected);
        let refused = nearest(&ground).unwrap_err();
        assert_eq!(refused.code(), ErrorCode::IndexMissing);
        assert!(refused.to_string().contains("FAQ") && refused.hint().is_some(), "{refused}");
        let chunks = [ground.store.chunks(&ground.project, &document.id).unwrap()[0].id.clone()];
        let hits = |vector| ground.store.hits(&ground.project, &ground.kb.id, &chunks, vector);
        assert_eq!(hits(Some(&QUESTION[..])).unwrap_err().code(), ErrorCode::IndexMissing);
        assert_eq!(hits(None).unwrap().len(), 1, "its words are there");
        assert_eq!(with_word(&ground, "texte"), 1);

        reindex(&ground).unwrap();
        assert_eq!((health(&ground), nearest(&ground).unwrap()), (IndexHealth::Ok, 2));
        let generations = ground.store.generations(&ground.project, &ground.kb.id).unwrap();
        assert_eq!(generations.len(), 1, "nobody wants the broken one back");
        assert_eq!(number(&ground, "SELECT count(*) FROM document_chunks"), 2);
    }
}

#[test]
fn a_table_without_its_parts_is_as_good_as_missing() {
    let ground = Ground::new();
    ground.ready(1, &[QUESTION]);
    run(&ground, &format!("DROP TABLE vec_kb_{}_rowids", ground.kb.id));
    assert_eq!(nearest(&ground).unwrap_err().code(), ErrorCode::IndexMissing);
}

#[test]
fn a_base_that_lost_its_words_gets_them_again() {
    let ground = Ground::new();
    ground.ready(1, &[QUESTION; 3]);
    run(&ground, &format!("DROP TABLE fts_kb_{}", ground.kb.id));
    assert_eq!((health(&ground), with_word(&ground, "texte")), (IndexHealth::NoTextIndex, 0));
    assert_eq!(nearest(&ground).unwrap(), 3);

    // A new document brings its words; the base does not look whole because of that.
    ground.ready(2, &[QUESTION]);
    assert_eq!((health(&ground), with_word(&ground, "texte")), (IndexHealth::NoTextIndex, 0));
    let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
    let mut rounds = 0;
    loop {
        let chunks = store.chunks_without_words(project, kb, 2).unwrap();
        let mut words: Vec<_> =
            chunks.iter().map(|chunk| (chunk.id.clone(), words(), Some(Language::En))).collect();
        words.push((ChunkId::generate(NOW), words_of("fantôme"), None));
        rounds += 1;
        if store.add_words(project, kb, &words).unwrap() {
            break;
        }
    }
    assert_eq!(rounds, 2);
    assert_eq!((health(&ground), with_word(&ground, "texte")), (IndexHealth::Ok, 4));
    assert_eq!(with_word(&ground, "fantome"), 0, "a chunk that is gone has no words");
    assert_eq!(store.chunks_without_words(project, kb, 2).unwrap(), []);
}

#[test]
fn a_full_disk_in_the_middle_leaves_the_old_index_serving() {
    let ground = Ground::new();
    ground.ready(1, &[QUESTION]);
    ground.ready(2, &[[0.0, 1.0, 0.0]]);
    let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
    let begun = store.begin_generation(project, kb, &same_settings(&ground), NOW).unwrap();
    let documents = store.documents_to_build(project, kb).unwrap();
    let add = |at: usize, chunks| {
        let document = store.document(project, &documents[at]).unwrap();
        let (chunks, indexed) = cut(&document, chunks);
        store.add_to_generation(project, &documents[at], begun.number, &chunks, &indexed, NOW)
    };
    add(0, 1).unwrap();
    let pages = number(&ground, "PRAGMA page_count");
    number(&ground, &format!("PRAGMA max_page_count = {pages}"));
    let full = add(1, 5_000);
    assert!(matches!(full, Err(StoreError::DiskFull)), "{full:?}");
    assert_eq!((nearest(&ground).unwrap(), with_word(&ground, "texte")), (2, 2));
    let early = store.switch_generation(project, kb, NOW);
    assert!(matches!(early, Err(StoreError::GenerationIncomplete { missing: 1 })), "{early:?}");

    number(&ground, "PRAGMA max_page_count = 1000000");
    add(1, 3).unwrap();
    store.switch_generation(project, kb, NOW).unwrap();
    assert_eq!((nearest(&ground).unwrap(), with_word(&ground, "texte")), (4, 4));
}

#[test]
fn an_index_that_lost_something_does_not_serve() {
    for loss in [
        "DELETE FROM vec_kb_ID_g2 WHERE chunk_id LIKE '%.1'",
        "DELETE FROM fts_kb_ID_g2 WHERE rowid = (SELECT max(key) FROM document_chunks)",
        "DROP TABLE fts_kb_ID_g2",
        "DROP TABLE vec_kb_ID_g2",
    ] {
        let ground = Ground::new();
        ground.ready(1, &[QUESTION]);
        let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
        store.begin_generation(project, kb, &same_settings(&ground), NOW).unwrap();
        let id = store.documents_to_build(project, kb).unwrap().remove(0);
        let (chunks, indexed) = cut(&store.document(project, &id).unwrap(), 1);
        store.add_to_generation(project, &id, 2, &chunks, &indexed, NOW).unwrap();
        run(&ground, &loss.replace("ID", kb.as_str()));
        let switched = store.switch_generation(project, kb, NOW);
        let is_refused = matches!(switched, Err(StoreError::GenerationIncomplete { missing: 1 }));
        assert!(is_refused, "{loss}: {switched:?}");
        store.cancel_generation(project, kb).unwrap();
        reindex(&ground).unwrap();
    }
}

#[test]
fn nothing_is_left_over_of_windows_words_and_generations() {
    let ground = Ground::new();
    let document = ground.ready(1, &[QUESTION, QUESTION]);
    reindex(&ground).unwrap();
    let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
    let in_table = |table: &str| number(&ground, &format!("SELECT count(*) FROM {table}"));
    let [vectors, words] = ["vec", "fts"].map(|kind| format!("{kind}_kb_{kb}_g2"));
    assert_eq!((in_table(&vectors), in_table(&format!("{words}_docsize"))), (4, 2));
    store.delete_document(project, &document.id).unwrap();
    assert_eq!((in_table(&vectors), in_table(&format!("{words}_docsize"))), (0, 0));
    assert_eq!(in_table("document_chunks") + in_table("document_indexings"), 0);

    ground.ready(2, &[QUESTION]);
    store.begin_generation(project, kb, &same_settings(&ground), NOW).unwrap();
    store.delete_knowledge_base(project, kb, NOW).unwrap();
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name GLOB '*_kb_*'";
    assert_eq!(number(&ground, tables), 0);
    assert_eq!(in_table("index_generations"), 0);
}

#[test]
fn a_search_meets_the_old_index_or_the_new_one_and_never_neither() {
    let ground = Ground::new();
    ground.ready(1, &[QUESTION]);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let searcher = || {
            let mut searches = 0;
            while !is_done.load(Ordering::SeqCst) || searches == 0 {
                // One chunk in the first generation, two in each that follows.
                assert!(matches!(nearest(&ground), Ok(1 | 2)));
                assert!((1..=2).contains(&with_word(&ground, "texte")));
                searches += 1;
            }
        };
        let searchers = [scope.spawn(searcher), scope.spawn(searcher)];
        for _ in 0..5 {
            reindex(&ground).unwrap();
            ground.store.discard_generation(&ground.project, &ground.kb.id).unwrap();
        }
        is_done.store(true, Ordering::SeqCst);
        for searcher in searchers {
            searcher.join().unwrap();
        }
    });
}

#[test]
fn a_base_may_be_deleted_while_it_is_searched_and_indexed() {
    let ground = Ground::new();
    let source = ground.store_source(9, "texte").unwrap();
    let late = ground.store.attach_source(&ground.project, &ground.kb.id, &source.id, NOW);
    let late = late.unwrap().0;
    ground.store.claim_document(&ground.project, &late.id).unwrap();
    let (chunks, indexed) = cut(&late, 1);
    ground.store.store_chunks(&late.id, &chunks).unwrap();
    ground.ready(1, &[QUESTION]);
    std::thread::scope(|scope| {
        let searcher = scope.spawn(|| {
            loop {
                match nearest(&ground) {
                    Ok(found) => assert_eq!(found, 1),
                    Err(StoreError::NotFound { .. }) => break,
                    Err(other) => panic!("{other}"),
                }
            }
        });
        ground.store.delete_knowledge_base(&ground.project, &ground.kb.id, NOW).unwrap();
        searcher.join().unwrap();
    });
    let finished = ground.store.finish_document(&late.id, &indexed, NOW);
    assert!(matches!(finished, Err(StoreError::NotFound { .. })), "{finished:?}");
}

#[test]
fn each_change_of_vectors_is_counted() {
    let ground = Ground::new();
    let changes = |generation: u32| {
        let sql = format!("SELECT changes FROM index_generations WHERE number = {generation}");
        number(&ground, &sql)
    };
    let mut before = changes(1);
    let mut has_changed = || std::mem::replace(&mut before, changes(1)) != changes(1);
    let document = ground.ready(1, &[QUESTION, QUESTION]);
    assert!(has_changed(), "added to");
    ground.store.set_document_enabled(&ground.project, &document.id, false).unwrap();
    assert!(!has_changed(), "its vectors are the same");
    ground.store.delete_document(&ground.project, &document.id).unwrap();
    assert!(has_changed(), "taken from");
    ground.ready(2, &[QUESTION]);
    assert!(has_changed());
    reindex(&ground).unwrap();
    assert!(changes(2) > 0);
    let previous = "SELECT count(*) FROM index_generations WHERE state = 'previous'";
    assert_eq!(number(&ground, previous), 1);
    let generations = ground.store.generations(&ground.project, &ground.kb.id).unwrap();
    assert_eq!(generations[1].state, GenerationState::Serving);
}
