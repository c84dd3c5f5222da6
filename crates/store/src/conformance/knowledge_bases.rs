//! Knowledge bases.

use ancre_domain::{DocumentCounts, DocumentFailure, ErrorCode};

use super::Subject;
use super::scene::{Scene, Told, details, new_base, refused};
use crate::StoreError;

/// Names are compared without regard to case, accents included, nor to the shape of an apostrophe or
/// to what cannot be seen.
pub fn a_base_name_is_taken_whatever_its_case(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("Équipe Étoile")?;
    refused!(scene.base("éQUIPE éTOILE"), StoreError::NameTaken { .. });
    let help = scene.base("Centre d’aide")?;
    for alike in ["Centre d'aide", "Centre\u{200b} d’aide", "centre  d‘aide"] {
        refused!(scene.base(alike), StoreError::NameTaken { .. });
        let found = scene.store().find_knowledge_base(&scene.project, alike)?;
        assert_eq!(found.as_ref(), Some(&help), "{alike}");
    }
    let found = scene.store().find_knowledge_base(&scene.project, "ÉQUIPE ÉTOILE")?;
    assert_eq!(found.as_ref(), Some(&kb));
    assert_eq!(scene.store().find_knowledge_base(&scene.project, "Equipe Etoile")?, None);

    let elsewhere = new_base(&scene.subject.other_project, "équipe étoile");
    scene.store().create_knowledge_base(&elsewhere, scene.now())?;
    Ok(())
}

/// The refusal names the agents; once they are gone, the base can go.
pub fn a_base_in_use_cannot_be_deleted(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let ready = scene.ready(&kb, "délais", &[0.0])?;
    let assigned = details("Zoé", vec![kb.id.clone()]);
    let agent = scene.store().create_agent(&scene.project, &assigned, scene.now())?;

    let refusal = scene.store().delete_knowledge_base(&scene.project, &kb.id, scene.now());
    assert!(
        matches!(&refusal, Err(StoreError::KnowledgeBaseInUse { agents }) if agents == &["Zoé"]),
        "{refusal:?}"
    );
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["délais"], "nothing was taken away");
    assert_eq!(scene.store().chunks(&scene.project, &ready.id)?.len(), 1);

    scene.store().delete_agent(&scene.project, &agent.id)?;
    scene.store().delete_knowledge_base(&scene.project, &kb.id, scene.now()).map(|_| ())
}

/// Documents, chunks and vectors go with the base; the library stays; the name is free again.
pub fn a_deleted_base_leaves_its_sources(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "délais", &[0.0, 90.0])?;
    scene.store().delete_knowledge_base(&scene.project, &kb.id, scene.now())?;

    refused!(scene.store().knowledge_base(&scene.project, &kb.id), StoreError::NotFound { .. });
    refused!(scene.store().document(&scene.project, &document.id), StoreError::NotFound { .. });
    refused!(scene.found(&kb.id, 0.0, 6), StoreError::NotFound { .. });
    assert_eq!(scene.store().source_text(&scene.project, &document.source_id)?, "délais");

    let again = scene.base("FAQ")?;
    assert_eq!(scene.found(&again.id, 0.0, 6)?, [""; 0], "the new one begins empty");
    Ok(())
}

/// A list shows every base, empty ones too, with what stands where.
pub fn bases_are_listed_by_name_with_their_counts(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let full = scene.base("pleine")?;
    scene.base("Vide")?;
    scene.base("Autre")?;
    scene.queued(&full, "attend")?;
    scene.ready(&full, "prêt", &[0.0, 10.0])?;
    scene.indexing(&full, "en cours", &[0.0])?;
    let failed = scene.queued(&full, "cassé")?;
    let failure = DocumentFailure { code: ErrorCode::Empty, message: "No text.".to_owned() };
    scene.store().fail_document(&failed.id, &failure)?;

    let list = scene.store().list_knowledge_bases(&scene.project)?;
    let names: Vec<_> = list.iter().map(|listing| listing.knowledge_base.name.as_str()).collect();
    assert_eq!(names, ["Autre", "pleine", "Vide"]);
    let counts = DocumentCounts { queued: 1, indexing: 1, ready: 1, error: 1, chunks: 2 };
    assert_eq!(list[1].counts, counts);
    assert_eq!(list[2].counts, DocumentCounts::default());
    assert_eq!(scene.store().document_counts(&scene.project, &full.id)?, counts);
    Ok(())
}

/// Another project can neither see nor delete a base, nor list what is in it.
pub fn a_base_is_invisible_to_other_projects(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let other = &scene.subject.other_project;
    refused!(scene.store().knowledge_base(other, &kb.id), StoreError::NotFound { .. });
    refused!(scene.store().document_counts(other, &kb.id), StoreError::NotFound { .. });
    refused!(
        scene.store().delete_knowledge_base(other, &kb.id, scene.now()),
        StoreError::NotFound { .. }
    );
    assert_eq!(scene.store().find_knowledge_base(other, "FAQ")?, None);
    assert_eq!(scene.store().list_knowledge_bases(other)?, []);
    assert_eq!(scene.store().knowledge_base(&scene.project, &kb.id)?, kb);
    Ok(())
}
