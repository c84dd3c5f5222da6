//! Questions that measure bases, and measurements.

use ancre_domain::{
    BenchFigures, BenchHit, BenchResult, BenchRun, BenchRunId, BenchSettings, ExpectedPassage,
    KnowledgeBase, PageRequest, Question, QuestionId, SearchMode, SearchedIndex,
};

use super::Subject;
use super::scene::{Scene, Told, WEIGHTS, refused};
use crate::StoreError;
use crate::traits::{LexicalQuery, LexicalTerm};

fn question(scene: &Scene, kb: &KnowledgeBase, text: &str) -> Result<Question, StoreError> {
    let source = scene.source(text)?;
    let now = scene.now();
    Ok(Question {
        id: QuestionId::generate(now),
        kb_id: kb.id.clone(),
        text: text.to_owned(),
        expected: vec![ExpectedPassage {
            source_id: source.id,
            title: source.title,
            start: Some(3),
            end: Some(9),
        }],
        must_refuse: false,
        created_at: now,
    })
}

/// Questions come oldest first; one that is saved again changes its text.
pub fn questions_are_kept_and_changed(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let first = question(&scene, &kb, "Quel délai ?")?;
    let second = question(&scene, &kb, "Quel prix ?")?;
    let store = scene.store();
    store.save_questions(&scene.project, &[second.clone(), first.clone()])?;
    let changed = Question { text: "Quels délais ?".to_owned(), ..first.clone() };
    store.save_questions(&scene.project, std::slice::from_ref(&changed))?;

    let page = store.list_questions(&scene.project, &kb.id, PageRequest::default())?;
    assert_eq!((page.items, page.total), (vec![changed.clone(), second.clone()], 2));
    assert_eq!(store.question(&scene.project, &first.id)?, changed);
    let last = PageRequest { offset: 1, limit: 1 };
    assert_eq!(store.list_questions(&scene.project, &kb.id, last)?.items, [second]);

    store.delete_question(&scene.project, &first.id)?;
    refused!(store.delete_question(&scene.project, &first.id), StoreError::NotFound { .. });
    Ok(())
}

/// A question goes on expecting the document that a new version takes the place of.
pub fn a_question_follows_the_new_version_of_its_document(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let old = scene.ready(&kb, "Les retours sont gratuits.", &[0.0])?;
    let mut known = question(&scene, &kb, "Quel délai ?")?;
    let expected = |start, end| ExpectedPassage {
        source_id: old.source_id.clone(),
        title: old.title.clone(),
        start,
        end,
    };
    // “retours”, which moves, and “gratuits”, which goes.
    known.expected = vec![expected(Some(4), Some(11)), expected(Some(17), Some(25))];
    known.expected.push(question(&scene, &kb, "Autre ?")?.expected.remove(0));
    let store = scene.store();
    store.save_questions(&scene.project, std::slice::from_ref(&known))?;

    let new = scene.ready(&kb, "Depuis mai, les retours coûtent deux euros.", &[9.0])?;
    store.attach_in_place_of(&scene.project, &old.id, &new.source_id, scene.now())?;
    let followed = store.question(&scene.project, &known.id)?.expected;
    assert!(followed[..2].iter().all(|it| it.source_id == new.source_id), "{followed:?}");
    assert_eq!((followed[0].start, followed[0].end), (Some(16), Some(23)), "it moved");
    assert_eq!((followed[1].start, followed[1].end), (None, None), "the whole document now");
    assert_eq!(followed[2], known.expected[2], "another document's is left alone");
    Ok(())
}

/// Neither another project nor another base of the same one reaches a question.
pub fn a_question_belongs_to_its_base(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (kb, other) = (scene.base("FAQ")?, scene.base("Autre")?);
    let known = question(&scene, &kb, "Quel délai ?")?;
    let store = scene.store();
    store.save_questions(&scene.project, std::slice::from_ref(&known))?;

    let elsewhere = &scene.subject.other_project;
    let page = PageRequest::default();
    refused!(store.list_questions(elsewhere, &kb.id, page), StoreError::NotFound { .. });
    refused!(store.question(elsewhere, &known.id), StoreError::NotFound { .. });
    refused!(store.delete_question(elsewhere, &known.id), StoreError::NotFound { .. });
    let stolen = [Question { text: "?".to_owned(), ..known.clone() }];
    refused!(store.save_questions(elsewhere, &stolen), StoreError::NotFound { .. });
    let moved = [
        question(&scene, &other, "Ensemble ou pas du tout")?,
        Question { kb_id: other.id.clone(), ..known.clone() },
    ];
    refused!(store.save_questions(&scene.project, &moved), StoreError::NotFound { .. });
    assert_eq!(store.list_questions(&scene.project, &other.id, page)?.total, 0);
    assert_eq!(store.question(&scene.project, &known.id)?, known);

    store.delete_knowledge_base(&scene.project, &kb.id, scene.now())?;
    refused!(store.question(&scene.project, &known.id), StoreError::NotFound { .. });
    Ok(())
}

/// Measurements come back as they were, newest first, and go with their base.
pub fn measurements_are_kept_whole(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let run = |mode| {
        let now = scene.now();
        BenchRun {
            id: BenchRunId::generate(now),
            kb_id: kb.id.clone(),
            settings: BenchSettings { mode, max_distance: Some(0.1 + 0.2), ..Default::default() },
            index: Some(SearchedIndex {
                kb_id: kb.id.clone(),
                generation: Some(2),
                embedding_model_id: "axes".to_owned(),
                embedding_version: None,
            }),
            figures: BenchFigures {
                mrr: 0.75,
                refused_rightly: Some(1.0),
                gone: 1,
                ..Default::default()
            },
            results: vec![BenchResult {
                question_id: QuestionId::generate(now),
                text: "Quel délai ?".to_owned(),
                rank: Some(2),
                expected: vec!["Délais".to_owned()],
                gone: vec!["Délais".to_owned()],
                top_hits: vec![BenchHit { title: "Prix".to_owned(), score: 0.5 }],
                refused: Some(false),
            }],
            created_at: now,
        }
    };
    let (older, newer) = (run(SearchMode::Text), run(SearchMode::Hybrid));
    let store = scene.store();
    store.store_bench_run(&scene.project, &older)?;
    store.store_bench_run(&scene.project, &newer)?;
    assert_eq!(store.bench_runs(&scene.project, &kb.id)?, [newer, older.clone()]);

    let elsewhere = &scene.subject.other_project;
    refused!(store.bench_runs(elsewhere, &kb.id), StoreError::NotFound { .. });
    refused!(store.store_bench_run(elsewhere, &older), StoreError::NotFound { .. });
    refused!(store.delete_bench_run(elsewhere, &older.id), StoreError::NotFound { .. });
    store.delete_bench_run(&scene.project, &older.id)?;
    assert_eq!(store.bench_runs(&scene.project, &kb.id)?.len(), 1);
    store.delete_knowledge_base(&scene.project, &kb.id, scene.now()).map(|_| ())
}

/// How common words are is counted over the base's own chunks; a word that nobody wrote has none.
pub fn words_are_counted_in_their_base(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (kb, other) = (scene.base("FAQ")?, scene.base("Autre")?);
    scene.ready(&kb, "délais", &[0.0, 10.0])?;
    scene.ready(&kb, "prix", &[20.0])?;
    scene.ready(&other, "prix courants", &[30.0])?;
    let term = |words: &[&str]| LexicalTerm {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        is_prefix: false,
    };
    let terms = vec![term(&["delais"]), term(&["prix"]), term(&["absent"]), term(&["titre", "de"])];
    let query = LexicalQuery { terms };
    let found = scene.store().lexical(&scene.project, &kb.id, &query, WEIGHTS, 0)?.statistics;
    // The heading of every chunk of these stories says “Délais”.
    assert_eq!((found.chunks, found.chunks_with), (3, vec![3, 1, 0, 3]));
    assert!(found.average_length > 4.0, "titles and headings count: {}", found.average_length);

    let elsewhere = &scene.subject.other_project;
    let crossing = scene.store().lexical(elsewhere, &kb.id, &query, WEIGHTS, 0);
    refused!(crossing, StoreError::NotFound { .. });
    Ok(())
}
