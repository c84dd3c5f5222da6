//! Indexes that are built beside the one that serves.

use ancre_domain::{
    ChunkingSettings, Document, DocumentStatus, GenerationState, IndexGeneration, IndexHealth,
    KnowledgeBase,
};

use super::Subject;
use super::scene::{DIMENSION, Scene, Told, direction, new_base, refused};
use crate::StoreError;
use crate::traits::NewGeneration;

/// Its settings are the base's, and it grows with it.
pub fn a_new_base_serves_from_its_first_generation(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready(&kb, "délais", &[0.0, 10.0])?;
    let generations = scene.store().generations(&scene.project, &kb.id)?;
    let expected = IndexGeneration {
        number: 1,
        state: GenerationState::Serving,
        embedding_model_id: "angles".to_owned(),
        embedding_version: Some("1".to_owned()),
        embedding_dim: DIMENSION,
        chunking: kb.chunking,
        documents: 1,
        chunks: 2,
        created_at: kb.created_at,
        finished_at: Some(kb.created_at),
    };
    assert_eq!(generations, [expected]);
    assert_eq!(scene.store().index_health(&scene.project, &kb.id)?, IndexHealth::Ok);
    Ok(())
}

/// Another model, another dimension, other chunks: all of it changes in one step at the end.
pub fn the_old_index_serves_until_the_new_one_is_whole(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let first = scene.ready(&kb, "premier", &[0.0])?;
    let second = scene.ready(&kb, "second", &[10.0])?;
    let new = begin(&scene, &kb, 2)?;
    assert_eq!((new.number, new.state, new.documents), (2, GenerationState::Building, 0));
    let waiting = || scene.store().documents_to_build(&scene.project, &kb.id);
    assert_eq!(waiting()?, [first.id.clone(), second.id.clone()]);

    build(&scene, &first, 2, 2, 2)?;
    let third = scene.ready(&kb, "troisième", &[20.0])?;
    assert_eq!(waiting()?, [second.id.clone(), third.id.clone()]);
    let early = scene.store().switch_generation(&scene.project, &kb.id, scene.now());
    refused!(early, StoreError::GenerationIncomplete { missing: 2 });
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["premier", "second", "troisième"]);
    assert_eq!(scene.with_word(&kb.id, "premier")?, ["premier"]);
    assert_eq!(scene.store().document(&scene.project, &first.id)?.chunk_count, 1);

    build(&scene, &second, 2, 2, 1)?;
    build(&scene, &third, 2, 2, 1)?;
    assert_eq!(waiting()?, []);
    let at = scene.now();
    let serving = scene.store().switch_generation(&scene.project, &kb.id, at)?;
    assert_eq!((serving.number, serving.state), (2, GenerationState::Serving));
    assert_eq!((serving.documents, serving.chunks, serving.finished_at), (3, 4, Some(at)));

    let changed = scene.store().knowledge_base(&scene.project, &kb.id)?;
    assert_eq!((changed.embedding_model_id.as_str(), changed.embedding_dim), ("deux", 2));
    assert_eq!(changed.chunking, settings(2).chunking);
    assert_eq!(scene.store().document(&scene.project, &first.id)?.chunk_count, 2);
    assert_eq!(scene.store().chunks(&scene.project, &first.id)?.len(), 2);
    let hits = scene.store().nearest(&scene.project, &kb.id, &[1.0, 0.0], 6, None)?;
    assert_eq!(hits.len(), 4);
    let old = scene.store().nearest(&scene.project, &kb.id, &direction(0.0), 6, None);
    refused!(old, StoreError::WrongDimension { expected: 2, actual: 3 });
    assert_eq!(scene.with_word(&kb.id, "premier")?.len(), 2);
    assert_eq!(scene.store().index_health(&scene.project, &kb.id)?, IndexHealth::Ok);
    let states: Vec<_> = states(&scene, &kb)?;
    assert_eq!(states, [(1, GenerationState::Previous), (2, GenerationState::Serving)]);
    Ok(())
}

/// With the same settings the work goes on, by whichever store; with others it begins anew.
pub fn building_goes_on_where_it_stopped(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (first, second) = (scene.ready(&kb, "un", &[0.0])?, scene.ready(&kb, "deux", &[1.0])?);
    let begun = begin(&scene, &kb, 2)?;
    build(&scene, &first, 2, 2, 1)?;
    build(&scene, &first, 2, 2, 3)?;

    let neighbour = scene.neighbour()?;
    let again = neighbour.begin_generation(&scene.project, &kb.id, &settings(2), scene.now())?;
    assert_eq!((again.number, again.created_at), (begun.number, begun.created_at));
    assert_eq!((again.documents, again.chunks), (1, 3), "the last try of a document counts");
    assert_eq!(neighbour.documents_to_build(&scene.project, &kb.id)?, [second.id]);

    let other = begin(&scene, &kb, 4)?;
    assert_eq!((other.documents, other.chunks, other.embedding_dim), (0, 0, 4));
    assert_eq!(states(&scene, &kb)?.len(), 2, "the one with other settings went");
    Ok(())
}

/// The base is as it was, and nothing can be added any more.
pub fn a_cancelled_generation_leaves_nothing(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "un", &[0.0])?;
    scene.store().cancel_generation(&scene.project, &kb.id)?;
    let begun = begin(&scene, &kb, 2)?;
    build(&scene, &document, begun.number, 2, 1)?;
    scene.store().cancel_generation(&scene.project, &kb.id)?;

    assert_eq!(states(&scene, &kb)?, [(1, GenerationState::Serving)]);
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["un"]);
    let late = build(&scene, &document, begun.number, 2, 1);
    refused!(late, StoreError::NotFound { .. });
    let switched = scene.store().switch_generation(&scene.project, &kb.id, scene.now());
    refused!(switched, StoreError::NotFound { .. });
    let waiting = scene.store().documents_to_build(&scene.project, &kb.id);
    refused!(waiting, StoreError::NotFound { .. });
    Ok(())
}

/// Half a document, one of another length, one that is gone.
pub fn a_generation_takes_documents_whole_or_not_at_all(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "un", &[0.0])?;
    let gone = scene.ready(&kb, "parti", &[1.0])?;
    begin(&scene, &kb, DIMENSION)?;
    let (chunks, mut indexed) = scene.cut(&document.id, "un", &[&[0.0], &[1.0, 2.0]]);
    let add = |indexed: &[_]| {
        let (project, id) = (&scene.project, &document.id);
        scene.store().add_to_generation(project, id, 2, &chunks, indexed, scene.now())
    };
    refused!(add(&indexed[..1]), StoreError::Fault(_));
    let last = indexed[1].windows[1].split_off(1);
    refused!(add(&indexed), StoreError::WrongDimension { expected: 3, actual: 1 });
    indexed[1].windows[1].extend(last);
    assert_eq!(scene.store().documents_to_build(&scene.project, &kb.id)?.len(), 2);
    add(&indexed)?;

    scene.store().delete_document(&scene.project, &gone.id)?;
    build(&scene, &gone, 2, 3, 1)?;
    let serving = scene.store().switch_generation(&scene.project, &kb.id, scene.now())?;
    assert_eq!((serving.documents, serving.chunks), (1, 2));
    Ok(())
}

/// Its chunks were cut and embedded for an index that does not serve any more.
pub fn a_document_indexed_across_a_switch_is_indexed_again(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.store().begin_generation(&scene.project, &kb.id, &settings(3), scene.now())?;
    let (document, indexed) = scene.indexing(&kb, "en cours", &[0.0])?;
    scene.store().switch_generation(&scene.project, &kb.id, scene.now())?;
    let finished = scene.store().finish_document(&document.id, &indexed, scene.now());
    refused!(finished, StoreError::GenerationChanged);
    scene.store().release_document(&document.id)?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, [""; 0]);

    let (_, indexed) = scene.indexing(&kb, "en cours", &[0.0])?;
    scene.store().finish_document(&document.id, &indexed, scene.now())?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["en cours"]);
    scene.store().discard_generation(&scene.project, &kb.id)?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["en cours"]);
    Ok(())
}

/// There and back again: what the one or the other never had waits, or is ready again.
pub fn the_previous_generation_comes_back(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let old = scene.ready(&kb, "ancien", &[0.0])?;
    begin(&scene, &kb, 2)?;
    build(&scene, &old, 2, 2, 5)?;
    let restore = || scene.store().restore_generation(&scene.project, &kb.id, scene.now());
    refused!(restore(), StoreError::NotFound { .. });
    scene.store().switch_generation(&scene.project, &kb.id, scene.now())?;
    let changed = scene.store().knowledge_base(&scene.project, &kb.id)?;
    let late = scene.queued(&kb, "récent")?;
    scene.store().claim_document(&scene.project, &late.id)?;
    let (chunks, indexed) = cut(&scene, &late, 2, 1);
    scene.store().store_chunks(&late.id, &chunks)?;
    scene.store().finish_document(&late.id, &indexed, scene.now())?;

    assert_eq!(restore()?.number, 1);
    assert_eq!(scene.store().knowledge_base(&scene.project, &kb.id)?, kb);
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["ancien"]);
    assert_eq!(scene.store().document(&scene.project, &old.id)?.chunk_count, 1);
    let waiting = scene.store().document(&scene.project, &late.id)?;
    assert_eq!((waiting.status, waiting.chunk_count), (DocumentStatus::Queued, 0));

    assert_eq!(restore()?.number, 2);
    assert_eq!(scene.store().knowledge_base(&scene.project, &kb.id)?, changed);
    let ready = scene.store().document(&scene.project, &late.id)?;
    assert_eq!((ready.status, ready.chunk_count), (DocumentStatus::Ready, 1));
    let hits = scene.store().nearest(&scene.project, &kb.id, &[1.0, 0.0], 9, None)?;
    assert_eq!(hits.len(), 6);

    scene.store().discard_generation(&scene.project, &kb.id)?;
    refused!(restore(), StoreError::NotFound { .. });
    assert_eq!(states(&scene, &kb)?, [(2, GenerationState::Serving)]);
    let next = begin(&scene, &kb, 3)?;
    assert_eq!(next.number, 3, "numbers are not used twice");
    Ok(())
}

/// From the one that serves, the one before and the one to come; the others stay sound.
pub fn a_deleted_document_leaves_every_generation(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (stays, goes) = (scene.ready(&kb, "reste", &[0.0])?, scene.ready(&kb, "part", &[1.0])?);
    for number in [2, 3] {
        begin(&scene, &kb, number)?;
        for document in [&stays, &goes] {
            build(&scene, document, number, number, 2)?;
        }
        if number == 2 {
            scene.store().switch_generation(&scene.project, &kb.id, scene.now())?;
        }
    }
    scene.store().delete_document(&scene.project, &goes.id)?;
    let generations = scene.store().generations(&scene.project, &kb.id)?;
    let held: Vec<_> = generations.iter().map(|it| (it.documents, it.chunks)).collect();
    assert_eq!(held, [(1, 1), (1, 2), (1, 2)]);
    scene.store().switch_generation(&scene.project, &kb.id, scene.now())?;
    assert_eq!(scene.with_word(&kb.id, "part")?, [""; 0]);
    assert_eq!(scene.with_word(&kb.id, "reste")?.len(), 2);
    Ok(())
}

/// And a base of the same name can be made again.
pub fn a_base_leaves_with_all_its_generations(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "un", &[0.0])?;
    begin(&scene, &kb, 2)?;
    build(&scene, &document, 2, 2, 1)?;
    scene.store().switch_generation(&scene.project, &kb.id, scene.now())?;
    begin(&scene, &kb, 3)?;
    scene.store().delete_knowledge_base(&scene.project, &kb.id, scene.now())?;
    let generations = scene.store().generations(&scene.project, &kb.id);
    refused!(generations, StoreError::NotFound { .. });
    let again = scene.base("FAQ")?;
    assert_eq!(scene.found(&again.id, 0.0, 6)?, [""; 0]);
    Ok(())
}

/// Not one of the calls crosses.
pub fn generations_are_invisible_to_other_projects(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "un", &[0.0])?;
    begin(&scene, &kb, 2)?;
    let (chunks, indexed) = cut(&scene, &document, 2, 1);
    let (store, other, now) = (scene.store(), &scene.subject.other_project, scene.now());
    store.create_knowledge_base(&new_base(other, "FAQ"), now)?;
    refused!(store.generations(other, &kb.id), StoreError::NotFound { .. });
    refused!(store.index_health(other, &kb.id), StoreError::NotFound { .. });
    let begun = store.begin_generation(other, &kb.id, &settings(2), now);
    refused!(begun, StoreError::NotFound { .. });
    refused!(store.documents_to_build(other, &kb.id), StoreError::NotFound { .. });
    let added = store.add_to_generation(other, &document.id, 2, &chunks, &indexed, now);
    refused!(added, StoreError::NotFound { .. });
    refused!(store.switch_generation(other, &kb.id, now), StoreError::NotFound { .. });
    refused!(store.cancel_generation(other, &kb.id), StoreError::NotFound { .. });
    refused!(store.restore_generation(other, &kb.id, now), StoreError::NotFound { .. });
    refused!(store.discard_generation(other, &kb.id), StoreError::NotFound { .. });
    refused!(store.chunks_without_words(other, &kb.id, 9), StoreError::NotFound { .. });
    refused!(store.add_words(other, &kb.id, &[]), StoreError::NotFound { .. });
    assert_eq!(states(&scene, &kb)?.len(), 2);
    Ok(())
}

/// A model whose vectors have so many numbers.
fn settings(dimension: u32) -> NewGeneration {
    NewGeneration {
        embedding_model_id: "deux".to_owned(),
        embedding_version: Some("2".to_owned()),
        embedding_dim: dimension,
        chunking: ChunkingSettings { size: 500, overlap: 50 },
    }
}

fn begin(scene: &Scene, kb: &KnowledgeBase, dimension: u32) -> Result<IndexGeneration, StoreError> {
    scene.store().begin_generation(&scene.project, &kb.id, &settings(dimension), scene.now())
}

/// Chunks of two windows each, as a model of that dimension sees them.
fn cut(
    scene: &Scene,
    document: &Document,
    dimension: u32,
    chunks: usize,
) -> (Vec<crate::traits::NewChunk>, Vec<crate::traits::IndexedChunk>) {
    let text = document.title.trim_start_matches("Titre de ");
    let angles: &[f32] = &[0.0, 0.0];
    let (chunks, mut indexed) = scene.cut(&document.id, text, &vec![angles; chunks]);
    for window in indexed.iter_mut().flat_map(|chunk| &mut chunk.windows) {
        window.resize(dimension as usize, 0.0);
    }
    (chunks, indexed)
}

fn build(scene: &Scene, document: &Document, number: u32, dimension: u32, chunks: usize) -> Told {
    let (chunks, indexed) = cut(scene, document, dimension, chunks);
    let (project, id) = (&scene.project, &document.id);
    scene.store().add_to_generation(project, id, number, &chunks, &indexed, scene.now())
}

fn states(scene: &Scene, kb: &KnowledgeBase) -> Result<Vec<(u32, GenerationState)>, StoreError> {
    let generations = scene.store().generations(&scene.project, &kb.id)?;
    Ok(generations.iter().map(|it| (it.number, it.state)).collect())
}
