//! A database that version 1 wrote: everything in it is found, and a copy of it is kept.

use ancre_domain::{
    ChunkId, DocumentId, KnowledgeBaseId, MessageId, ProjectId, SourceId, TicketId, Warning,
};

use super::*;
use crate::SqliteStore;
use crate::sqlite::vector_tables;
use crate::traits::{DeskStore, DocumentStore, SourceStore};

/// An id as version 1 made them.
fn id(number: u32) -> String {
    format!("{number:032x}")
}

/// One row in every table that this version has changed or refers to.
fn write_with_version_1(ground: &mut Ground) {
    ground.migrate(&MIGRATIONS[..1]).unwrap();
    let kb: KnowledgeBaseId = id(3).parse().unwrap();
    let chunks: [ChunkId; 2] = [id(5), id(6)].map(|id| id.parse().unwrap());
    let transaction = ground.writer.transaction().unwrap();
    transaction
        .execute_batch(&format!(
            "INSERT INTO projects VALUES ('{project}', 'Ancre', 1);
             INSERT INTO sources (id, project_id, kind, uri, title, mime, sha256, byte_count,
                                  char_count, outline, language, created_at, text, blob)
             VALUES ('{source}', '{project}', 'upload', '/aide/délais.md', 'Délais',
                     'text/markdown', '{sha256}', 7, 6,
                     '[{{\"level\":1,\"title\":\"Délais\",\"start\":0}}]', 'fr', 2, 'délais', x'64E96C616973');
             INSERT INTO knowledge_bases VALUES ('{kb}', '{project}', 'FAQ', 'faq', '', 'axes', 3,
                                                 2000, 200, 2);
             INSERT INTO documents (id, kb_id, source_id, source_kind, source_uri, title, mime,
                                    sha256, status, char_count, chunk_count, created_at,
                                    ingested_at)
             VALUES ('{document}', '{kb}', '{source}', 'upload', '/aide/délais.md', 'Délais',
                     'text/markdown', '{sha256}', 'ready', 6, 2, 3, 4);
             INSERT INTO document_chunks VALUES
                 ('{first}', '{document}', '{kb}', 0, 'dél', 1,
                  '{{\"start\":0,\"end\":3,\"page\":null,\"heading\":\"Délais\",\"tokensOutsideWindow\":4}}'),
                 ('{second}', '{document}', '{kb}', 1, 'ais', 1,
                  '{{\"start\":3,\"end\":6,\"page\":2,\"heading\":null}}');
             INSERT INTO tickets VALUES ('{ticket}', '{project}', 'Délais', 'open', NULL, 5, 5);
             INSERT INTO messages VALUES ('{question}', '{ticket}', 'inbound', 'Quand ?', 'fr',
                                          NULL, 5);
             INSERT INTO messages VALUES ('{draft}', '{ticket}', 'draft', 'Demain. [1]', 'fr',
                                          '{run}', 6);
             INSERT INTO runs VALUES ('{run}', '{ticket}', '{question}', '{draft}', '{agent}',
                                      'Camille', 'extractive', 'drafted', 'fr', 'Quand ?', '[]',
                                      '[]', 'Demain. [1]', NULL, 1, 1, 6);
             INSERT INTO ticket_sources VALUES
                 ('{snapshot}', '{ticket}', '{draft}', '{run}', 1, '{document}', '{second}',
                  '{kb}', 'FAQ', '{source}', 'Délais', NULL, 'upload', 'ais', 'ais', 1, 3, 6, 2,
                  NULL, 0.25, '[]', 6);",
            project = id(1),
            source = id(2),
            document = id(4),
            first = chunks[0],
            second = chunks[1],
            ticket = id(7),
            question = id(8),
            draft = id(9),
            run = id(10),
            agent = id(11),
            snapshot = id(12),
            sha256 = "a".repeat(64),
        ))
        .unwrap();
    write_vectors(&transaction, &format!("vec_kb_{kb}"), &chunks);
    transaction.commit().unwrap();
}

/// A table of vectors as the first versions made it: the first chunk on one axis, the second on
/// the next.
pub(super) fn write_vectors(transaction: &Transaction<'_>, table: &str, chunks: &[ChunkId]) {
    let columns = "chunk_id TEXT PRIMARY KEY, embedding FLOAT[3]";
    transaction
        .execute_batch(&format!("CREATE VIRTUAL TABLE {table} USING vec0({columns})"))
        .unwrap();
    let vectors = [[1.0_f32, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for (chunk, vector) in chunks.iter().zip(vectors) {
        let sql = format!("INSERT INTO {table} (chunk_id, embedding) VALUES (?1, ?2)");
        let bytes = vector_tables::bytes(&vector);
        transaction.execute(&sql, rusqlite::params![chunk.as_str(), bytes]).unwrap();
    }
}

#[test]
fn what_version_1_wrote_is_found() {
    let mut ground = Ground::new();
    write_with_version_1(&mut ground);
    let store = SqliteStore::open(ground.folder.path()).unwrap();
    let project: ProjectId = id(1).parse().unwrap();

    let source: SourceId = id(2).parse().unwrap();
    let bytes = store.source_bytes(&project, &source).unwrap();
    assert_eq!(bytes, b"d\xE9lais");
    assert_eq!(store.source_text(&project, &source).unwrap(), "délais");
    let source = store.source(&project, &source).unwrap();
    assert_eq!((source.pagination, source.warnings), (None, Vec::new()));
    assert!(source.has_original && source.outline.len() == 1);

    let document: DocumentId = id(4).parse().unwrap();
    let document = store.document(&project, &document).unwrap();
    assert_eq!(document.warnings, [Warning::OutsideWindow { passages: 1, total: 2 }]);
    let chunks = store.chunks(&project, &document.id).unwrap();
    assert_eq!((chunks[0].tokens_outside_window, chunks[1].page), (4, Some(2)));
    assert_eq!((chunks[1].page_kind, &chunks[1].page_label), (None, &None));
    let hits = store.nearest(&project, &document.kb_id, &[0.0, 1.0, 0.0], 1, None).unwrap();
    assert_eq!(hits[0].chunk, chunks[1]);

    let ticket: TicketId = id(7).parse().unwrap();
    assert_eq!(store.messages(&project, &ticket).unwrap().len(), 2);
    let draft: MessageId = id(9).parse().unwrap();
    let snapshots = store.ticket_sources(&project, &draft).unwrap();
    assert_eq!((snapshots[0].page, snapshots[0].page_kind), (Some(2), None));

    let copies = ground.copies();
    assert!(matches!(&copies[..], [copy] if copy.to_string_lossy().ends_with("Z-v1.db")));
    let copy = Connection::open(&copies[0]).unwrap();
    let kept: u32 = copy.query_row("SELECT count(*) FROM sources", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 1, "the copy is from before");
}
