//! Chunks of several windows, chunks that are named, and what stands around them.

use ancre_domain::{Chunk, ChunkId, Hit, Language};

use super::Subject;
use super::scene::{Scene, Told, direction, new_base, refused};
use crate::StoreError;

/// The best window counts, whichever it is, and the chunk comes once.
pub fn a_chunk_is_as_near_as_its_best_window(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready_with_windows(&kb, "loin puis près", &[&[170.0, 90.0, 10.0]])?;
    scene.ready_with_windows(&kb, "partout", &[&[20.0, 20.0, 20.0, 20.0]])?;
    scene.ready_with_windows(&kb, "au milieu", &[&[30.0]])?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["loin puis près", "partout", "au milieu"]);
    assert_eq!(scene.found(&kb.id, 0.0, 2)?, ["loin puis près", "partout"]);
    assert_eq!(scene.found(&kb.id, 170.0, 1)?, ["loin puis près"]);
    let hits = scene.store().nearest(&scene.project, &kb.id, &direction(90.0), 1, None)?;
    assert!(hits[0].distance < 1e-6, "the middle window is right there");
    Ok(())
}

/// As many chunks as were asked for, though many more windows lie nearer.
pub fn every_k_is_answered_by_chunks_of_many_windows(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let many = [1.0_f32; 300];
    scene.ready_with_windows(&kb, "bavard", &[&many, &many])?;
    let angles: Vec<f32> = (0..40_u16).map(|at| 10.0 + f32::from(at)).collect();
    let chunks: Vec<Vec<f32>> = angles.iter().map(|angle| vec![*angle, *angle + 90.0]).collect();
    let chunks: Vec<&[f32]> = chunks.iter().map(Vec::as_slice).collect();
    scene.ready_with_windows(&kb, "bref", &chunks)?;
    for k in [0, 1, 2, 3, 6, 41, 42, 43, 5_000] {
        let hits = scene.store().nearest(&scene.project, &kb.id, &direction(0.0), k, None)?;
        assert_eq!(hits.len(), (k as usize).min(42), "k = {k}");
        let places: Vec<u32> = hits.iter().skip(2).map(|hit| hit.chunk.position).collect();
        assert!(places.is_sorted(), "nearest first for k = {k}: {places:?}");
        let talkative = hits.iter().filter(|hit| hit.chunk.content == "bavard").count();
        assert_eq!(talkative, hits.len().min(2), "each once for k = {k}");
    }
    Ok(())
}

/// Neither by meaning nor by words nor by name, until it is switched on again.
pub fn a_document_that_is_switched_off_is_not_found(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "ancien", &[0.0, 1.0])?;
    scene.ready(&kb, "actuel", &[80.0])?;
    assert!(document.is_enabled);
    let chunks = ids(&scene.store().chunks(&scene.project, &document.id)?);
    let switch = |is| scene.store().set_document_enabled(&scene.project, &document.id, is);

    let off = switch(false)?;
    assert!(!off.is_enabled && off.status == document.status && off.chunk_count == 2);
    assert_eq!(scene.store().document(&scene.project, &document.id)?, off);
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["actuel"]);
    assert_eq!(scene.found(&kb.id, 0.0, 5_000)?, ["actuel"]);
    assert_eq!(scene.with_word(&kb.id, "ancien")?, [""; 0]);
    assert_eq!(scene.store().hits(&scene.project, &kb.id, &chunks, None)?, []);

    assert_eq!(switch(true)?, document);
    assert_eq!(scene.found(&kb.id, 0.0, 1)?, ["ancien"]);
    assert_eq!(scene.with_word(&kb.id, "ancien")?.len(), 2);
    switch(false)?;
    let source = scene.source("nouvelle version")?;
    let place =
        scene.store().attach_in_place_of(&scene.project, &document.id, &source.id, scene.now())?;
    assert!(!place.0.is_enabled, "what takes its place is switched off as well");
    let other = &scene.subject.other_project;
    let crossing = scene.store().set_document_enabled(other, &document.id, false);
    refused!(crossing, StoreError::NotFound { .. });
    Ok(())
}

/// In the order asked for, as near as their best window is; what is gone is left out.
pub fn chunks_are_shown_with_their_real_distance(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready_with_windows(&kb, "x", &[&[180.0, 60.0], &[0.0], &[90.0, 120.0]])?;
    let mut wanted = ids(&scene.store().chunks(&scene.project, &document.id)?);
    wanted.reverse();
    wanted.insert(1, ChunkId::generate(scene.now()));
    let hits = |vector| scene.store().hits(&scene.project, &kb.id, &wanted, vector);

    let question = direction(0.0);
    let near = hits(Some(&question))?;
    assert_eq!(positions(&near), [2, 1, 0]);
    for (hit, expected) in near.iter().zip([1.0, 0.0, 0.5]) {
        assert!((hit.distance - expected).abs() < 1e-6, "{} is {expected}", hit.distance);
        assert!((hit.score + hit.distance - 1.0).abs() < 1e-9);
    }
    assert_eq!(near[0].language, Some(Language::Fr));
    let all = scene.store().nearest(&scene.project, &kb.id, &direction(0.0), 6, None)?;
    for hit in &near {
        assert!(all.contains(hit), "a search by vector says the same of it");
    }
    let unknown = hits(None)?;
    assert_eq!(positions(&unknown), [2, 1, 0]);
    assert!(unknown.iter().all(|hit| hit.distance >= 2.0), "as far as can be");
    refused!(hits(Some(&[1.0])), StoreError::WrongDimension { expected: 3, actual: 1 });
    Ok(())
}

/// Whatever ids are given, a base shows its own chunks only.
pub fn chunks_of_another_base_are_not_shown(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (public, internal) = (scene.base("Publique")?, scene.base("Interne")?);
    let secret = scene.ready(&internal, "secret", &[0.0])?;
    let chunks = ids(&scene.store().chunks(&scene.project, &secret.id)?);
    let vector = direction(0.0);
    assert_eq!(scene.store().hits(&scene.project, &public.id, &chunks, Some(&vector))?, []);
    let other = &scene.subject.other_project;
    let foreign = scene.store().create_knowledge_base(&new_base(other, "FAQ"), scene.now())?;
    assert_eq!(scene.store().hits(other, &foreign.id, &chunks, Some(&vector))?, []);
    let crossing = scene.store().hits(other, &internal.id, &chunks, Some(&vector));
    refused!(crossing, StoreError::NotFound { .. });
    let around = scene.store().neighbours(other, &chunks[0], 1, 1);
    refused!(around, StoreError::NotFound { .. });
    Ok(())
}

/// In order, from the document's first chunk to its last, and no farther.
pub fn a_passage_is_shown_with_what_stands_around_it(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready(&kb, "autre", &[0.0; 3])?;
    let document = scene.ready(&kb, "x", &[0.0; 5])?;
    let chunks = scene.store().chunks(&scene.project, &document.id)?;
    let around = |at: usize, before, after| {
        scene.store().neighbours(&scene.project, &chunks[at].id, before, after)
    };
    assert_eq!(around(2, 1, 1)?, chunks[1..4]);
    assert_eq!(around(2, 0, 0)?, chunks[2..3]);
    assert_eq!(around(0, 3, 1)?, chunks[..2]);
    assert_eq!(around(4, u32::MAX, u32::MAX)?, chunks);
    let absent = ChunkId::generate(scene.now());
    let nowhere = scene.store().neighbours(&scene.project, &absent, 1, 1);
    refused!(nowhere, StoreError::NotFound { .. });
    Ok(())
}

fn ids(chunks: &[Chunk]) -> Vec<ChunkId> {
    chunks.iter().map(|chunk| chunk.id.clone()).collect()
}

fn positions(hits: &[Hit]) -> Vec<u32> {
    hits.iter().map(|hit| hit.chunk.position).collect()
}
