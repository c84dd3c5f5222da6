//! Stories of measuring a base with questions.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

mod search_test;

use ancre_domain::{
    BenchRun, BenchSettings, Cancellation, ErrorCode, Explain, Hit, KnowledgeBase, PageRequest,
    SearchMode,
};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::bench::{Answering, Bench, import_questions};
use ancre_knowledge::search::OneEmbedder;
use ancre_store::traits::{DocumentStore, QuestionStore};
use ancre_testkit::{Scene, WordEmbedder};
use search_test::add;

fn help_centre() -> (Scene, KnowledgeBase) {
    let scene = Scene::with_embedder(WordEmbedder::new(256));
    let base = scene.knowledge_base("Aide");
    add(&scene, &base, "Remboursements", "Le remboursement est versé sous 14 jours.");
    add(&scene, &base, "Livraison", "La livraison standard prend de 3 à 5 jours ouvrés.");
    (scene, base)
}

/// Answers what is not about a match, if it was given anything; counts the passages it was given.
struct Clerk(std::cell::Cell<usize>);

impl Answering for Clerk {
    fn would_answer(
        &self,
        question: &str,
        hits: &[Hit],
        _: &Cancellation,
    ) -> Result<bool, KnowledgeError> {
        self.0.set(self.0.get() + hits.len());
        Ok(!question.contains("match") && !hits.is_empty())
    }
}

fn measure(scene: &Scene, base: &KnowledgeBase, answering: Option<&dyn Answering>) -> BenchRun {
    let embedder = OneEmbedder(&scene.embedder);
    let bench = Bench {
        store: &*scene.store,
        embedder: Some(&embedder),
        reranking: None,
        answering,
        clock: &scene.clock,
    };
    let settings = BenchSettings { top_k: 1, ..BenchSettings::default() };
    bench.run(scene.project_id(), &base.id, settings, &Cancellation::new(), &mut |_, _| {}).unwrap()
}

fn import(scene: &Scene, base: &KnowledgeBase, text: &str) -> (u32, Vec<(u32, String)>) {
    let (store, project) = (&*scene.store, scene.project_id());
    let imported = import_questions(store, &scene.clock, project, &base.id, text).unwrap();
    let skipped = imported.skipped.into_iter().map(|it| (it.line, it.reason.to_string())).collect();
    (imported.imported, skipped)
}

#[test]
fn each_line_makes_a_question_or_says_why_not() {
    let (scene, base) = help_centre();
    add(&scene, &base, "Deux", "Un texte.");
    add(&scene, &base, "Deux", "Un autre texte.");
    let source = {
        let page = PageRequest::default();
        let (store, project) = (&scene.store, scene.project_id());
        let listed = store.list_documents(project, &base.id, Default::default(), page).unwrap();
        listed.items[0].source_id.clone()
    };
    let text = format!(
        "\u{FEFF}Quand suis-je remboursé ?\tremboursements\n\n\
         {{\"question\": \"En combien de jours ?\", \"expected\": [\"Livraison\", \"{source}\"]}}\n\
         {{\"question\": \"Qui a gagné le match ?\", \"mustRefuse\": true}}\n\
         Sans tabulation\n\
         Quoi ?\tAbsent\n\
         Lequel ?\tDeux\n\
         {{\"question\": 7}}\n\
         {{\"question\": \"Ni l’un ni l’autre ?\"}}\n\
         {{\"question\": \"Les deux ?\", \"expected\": \"Livraison\", \"mustRefuse\": true}}\n\
         \tLivraison\n\
         Quand suis-je remboursé ?\tLivraison\n"
    );
    let (imported, skipped) = import(&scene, &base, &text);
    assert_eq!(imported, 3);
    let lines: Vec<u32> = skipped.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [5, 6, 7, 8, 9, 10, 11, 12], "{skipped:?}");
    for (part, (_, reason)) in [
        "no tab",
        "is called “Absent”",
        "2 documents are called",
        "not the JSON",
        "neither",
        "must be refused and expects",
        "is empty",
        "already",
    ]
    .into_iter()
    .zip(&skipped)
    {
        assert!(reason.contains(part), "{part}: {reason}");
    }
    let page = PageRequest::default();
    let questions = scene.store.list_questions(scene.project_id(), &base.id, page).unwrap().items;
    assert_eq!(questions[1].expected.len(), 2);
    assert!(questions[2].must_refuse && questions[2].expected.is_empty());
}

#[test]
fn a_measurement_says_what_was_found_and_is_kept() {
    let (scene, base) = help_centre();
    import(
        &scene,
        &base,
        "Quand le remboursement est-il versé ?\tRemboursements\n\
         livraison standard jours\tLivraison\n\
         la livraison standard prend combien de jours\tRemboursements\n\
         {\"question\": \"Qwerty uiop asdf\", \"mustRefuse\": true}",
    );
    let embedder = OneEmbedder(&scene.embedder);
    let bench = Bench {
        store: &*scene.store,
        embedder: Some(&embedder),
        reranking: None,
        answering: None,
        clock: &scene.clock,
    };
    let mut heard = Vec::new();
    let settings = BenchSettings { top_k: 1, ..BenchSettings::default() };
    let run = bench
        .run(scene.project_id(), &base.id, settings, &Cancellation::new(), &mut |done, total| {
            heard.push((done, total));
        })
        .unwrap();
    assert_eq!(heard, [(1, 4), (2, 4), (3, 4), (4, 4)]);
    let ranks: Vec<_> = run.results.iter().map(|result| result.rank).collect();
    assert_eq!(ranks, [Some(1), Some(1), Some(2), None]);
    assert!((run.figures.recall_at_k - 2.0 / 3.0).abs() < 1e-9, "{:?}", run.figures);
    assert!((run.figures.mrr - 2.5 / 3.0).abs() < 1e-9, "{:?}", run.figures);
    assert_eq!((run.figures.refused_rightly, run.figures.refused_wrongly), (None, None));
    assert!(run.results.iter().all(|it| it.refused.is_none()), "nobody was there to refuse");
    let index = run.index.clone().unwrap();
    assert_eq!((index.kb_id, index.generation), (base.id.clone(), Some(1)));
    assert_eq!(index.embedding_version.as_deref(), Some("1"));
    assert_eq!(run.results[2].top_hits[0].title, "Livraison");
    assert_eq!(scene.store.bench_runs(scene.project_id(), &base.id).unwrap(), [run]);
}

#[test]
fn a_measurement_without_questions_or_that_is_stopped_keeps_nothing() {
    let (scene, base) = help_centre();
    let bench = Bench {
        store: &*scene.store,
        embedder: None,
        reranking: None,
        answering: None,
        clock: &scene.clock,
    };
    let settings = BenchSettings { mode: SearchMode::Text, ..BenchSettings::default() };
    let run = |cancellation: &Cancellation| {
        bench
            .run(scene.project_id(), &base.id, settings, cancellation, &mut |_, _| {})
            .map(|run| run.results.len())
            .map_err(|error| error.code())
    };
    assert_eq!(run(&Cancellation::new()), Err(ErrorCode::InvalidInput));
    import(&scene, &base, "Quand ?\tLivraison");
    let stopped = Cancellation::new();
    stopped.cancel();
    assert_eq!(run(&stopped), Err(ErrorCode::Cancelled));
    assert!(scene.store.bench_runs(scene.project_id(), &base.id).unwrap().is_empty());
    assert_eq!(run(&Cancellation::new()), Ok(1), "by words no model is needed");
}

#[test]
fn what_would_be_refused_is_asked_of_who_answers() {
    let (scene, base) = help_centre();
    import(
        &scene,
        &base,
        "Quand le remboursement est-il versé ?\tRemboursements\n\
         Le match fait-il tarder la livraison ?\tLivraison\n\
         {\"question\": \"Qui a gagné le match ?\", \"mustRefuse\": true}\n\
         {\"question\": \"Livrez-vous sur la Lune ?\", \"mustRefuse\": true}",
    );
    let clerk = Clerk(0.into());
    let run = measure(&scene, &base, Some(&clerk));
    let refused: Vec<_> = run.results.iter().map(|result| result.refused).collect();
    assert_eq!(refused, [Some(false), Some(true), Some(true), Some(false)]);
    assert_eq!(run.figures.refused_wrongly, Some(0.5));
    assert_eq!(run.figures.refused_rightly, Some(0.5));
    assert_eq!(clerk.0.get(), 4, "of each question he gets what an agent gets: one passage");
}

#[test]
fn a_question_whose_documents_are_gone_is_in_no_figure() {
    let (scene, base) = help_centre();
    import(
        &scene,
        &base,
        "Quand le remboursement est-il versé ?\tRemboursements\n\
         livraison standard jours\tLivraison\n\
         {\"question\": \"remboursement versé\", \"expected\": [\"Livraison\", \"Remboursements\"]}",
    );
    let before = measure(&scene, &base, None).figures;
    assert_eq!((before.gone, before.questions), (0, 3));
    let listed = scene.store.list_documents(
        scene.project_id(),
        &base.id,
        Default::default(),
        PageRequest::default(),
    );
    let documents = listed.unwrap().items;
    let delivery = documents.iter().find(|it| it.title == "Livraison").unwrap();
    scene.store.delete_document(scene.project_id(), &delivery.id).unwrap();

    let run = measure(&scene, &base, Some(&Clerk(0.into())));
    assert_eq!((run.figures.gone, run.figures.questions), (1, 3));
    let gone: Vec<_> = run.results.iter().map(|it| (it.is_gone(), it.gone.len())).collect();
    assert_eq!(gone, [(false, 0), (true, 1), (false, 1)], "what is left of the last one measures");
    let means = [run.figures.recall_at_k, run.figures.ndcg_at_10, run.figures.mrr];
    assert!(means.iter().all(|mean| (mean - 1.0).abs() < 1e-9), "{means:?}");
    assert_eq!(run.figures.refused_wrongly, Some(0.0));
    assert_eq!(scene.store.bench_runs(scene.project_id(), &base.id).unwrap()[0], run);
}
