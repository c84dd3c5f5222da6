//! Derived tables that are broken: they keep nobody from deleting, searching the other way, or
//! rebuilding.

use super::index::{QUESTION, health, nearest, number, reindex, run, with_word};
use super::*;
use crate::traits::{GenerationStore, StorageStore};
use ancre_domain::{Cancellation, IndexHealth};

/// What may be broken of the vectors.
const OF_VECTORS: [&str; 7] = [
    "DROP TABLE vec_kb_ID_rowids",
    "DROP TABLE vec_kb_ID_chunks",
    "DROP TABLE vec_kb_ID_vector_chunks00",
    "DROP TABLE vec_kb_ID_info",
    "DELETE FROM vec_kb_ID_rowids",
    "DELETE FROM vec_kb_ID_vector_chunks00",
    "PRAGMA writable_schema = ON;
     DELETE FROM sqlite_schema WHERE name = 'vec_kb_ID';
     PRAGMA writable_schema = RESET",
];

/// What may be broken of the words.
const OF_WORDS: [&str; 6] = [
    "DROP TABLE fts_kb_ID_docsize",
    "DROP TABLE fts_kb_ID_data",
    "DROP TABLE fts_kb_ID_idx",
    "DROP TABLE fts_kb_ID_config",
    "DELETE FROM fts_kb_ID_data",
    "PRAGMA writable_schema = ON;
     DELETE FROM sqlite_schema WHERE name = 'fts_kb_ID';
     PRAGMA writable_schema = RESET",
];

fn damages() -> impl Iterator<Item = (&'static str, bool)> {
    let vectors = OF_VECTORS.into_iter().map(|damage| (damage, true));
    vectors.chain(OF_WORDS.into_iter().map(|damage| (damage, false)))
}

/// A base of three documents, one of which has just been broken from outside.
fn broken(damage: &str) -> (Ground, Vec<Document>) {
    let ground = Ground::new();
    let documents = (1..4).map(|number| ground.ready(number, &[QUESTION, QUESTION])).collect();
    let Ground { folder, store, project, kb, .. } = ground;
    drop(store);
    let path = folder.path().join("ancre.db");
    let database = connections::open_writer(&path).unwrap();
    database.execute_batch(&damage.replace("ID", kb.id.as_str())).unwrap();
    drop(database);
    let store = SqliteStore::open(folder.path()).unwrap();
    (Ground { folder, store, project, kb }, documents)
}

fn tables_left(ground: &Ground) -> i64 {
    number(ground, "SELECT count(*) FROM sqlite_schema WHERE name GLOB '*_kb_*'")
}

#[test]
fn a_broken_table_keeps_nobody_from_deleting() {
    for (damage, _) in damages() {
        let (ground, documents) = broken(damage);
        let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
        store.delete_document(project, &documents[0].id).expect(damage);
        store.delete_source(project, &documents[1].source_id).expect(damage);
        store.storage_size().expect(damage);
        store.wipe_deleted(&Cancellation::new()).expect(damage);
        store.compact(&Cancellation::new()).expect(damage);
        assert_eq!(number(&ground, "SELECT count(*) FROM document_chunks"), 2, "{damage}");
        store.delete_knowledge_base(project, kb, NOW).expect(damage);
        assert_eq!(tables_left(&ground), 0, "{damage}");
    }
}

#[test]
fn a_broken_table_is_seen_and_the_other_side_answers() {
    for (damage, is_of_vectors) in damages() {
        let (ground, _) = broken(damage);
        if is_of_vectors {
            assert_eq!(health(&ground), IndexHealth::VectorsMissing, "{damage}");
            assert_eq!(with_word(&ground, "texte"), 6, "{damage}");
            match nearest(&ground) {
                Ok(found) => assert!(found < 6, "{damage}"),
                Err(error) => assert_eq!(error.code(), ErrorCode::IndexMissing, "{damage}"),
            }
        } else {
            assert_eq!(nearest(&ground).unwrap(), 6, "{damage}");
            assert_eq!(health(&ground), IndexHealth::NoTextIndex, "{damage}");
            assert_eq!(with_word(&ground, "texte"), 0, "{damage}");
        }
    }
}

#[test]
fn a_new_index_mends_a_broken_one() {
    for (damage, _) in damages() {
        let (ground, _) = broken(damage);
        let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
        reindex(&ground).expect(damage);
        assert_eq!(health(&ground), IndexHealth::Ok, "{damage}");
        assert_eq!((nearest(&ground).unwrap(), with_word(&ground, "texte")), (6, 6), "{damage}");
        store.discard_generation(project, kb).expect(damage);
        assert_eq!(store.generations(project, kb).unwrap().len(), 1, "{damage}");
        ground.ready(9, &[QUESTION]);
        store.delete_knowledge_base(project, kb, NOW).expect(damage);
        assert_eq!(tables_left(&ground), 0, "{damage}");
    }
}

#[test]
fn lost_rows_are_seen() {
    for (loss, expected) in [
        (
            "DELETE FROM vec_kb_ID WHERE chunk_id = (SELECT min(id) FROM document_chunks)",
            IndexHealth::VectorsMissing,
        ),
        ("DELETE FROM document_chunks WHERE position = 0", IndexHealth::ChunksMissing),
        ("DELETE FROM document_chunks", IndexHealth::ChunksMissing),
        ("DELETE FROM index_generations", IndexHealth::VectorsMissing),
        ("DELETE FROM fts_kb_ID WHERE rowid = 1", IndexHealth::NoTextIndex),
    ] {
        let ground = Ground::new();
        ground.ready(1, &[QUESTION, QUESTION]);
        assert_eq!(health(&ground), IndexHealth::Ok);
        run(&ground, &loss.replace("ID", ground.kb.id.as_str()));
        assert_eq!(health(&ground), expected, "{loss}");
        reindex(&ground).expect(loss);
        assert_eq!(health(&ground), IndexHealth::Ok, "{loss}");
        let (store, project) = (&ground.store, &ground.project);
        let is_kept = store.generations(project, &ground.kb.id).unwrap().len() == 2;
        assert_eq!(is_kept, expected == IndexHealth::NoTextIndex, "nobody wants it back: {loss}");
        store.delete_knowledge_base(project, &ground.kb.id, NOW).expect(loss);
        assert_eq!(tables_left(&ground), 0, "{loss}");
    }
}
