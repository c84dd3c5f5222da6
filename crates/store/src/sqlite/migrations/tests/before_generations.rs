//! Databases from before generations: version 2, with a table of vectors for each base, and the
//! oldest, whose bases shared one. Both are searched at once, and brought up to what a new base
//! is, step by step.

use ancre_domain::{
    CharRange, Chunk, ChunkId, DocumentId, GenerationState, IndexHealth, KnowledgeBase,
    KnowledgeBaseId, Language, ProjectId, SourceKind, Timestamp,
};

use super::first_version::write_vectors;
use super::*;
use crate::SqliteStore;
use crate::traits::{
    DocumentStore, GenerationStore, IndexedChunk, KnowledgeBaseStore, LexicalQuery, LexicalTerm,
    LexicalText, LexicalWeights, NewGeneration, NewSource, SourceStore,
};

const NOW: Timestamp = Timestamp::from_millis(9_000);
const NORTH: [f32; 3] = [0.0, 1.0, 0.0];

fn id(number: u32) -> String {
    format!("{number:032x}")
}

fn base(number: u32) -> KnowledgeBaseId {
    id(100 * number).parse().unwrap()
}

fn document(number: u32) -> DocumentId {
    id(100 * number + 2).parse().unwrap()
}

fn project() -> ProjectId {
    id(1).parse().unwrap()
}

/// A base of version 2 with one ready document of two chunks and one that was being indexed, and
/// the ready one's vectors in `table`.
fn write_base(transaction: &Transaction<'_>, number: u32) -> [ChunkId; 2] {
    let n = 100 * number;
    let chunks: [ChunkId; 2] = [n + 3, n + 4].map(|number| id(number).parse().unwrap());
    transaction
        .execute_batch(&format!(
            "INSERT OR IGNORE INTO projects VALUES ('{project}', 'Ancre', 1);
             INSERT INTO sources (id, project_id, kind, title, mime, sha256, byte_count, char_count,
                                  created_at, text)
             VALUES ('{source}', '{project}', 'inline', 'Délais', 'text/plain', '{n:064x}', 7, 6, 2,
                     'délais'),
                    ('{second}', '{project}', 'inline', 'Retours', 'text/plain', '{m:064x}', 7, 7,
                     2, 'retours');
             INSERT INTO knowledge_bases VALUES ('{kb}', '{project}', 'FAQ {n}', 'faq {n}', '',
                                                 'axes', 3, 2000, 200, 2);
             INSERT INTO documents (id, kb_id, source_id, source_kind, title, mime, sha256, status,
                                    char_count, chunk_count, created_at, ingested_at, claimed_by)
             VALUES ('{document}', '{kb}', '{source}', 'inline', 'Délais', 'text/plain', '{n:064x}',
                     'ready', 6, 2, 3, 4, NULL),
                    ('{half}', '{kb}', '{second}', 'inline', 'Retours', 'text/plain', '{m:064x}',
                     'indexing', 7, 0, 3, NULL, '{half}');
             INSERT INTO document_chunks VALUES
                 ('{first}', '{document}', '{kb}', 0, 'délais de {n}', 1, '{{\"start\":0,\"end\":3}}'),
                 ('{last}', '{document}', '{kb}', 1, 'livraison', 1, '{{\"start\":3,\"end\":6}}'),
                 ('{unfinished}', '{half}', '{kb}', 0, 'retours', 1, '{{\"start\":0,\"end\":7}}');",
            project = project(),
            source = id(n + 1),
            kb = base(number),
            document = document(number),
            first = chunks[0],
            last = chunks[1],
            second = id(n + 5),
            half = id(n + 6),
            unfinished = id(n + 7),
            m = n + 1,
        ))
        .unwrap();
    chunks
}

/// A database of version 2 whose base 1 has a table of its own, and bases 2 and 3 share one.
fn version_2() -> (Ground, SqliteStore) {
    let mut ground = Ground::new();
    ground.migrate(&MIGRATIONS[..2]).unwrap();
    let transaction = ground.writer.transaction().unwrap();
    let own = write_base(&transaction, 1);
    write_vectors(&transaction, &format!("vec_kb_{}", base(1)), &own);
    let shared = [write_base(&transaction, 2), write_base(&transaction, 3)].concat();
    write_vectors(&transaction, "vec_chunks", &shared[..2]);
    for (chunk, vector) in shared[2..].iter().zip([[1.0_f32, 0.0, 0.0], NORTH]) {
        let bytes = crate::sqlite::vector_tables::bytes(&vector);
        let sql = "INSERT INTO vec_chunks (chunk_id, embedding) VALUES (?1, ?2)";
        transaction.execute(sql, rusqlite::params![chunk.as_str(), bytes]).unwrap();
    }
    transaction.commit().unwrap();
    let store = SqliteStore::open(ground.folder.path()).unwrap();
    (ground, store)
}

fn nearest(store: &SqliteStore, number: u32) -> Vec<String> {
    let hits = store.nearest(&project(), &base(number), &NORTH, 9, None).unwrap();
    hits.into_iter().map(|hit| hit.chunk.content).collect()
}

fn with_word(store: &SqliteStore, number: u32, word: &str) -> usize {
    let query = LexicalQuery {
        terms: vec![LexicalTerm { words: vec![word.to_owned()], is_prefix: false }],
    };
    let weights = LexicalWeights { title: 1.0, heading: 1.0, body: 1.0 };
    store.lexical(&project(), &base(number), &query, weights, 9).unwrap().matches.len()
}

fn health(store: &SqliteStore, number: u32) -> IndexHealth {
    store.index_health(&project(), &base(number)).unwrap()
}

fn lexical(chunk: &Chunk) -> LexicalText {
    LexicalText { body: chunk.content.clone(), ..LexicalText::default() }
}

fn add_words(store: &SqliteStore, number: u32) {
    let chunks = store.chunks_without_words(&project(), &base(number), 100).unwrap();
    let words: Vec<_> =
        chunks.iter().map(|it| (it.id.clone(), lexical(it), Some(Language::Fr))).collect();
    assert!(store.add_words(&project(), &base(number), &words).unwrap());
}

/// Takes a new text from the library to ready, with two windows.
fn feed(store: &SqliteStore, number: u32, text: &str) -> DocumentId {
    let new = NewSource {
        project_id: project(),
        kind: SourceKind::Inline,
        uri: None,
        title: text.to_owned(),
        mime: "text/plain".to_owned(),
        sha256: format!("{:0>64}", text.len()),
        bytes: None,
        text: text.to_owned(),
        outline: Vec::new(),
        pagination: None,
        warnings: Vec::new(),
        language: None,
    };
    let source = store.store_source(&new, NOW).unwrap().source;
    let document = store.attach_source(&project(), &base(number), &source.id, NOW).unwrap().0;
    store.claim_document(&project(), &document.id).unwrap();
    let (chunk, indexed) = cut(&document.id, text);
    store.store_chunks(&document.id, &[chunk]).unwrap();
    store.finish_document(&document.id, &[indexed], NOW).unwrap();
    document.id
}

fn cut(document: &DocumentId, text: &str) -> (Chunk, IndexedChunk) {
    let chunk = Chunk {
        id: ChunkId::generate(NOW),
        document_id: document.clone(),
        position: 0,
        content: text.to_owned(),
        range: CharRange { start: 0, end: 1 },
        page: None,
        page_kind: None,
        page_label: None,
        heading: None,
        token_count: 1,
        tokens_outside_window: 0,
    };
    let indexed = IndexedChunk {
        chunk_id: chunk.id.clone(),
        windows: vec![vec![0.0, 0.0, 1.0], vec![0.0, 0.6, 0.8]],
        lexical: lexical(&chunk),
        language: None,
        tokens_outside_window: 0,
    };
    (chunk, indexed)
}

fn reindex(store: &SqliteStore, number: u32) {
    let KnowledgeBase { id: kb, embedding_dim, chunking, .. } =
        store.knowledge_base(&project(), &base(number)).unwrap();
    let embedding_model_id = "axes".to_owned();
    let new =
        NewGeneration { embedding_model_id, embedding_version: None, embedding_dim, chunking };
    let begun = store.begin_generation(&project(), &kb, &new, NOW).unwrap();
    for document in store.documents_to_build(&project(), &kb).unwrap() {
        let (chunk, indexed) = cut(&document, "réindexé");
        store
            .add_to_generation(&project(), &document, begun.number, &[chunk], &[indexed], NOW)
            .unwrap();
    }
    store.switch_generation(&project(), &kb, NOW).unwrap();
}

#[test]
fn a_base_of_version_2_is_searched_at_once_and_gets_its_words() {
    let (_ground, store) = version_2();
    assert_eq!(health(&store, 1), IndexHealth::NoTextIndex);
    assert_eq!(nearest(&store, 1), ["livraison", "délais de 100"]);
    assert_eq!(with_word(&store, 1, "livraison"), 0);
    let generations = store.generations(&project(), &base(1)).unwrap();
    assert_eq!(generations.len(), 1);
    assert_eq!((generations[0].documents, generations[0].chunks), (1, 2));
    assert!(store.document(&project(), &document(1)).unwrap().is_enabled);

    feed(&store, 1, "nouveau");
    assert_eq!(store.chunks_without_words(&project(), &base(1), 100).unwrap().len(), 2);
    add_words(&store, 1);
    assert_eq!(health(&store, 1), IndexHealth::Ok);
    assert_eq!((with_word(&store, 1, "delais"), with_word(&store, 1, "nouveau")), (1, 1));

    // What was being indexed begins again from the start.
    assert_eq!(store.release_abandoned_documents().unwrap().len(), 3);
    assert_eq!(store.generations(&project(), &base(1)).unwrap()[0].chunks, 3);
    store.delete_document(&project(), &document(1)).unwrap();
    assert_eq!(nearest(&store, 1), ["nouveau"]);
    reindex(&store, 1);
    assert_eq!(nearest(&store, 1), ["réindexé"]);
}

#[test]
fn a_base_without_an_entry_lives_in_the_shared_table() {
    let (ground, store) = version_2();
    let count = |sql: &str| -> i64 { ground.writer.query_row(sql, [], |row| row.get(0)).unwrap() };
    let in_shared_table = || count("SELECT count(*) FROM vec_chunks");
    assert_eq!((health(&store, 2), in_shared_table()), (IndexHealth::Legacy, 4));
    assert_eq!(nearest(&store, 2), ["livraison", "délais de 200"], "not those of base 3");
    assert_eq!(store.nearest(&project(), &base(2), &NORTH, 5_000, None).unwrap().len(), 2);
    let generations = store.generations(&project(), &base(2)).unwrap();
    assert_eq!((generations[0].number, generations[0].state), (1, GenerationState::Serving));

    // It is fed, and taken from.
    let fed = feed(&store, 2, "nouveau");
    assert_eq!(in_shared_table(), 6, "two windows");
    assert_eq!(nearest(&store, 2), ["livraison", "nouveau", "délais de 200"]);
    let foreign = store.chunks(&project(), &document(3)).unwrap()[0].id.clone();
    let own = store.chunks(&project(), &fed).unwrap()[0].id.clone();
    let hits = store.hits(&project(), &base(2), &[foreign, own], Some(&NORTH[..])).unwrap();
    assert_eq!(hits.len(), 1);
    assert!((hits[0].distance - 0.55).abs() < 1e-6, "{}", hits[0].distance);
    add_words(&store, 2);
    assert_eq!((with_word(&store, 2, "livraison"), with_word(&store, 2, "nouveau")), (1, 1));
    assert_eq!(health(&store, 2), IndexHealth::Legacy, "it has an entry, and shares its table");
    store.delete_document(&project(), &fed).unwrap();
    assert_eq!((in_shared_table(), nearest(&store, 2).len()), (4, 2));

    // It is indexed again into tables of its own, and goes back, and for good.
    reindex(&store, 2);
    assert_eq!((health(&store, 2), in_shared_table()), (IndexHealth::Ok, 4));
    assert_eq!(nearest(&store, 2), ["réindexé"]);
    store.restore_generation(&project(), &base(2), NOW).unwrap();
    assert_eq!(nearest(&store, 2), ["livraison", "délais de 200"]);
    assert_eq!(with_word(&store, 2, "livraison"), 1);
    store.restore_generation(&project(), &base(2), NOW).unwrap();
    store.discard_generation(&project(), &base(2)).unwrap();
    assert_eq!((in_shared_table(), nearest(&store, 2).len()), (2, 1));

    // The other base that shares the table never noticed.
    assert_eq!(nearest(&store, 3), ["livraison", "délais de 300"]);
    store.delete_knowledge_base(&project(), &base(3), NOW).unwrap();
    assert_eq!(in_shared_table(), 0);
}

#[test]
fn a_shared_table_that_is_gone_is_mended_by_a_new_index() {
    let (ground, store) = version_2();
    ground.writer.execute_batch("DROP TABLE vec_chunks").unwrap();
    assert_eq!(health(&store, 2), IndexHealth::VectorsMissing);
    let refused = store.nearest(&project(), &base(2), &NORTH, 9, None).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::IndexMissing);
    reindex(&store, 2);
    assert_eq!((health(&store, 2), nearest(&store, 2).len()), (IndexHealth::Ok, 1));
    store.delete_knowledge_base(&project(), &base(3), NOW).unwrap();

    let (ground, store) = version_2();
    let narrow = "DROP TABLE vec_chunks;
        CREATE VIRTUAL TABLE vec_chunks USING vec0(chunk_id TEXT PRIMARY KEY, embedding float[2])";
    ground.writer.execute_batch(narrow).unwrap();
    assert_eq!(health(&store, 3), IndexHealth::WrongDimension);
    let refused = store.nearest(&project(), &base(3), &NORTH, 9, None).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::IndexMissing);
    reindex(&store, 3);
    assert_eq!(health(&store, 3), IndexHealth::Ok);
}
