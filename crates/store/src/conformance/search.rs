//! The search by vector.

use ancre_domain::{KnowledgeBaseId, SourceKind};

use super::Subject;
use super::scene::{Scene, Told, direction, new_base, refused};
use crate::StoreError;

/// What is queued, being indexed or in error is not found, however near it is.
pub fn a_search_sees_only_ready_documents(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, [""; 0], "an empty base is an empty list");
    scene.queued(&kb, "en attente")?;
    let (indexing, embedded) = scene.indexing(&kb, "en cours", &[0.0])?;
    scene.ready(&kb, "prêt", &[80.0])?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["prêt"]);

    scene.store().finish_document(&indexing.id, &embedded, scene.now())?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["en cours", "prêt"]);
    Ok(())
}

/// The same source in two bases is found once in each.
pub fn a_search_sees_only_its_own_base(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (public, internal) = (scene.base("Publique")?, scene.base("Interne")?);
    scene.ready(&public, "commun", &[0.0])?;
    scene.ready(&internal, "commun", &[0.0])?;
    scene.ready(&internal, "secret", &[0.0])?;
    assert_eq!(scene.found(&public.id, 0.0, 6)?, ["commun"]);
    assert_eq!(scene.found(&internal.id, 0.0, 6)?, ["commun", "secret"]);
    Ok(())
}

/// Whatever is asked, a base of another project or of none cannot be searched.
pub fn a_search_cannot_cross_projects(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready(&kb, "secret", &[0.0])?;
    let other = &scene.subject.other_project;
    scene.store().create_knowledge_base(&new_base(other, "FAQ"), scene.now())?;
    for k in [0, 6, 5_000] {
        let crossing = scene.store().nearest(other, &kb.id, &direction(0.0), k, None);
        refused!(crossing, StoreError::NotFound { .. });
    }
    let absent = KnowledgeBaseId::generate(scene.now());
    refused!(scene.found(&absent, 0.0, 6), StoreError::NotFound { .. });
    Ok(())
}

/// None, one, more than there are, and more than an index may like: no chunk twice, none missing.
pub fn every_k_is_answered(subject: Subject) -> Told {
    const CHUNKS: u16 = 5_050;
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let angles: Vec<f32> = (0..CHUNKS).map(|at| f32::from(at) * 0.03).collect();
    scene.ready(&kb, "x", &angles)?;
    for k in [0_u32, 1, 6, 4_095, 4_096, 4_097, 5_000, 5_050, 6_000, u32::MAX] {
        let hits = scene.store().nearest(&scene.project, &kb.id, &direction(0.0), k, None)?;
        let positions: Vec<u32> = hits.iter().map(|hit| hit.chunk.position).collect();
        let expected: Vec<u32> = (0..k.min(CHUNKS.into())).collect();
        assert_eq!(positions.len(), expected.len(), "k = {k}");
        let mut sorted = positions.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), positions.len(), "no chunk comes twice for k = {k}");
        assert!(
            hits.windows(2).all(|pair| pair[0].distance <= pair[1].distance),
            "nearest first for k = {k}"
        );
    }
    Ok(())
}

/// Also where only some of the equal ones fit, and whichever was indexed first.
pub fn of_equal_passages_the_older_comes_first(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (older, older_embedded) = scene.indexing(&kb, "ancien", &[30.0])?;
    let (newer, newer_embedded) = scene.indexing(&kb, "récent", &[30.0])?;
    scene.store().finish_document(&newer.id, &newer_embedded, scene.now())?;
    scene.store().finish_document(&older.id, &older_embedded, scene.now())?;
    scene.ready(&kb, "proche", &[1.0])?;
    assert_eq!(scene.found(&kb.id, 0.0, 3)?, ["proche", "ancien", "récent"]);
    assert_eq!(scene.found(&kb.id, 0.0, 2)?, ["proche", "ancien"]);
    assert_eq!(scene.found(&kb.id, 30.0, 1)?, ["ancien"]);
    Ok(())
}

/// `max_distance` is a cosine distance, and the limit itself is near enough.
pub fn far_passages_can_be_left_out(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready(&kb, "x", &[0.0, 60.0, 90.0, 180.0])?;
    let within = |limit| {
        let hits =
            scene.store().nearest(&scene.project, &kb.id, &direction(0.0), 6, Some(limit))?;
        Ok::<_, StoreError>(hits.iter().map(|hit| hit.distance).collect::<Vec<_>>())
    };
    let all = within(2.0)?;
    for (distance, expected) in all.iter().zip([0.0, 0.5, 1.0, 2.0]) {
        assert!((distance - expected).abs() < 1e-6, "1 - cos gives {expected}, not {distance}");
    }
    assert_eq!(all.len(), 4);
    assert_eq!(within(all[1])?, all[..2]);
    assert_eq!(within(0.4)?, all[..1]);
    assert_eq!(within(-0.1)?, [0.0; 0]);
    Ok(())
}

/// A question of another model is an error, not an empty answer.
pub fn a_vector_must_fit_its_base(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let short = scene.store().nearest(&scene.project, &kb.id, &[1.0, 0.0], 6, None);
    refused!(short, StoreError::WrongDimension { expected: 3, actual: 2 });
    Ok(())
}

/// Everything that a citation will need comes with the hit.
pub fn a_hit_says_where_it_is_from(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "délais", &[60.0])?;
    let mut hits = scene.store().nearest(&scene.project, &kb.id, &direction(0.0), 6, None)?;
    let Some(hit) = hits.pop() else { panic!("there is one") };
    assert_eq!([&hit.chunk], [&scene.store().chunks(&scene.project, &document.id)?[0]]);
    assert_eq!((&hit.kb_id, hit.kb_name.as_str()), (&kb.id, "FAQ"));
    assert_eq!(hit.source_id, document.source_id);
    assert_eq!(hit.document_title, "Titre de délais");
    assert_eq!(hit.source_uri.as_deref(), Some("/aide/délais.md"));
    assert_eq!(hit.source_kind, SourceKind::Upload);
    assert!((hit.score - 0.5).abs() < 1e-6, "the score is 1 - distance, not {}", hit.score);
    Ok(())
}
