//! The life of a document.

use ancre_domain::{DocumentFailure, DocumentStatus, ErrorCode, PageRequest, Warning};

use super::Subject;
use super::scene::{Scene, Told, indexed, new_base, new_source, refused};
use crate::StoreError;
use crate::traits::{DocumentFilter, IndexedChunk, NewSource};

/// Queued, indexing, ready: each step shows what it should and no more.
pub fn a_document_lives_from_queued_to_ready(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let queued = scene.queued(&kb, "délais")?;
    assert_eq!(queued.status, DocumentStatus::Queued);
    assert_eq!(queued.char_count, 6);
    assert_eq!(scene.store().document(&scene.project, &queued.id)?, queued);
    assert_eq!(scene.store().queued_documents()?, [(scene.project.clone(), queued.id.clone())]);

    let claimed = scene.store().claim_document(&scene.project, &queued.id)?;
    assert_eq!(claimed.map(|document| document.status), Some(DocumentStatus::Indexing));
    assert_eq!(scene.store().queued_documents()?, []);

    let chunk = scene.chunk(&queued.id, "délais", 0);
    scene.store().store_chunks(&queued.id, std::slice::from_ref(&chunk))?;
    assert_eq!(scene.store().document(&scene.project, &queued.id)?.chunk_count, 0);

    let embedded = IndexedChunk { tokens_outside_window: 42, ..indexed(&chunk, &[0.0]) };
    let at = scene.now();
    let ready = scene.store().finish_document(&queued.id, &[embedded], at)?;
    assert_eq!((ready.status, ready.chunk_count), (DocumentStatus::Ready, 1));
    assert_eq!(ready.ingested_at, Some(at));
    let kept = scene.store().chunks(&scene.project, &queued.id)?;
    assert_eq!(kept, [ancre_domain::Chunk { tokens_outside_window: 42, ..chunk }]);
    assert_eq!(scene.store().claim_document(&scene.project, &queued.id)?, None, "it is ready");
    Ok(())
}

/// The second attachment changes nothing; in another base it is another document.
pub fn a_source_is_attached_once(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (kb, other_kb) = (scene.base("FAQ")?, scene.base("Interne")?);
    let source = scene.source("délais")?;
    let attach = |kb| scene.store().attach_source(&scene.project, kb, &source.id, scene.now());
    let (first, was_attached) = attach(&kb.id)?;
    assert!(!was_attached);
    assert_eq!(attach(&kb.id)?, (first.clone(), true));
    let (elsewhere, was_attached) = attach(&other_kb.id)?;
    assert!(!was_attached);
    assert_ne!(elsewhere.id, first.id);
    Ok(())
}

/// Neither a foreign source nor a foreign base can be named.
pub fn a_source_of_another_project_cannot_be_attached(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let other = &scene.subject.other_project;
    let kb = scene.base("FAQ")?;
    let source = scene.source("délais")?;
    let foreign_kb = scene.store().create_knowledge_base(&new_base(other, "FAQ"), scene.now())?;
    let foreign_source =
        scene.store().store_source(&new_source(other, "secret"), scene.now())?.source;
    for (project, kb, source) in [
        (&scene.project, &kb.id, &foreign_source.id),
        (&scene.project, &foreign_kb.id, &source.id),
        (other, &kb.id, &foreign_source.id),
        (other, &foreign_kb.id, &source.id),
    ] {
        let result = scene.store().attach_source(project, kb, source, scene.now());
        refused!(result, StoreError::NotFound { .. });
    }
    Ok(())
}

/// After an error there are no chunks and no hits, and the reason is kept.
pub fn an_error_leaves_nothing_behind(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (half, _) = scene.indexing(&kb, "à moitié", &[0.0, 10.0])?;
    let whole = scene.ready(&kb, "entier", &[0.0])?;
    let failure = DocumentFailure {
        code: ErrorCode::ModelFailed,
        message: "Le modèle s'est tu.".to_owned(),
    };
    for document in [half, whole] {
        let failed = scene.store().fail_document(&document.id, &failure)?;
        assert_eq!(failed.status, DocumentStatus::Error);
        assert_eq!(failed.failure.as_ref(), Some(&failure));
        assert_eq!((failed.chunk_count, failed.ingested_at), (0, None));
        assert_eq!(scene.store().chunks(&scene.project, &document.id)?, []);
    }
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, [""; 0]);
    Ok(())
}

/// A second try forgets the first one's reason.
pub fn a_document_in_error_can_be_tried_again(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.queued(&kb, "délais")?;
    let failure = DocumentFailure { code: ErrorCode::DiskFull, message: "Full.".to_owned() };
    scene.store().fail_document(&document.id, &failure)?;
    let Some(again) = scene.store().claim_document(&scene.project, &document.id)? else {
        panic!("a document in error can be claimed");
    };
    assert_eq!((again.status, again.failure), (DocumentStatus::Indexing, None));
    Ok(())
}

/// While a store has a document, nobody else may claim or write it, nor may it twice.
pub fn a_claimed_document_is_busy(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.queued(&kb, "délais")?;
    let neighbour = scene.neighbour()?;
    neighbour.claim_document(&scene.project, &document.id)?;

    let store = scene.store();
    refused!(store.claim_document(&scene.project, &document.id), StoreError::DocumentBusy);
    refused!(neighbour.claim_document(&scene.project, &document.id), StoreError::DocumentBusy);
    assert_eq!(store.release_abandoned_documents()?, [], "its claimant lives");
    let failure = DocumentFailure { code: ErrorCode::Internal, message: "No.".to_owned() };
    refused!(store.fail_document(&document.id, &failure), StoreError::DocumentBusy);
    let status = store.document(&scene.project, &document.id)?.status;
    assert_eq!(status, DocumentStatus::Indexing);
    Ok(())
}

/// What a closed store had begun can be taken over, or goes back to the queue without chunks.
pub fn a_claim_ends_with_its_store(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (taken, waiting) = (scene.queued(&kb, "repris")?, scene.queued(&kb, "en attente")?);
    let neighbour = scene.neighbour()?;
    for document in [&taken, &waiting] {
        neighbour.claim_document(&scene.project, &document.id)?;
        neighbour.store_chunks(&document.id, &[scene.chunk(&document.id, "x", 0)])?;
    }
    drop(neighbour);

    let over = scene.store().claim_document(&scene.project, &taken.id)?;
    assert!(over.is_some(), "its claimant is gone");
    assert_eq!(scene.store().chunks(&scene.project, &taken.id)?, []);
    assert_eq!(scene.store().release_abandoned_documents()?, std::slice::from_ref(&waiting.id));
    assert_eq!(scene.store().chunks(&scene.project, &waiting.id)?, []);
    let status = scene.store().document(&scene.project, &waiting.id)?.status;
    assert_eq!(status, DocumentStatus::Queued);
    Ok(())
}

/// Writing needs a claim of one's own, and a document that is still there.
pub fn only_the_claimant_writes_a_document(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (document, embedded) = scene.indexing(&kb, "délais", &[0.0])?;
    let intruder = scene.neighbour()?;
    let chunk = scene.chunk(&document.id, "intrus", 0);
    refused!(intruder.store_chunks(&document.id, &[chunk]), StoreError::DocumentBusy);
    let finished = intruder.finish_document(&document.id, &embedded, scene.now());
    refused!(finished, StoreError::DocumentBusy);
    refused!(intruder.release_document(&document.id), StoreError::DocumentBusy);

    let unclaimed = scene.queued(&kb, "sans maître")?;
    let chunk = scene.chunk(&unclaimed.id, "x", 0);
    refused!(scene.store().store_chunks(&unclaimed.id, &[chunk]), StoreError::Fault(_));

    intruder.delete_document(&scene.project, &document.id)?;
    let finished = scene.store().finish_document(&document.id, &embedded, scene.now());
    refused!(finished, StoreError::NotFound { .. });
    Ok(())
}

/// Vectors for other chunks, for too few or of another length make nothing ready.
pub fn a_document_is_whole_or_not_ready(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (document, embedded) = scene.indexing(&kb, "délais", &[0.0, 10.0])?;
    let (_, foreign) = scene.indexing(&kb, "autre", &[0.0])?;
    let finish = |chunks: &[_]| scene.store().finish_document(&document.id, chunks, scene.now());

    refused!(finish(&embedded[..1]), StoreError::Fault(_));
    refused!(finish(&[embedded[0].clone(), foreign[0].clone()]), StoreError::Fault(_));
    refused!(finish(&[embedded[0].clone(), embedded[0].clone()]), StoreError::Fault(_));
    let mut long = embedded.clone();
    long[1].windows[0].push(0.0);
    refused!(finish(&long), StoreError::WrongDimension { expected: 3, actual: 4 });
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, [""; 0], "not one of them can be found");

    assert_eq!(finish(&embedded)?.chunk_count, 2);
    Ok(())
}

/// Work that was stopped begins again from the start.
pub fn a_released_document_waits_again(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (document, _) = scene.indexing(&kb, "délais", &[0.0])?;
    scene.store().release_document(&document.id)?;
    assert_eq!(scene.store().chunks(&scene.project, &document.id)?, []);
    let waiting = scene.store().queued_documents()?;
    assert_eq!(waiting, [(scene.project.clone(), document.id.clone())]);
    assert!(scene.neighbour()?.claim_document(&scene.project, &document.id)?.is_some());
    Ok(())
}

/// A document leaves with its chunks and vectors, and can be attached anew.
pub fn a_detached_document_leaves_its_source(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "délais", &[0.0, 10.0])?;
    scene.ready(&kb, "retours", &[20.0])?;
    let other = &scene.subject.other_project;
    refused!(scene.store().delete_document(other, &document.id), StoreError::NotFound { .. });

    scene.store().delete_document(&scene.project, &document.id)?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["retours"]);
    refused!(scene.store().chunks(&scene.project, &document.id), StoreError::NotFound { .. });
    assert_eq!(scene.store().source_text(&scene.project, &document.source_id)?, "délais");
    let (again, was_attached) =
        scene.store().attach_source(&scene.project, &kb.id, &document.source_id, scene.now())?;
    assert!(!was_attached && again.id != document.id);
    Ok(())
}

/// What was said of the reading comes with the document, and how much the model did not see.
pub fn a_document_shows_what_to_know_of_it(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let partial = Warning::Partial { pages: vec![3] };
    let new =
        NewSource { warnings: vec![partial.clone()], ..new_source(&scene.project, "abîmé") };
    let source = scene.store().store_source(&new, scene.now())?.source;
    let (queued, _) =
        scene.store().attach_source(&scene.project, &kb.id, &source.id, scene.now())?;
    assert_eq!(queued.warnings, std::slice::from_ref(&partial));

    let (document, mut embedded) = scene.indexing(&kb, "abîmé", &[0.0, 10.0])?;
    embedded[1].tokens_outside_window = 9;
    let ready = scene.store().finish_document(&document.id, &embedded, scene.now())?;
    let warnings = [partial.clone(), Warning::OutsideWindow { passages: 1, total: 2 }];
    assert_eq!(ready.warnings, warnings);
    let page = PageRequest { offset: 0, limit: 10 };
    let listed =
        scene.store().list_documents(&scene.project, &kb.id, DocumentFilter::default(), page)?;
    assert_eq!(listed.items[0].warnings, warnings);

    let failure = DocumentFailure { code: ErrorCode::ModelFailed, message: "No.".to_owned() };
    let failed = scene.store().fail_document(&document.id, &failure)?;
    assert_eq!(failed.warnings, [partial], "it has no passages any more");
    Ok(())
}

/// The place changes hands in one step, and only when the new document is whole.
pub fn a_document_is_searched_until_the_one_in_its_place_is_ready(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let old = scene.ready(&kb, "ancien", &[0.0])?;
    let source = scene.source("nouveau")?;
    let replace =
        |project, source| scene.store().attach_in_place_of(project, &old.id, source, scene.now());
    refused!(replace(&scene.subject.other_project, &source.id), StoreError::NotFound { .. });
    assert_eq!(replace(&scene.project, &old.source_id)?, (old.clone(), true), "it has it already");

    let (new, was_attached) = replace(&scene.project, &source.id)?;
    assert_eq!((was_attached, new.status), (false, DocumentStatus::Queued));
    let failure = DocumentFailure { code: ErrorCode::ModelFailed, message: "No.".to_owned() };
    scene.store().fail_document(&new.id, &failure)?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["ancien"], "a failure costs the old one nothing");

    let (again, embedded) = scene.indexing(&kb, "nouveau", &[0.0])?;
    assert_eq!(again.id, new.id);
    scene.store().finish_document(&new.id, &embedded, scene.now())?;
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["nouveau"]);
    refused!(scene.store().document(&scene.project, &old.id), StoreError::NotFound { .. });
    refused!(scene.store().source(&scene.project, &old.source_id), StoreError::NotFound { .. });
    Ok(())
}

/// A text that the base can show already need not be indexed again to take a place.
pub fn a_ready_document_takes_a_place_at_once(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let old = scene.ready(&kb, "ancien", &[0.0])?;
    let other = scene.ready(&kb, "autre", &[10.0])?;
    let (taken, was_attached) =
        scene.store().attach_in_place_of(&scene.project, &old.id, &other.source_id, scene.now())?;
    assert_eq!((taken, was_attached), (other, true));
    assert_eq!(scene.found(&kb.id, 0.0, 6)?, ["autre"]);
    Ok(())
}

/// Pages cover the list once, newest first, and know its length; 500 is the most.
pub fn documents_come_in_pages_newest_first(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let at = scene.now();
    let mut made = Vec::new();
    for number in 0..505 {
        // All in one millisecond: the order must not depend on the ids' random part.
        let new = new_source(&scene.project, &format!("texte {number}"));
        let source = scene.store().store_source(&new, at)?.source;
        made.push(scene.store().attach_source(&scene.project, &kb.id, &source.id, at)?.0.id);
    }
    made.reverse();
    let list = |filter, offset, limit| {
        let page = PageRequest { offset, limit };
        scene.store().list_documents(&scene.project, &kb.id, filter, page)
    };
    let ids = |page: ancre_domain::Page<ancre_domain::Document>| {
        page.items.into_iter().map(|document| document.id).collect::<Vec<_>>()
    };
    let everything = DocumentFilter::default();
    let first = list(everything, 0, u32::MAX)?;
    assert_eq!((first.items.len(), first.total), (500, 505));
    assert_eq!(ids(first), made[..500]);
    assert_eq!(ids(list(everything, 500, 100)?), made[500..]);
    assert_eq!(ids(list(everything, 900, 100)?), []);

    let failure = DocumentFailure { code: ErrorCode::Binary, message: "No text.".to_owned() };
    scene.store().fail_document(&made[3], &failure)?;
    let failed = list(DocumentFilter { status: Some(DocumentStatus::Error) }, 0, 10)?;
    assert_eq!(failed.total, 1);
    assert_eq!(ids(failed), [made[3].clone()]);
    Ok(())
}
