//! A database that version 3 wrote, from before runs kept how they were searched: they read on, and
//! new ones stand beside them.

use ancre_domain::{
    BenchRun, BenchRunId, KnowledgeBaseId, ProjectId, RunId, SearchMode, SearchedIndex, Timestamp,
};

use super::*;
use crate::SqliteStore;
use crate::traits::{DeskStore, QuestionStore};

fn id(number: u32) -> String {
    format!("{number:032x}")
}

/// A run and a measurement as version 3 wrote them.
fn write_with_version_3(ground: &mut Ground) {
    ground.migrate(&MIGRATIONS[..3]).unwrap();
    ground
        .writer
        .execute_batch(&format!(
            r#"BEGIN;
             INSERT INTO projects VALUES ('{project}', 'Ancre', 1);
             INSERT INTO knowledge_bases (id, project_id, name, name_key, description,
                 embedding_model_id, embedding_dim, chunk_size, chunk_overlap, created_at)
             VALUES ('{kb}', '{project}', 'FAQ', 'faq', '', 'axes', 3, 2000, 200, 2);
             INSERT INTO bench_runs (id, kb_id, settings, figures, results, created_at)
             VALUES ('{bench}', '{kb}', '{{"mode":"text","topK":3,"maxDistance":null,"rerank":false}}',
                 '{{"recallAtK":0.5,"ndcgAt10":0.5,"mrr":0.25,"refusedRightly":1.0,"refusedWrongly":null,"questions":1}}',
                 '[{{"questionId":"{question}","text":"Quand ?","rank":2,"expected":["Délais"],"topHits":[],"refused":true}}]',
                 4);
             INSERT INTO tickets VALUES ('{ticket}', '{project}', 'Délais', 'open', NULL, 5, 5);
             INSERT INTO messages VALUES ('{asked}', '{ticket}', 'inbound', 'Quand ?', 'fr', NULL, 5);
             INSERT INTO runs VALUES ('{run}', '{ticket}', '{asked}', NULL, '{agent}', 'Camille',
                 'extractive', 'no_evidence', 'fr', 'Quand ?',
                 '[{{"chunkId":"{agent}","sourceId":"{agent}","kbId":"{kb}","distance":0.25,"score":0.75}}]',
                 '[]', '', NULL, 1, 1, 6);
             COMMIT;"#,
            project = id(1),
            kb = id(2),
            bench = id(3),
            question = id(4),
            ticket = id(5),
            asked = id(6),
            run = id(7),
            agent = id(8),
        ))
        .unwrap();
}

#[test]
fn runs_from_before_they_kept_how_they_were_searched_read_on() {
    let mut ground = Ground::new();
    write_with_version_3(&mut ground);
    let store = SqliteStore::open(ground.folder.path()).unwrap();
    let project: ProjectId = id(1).parse().unwrap();

    let run_id: RunId = id(7).parse().unwrap();
    let run = store.run(&project, &run_id).unwrap();
    assert_eq!((run.search, run.hits.len()), (None, 1));

    let kb: KnowledgeBaseId = id(2).parse().unwrap();
    let [old] = &store.bench_runs(&project, &kb).unwrap()[..] else { panic!("one measurement") };
    assert_eq!((&old.index, old.settings.mode, old.figures.gone), (&None, SearchMode::Text, 0));
    assert_eq!((old.results[0].refused, old.results[0].is_gone()), (Some(true), false));

    let now = Timestamp::from_millis(9);
    let index = SearchedIndex {
        kb_id: kb.clone(),
        generation: None,
        embedding_model_id: "axes".to_owned(),
        embedding_version: None,
    };
    let new = BenchRun {
        id: BenchRunId::generate(now),
        index: Some(index),
        created_at: now,
        ..old.clone()
    };
    store.store_bench_run(&project, &new).unwrap();
    assert_eq!(store.bench_runs(&project, &kb).unwrap(), [new, old.clone()]);

    let copies = ground.copies();
    assert!(matches!(&copies[..], [copy] if copy.to_string_lossy().ends_with("Z-v3.db")));
}
