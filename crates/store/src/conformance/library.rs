//! Projects, sources, settings.

use ancre_domain::{Heading, PageKind, Pagination, SourceId, TextPage, Warning};

use super::Subject;
use super::scene::{Scene, Told, new_source, refused};
use crate::StoreError;
use crate::traits::NewSource;

/// The second time the same text comes, it is there already, as it was.
pub fn the_same_text_is_stored_once(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let first = scene.store().store_source(&new_source(&scene.project, "délais"), scene.now())?;
    assert!(!first.was_there);

    let renamed = NewSource {
        title: "Autre titre".to_owned(),
        pagination: Some(two_slides()),
        warnings: vec![Warning::Partial { pages: vec![2] }],
        ..new_source(&scene.project, "délais")
    };
    let second = scene.store().store_source(&renamed, scene.now())?;
    assert!(second.was_there);
    assert_eq!(second.source, first.source, "the row was left as it was");

    let sha256 = &first.source.sha256;
    let found = scene.store().find_source(&scene.project, sha256)?;
    assert_eq!(found.as_ref(), Some(&first.source));

    let elsewhere = new_source(&scene.subject.other_project, "délais");
    let elsewhere = scene.store().store_source(&elsewhere, scene.now())?;
    assert!(!elsewhere.was_there, "each project has its own library");
    Ok(())
}

/// Text, original and every field read back as they were stored.
pub fn a_source_gives_its_text_and_bytes_back(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let outline = vec![Heading { level: 2, title: "Œuvres".to_owned(), start: 3 }];
    let latin1 = b"d\xe9lais\0".to_vec();
    let new = NewSource {
        bytes: Some(latin1.clone()),
        outline: outline.clone(),
        pagination: Some(two_slides()),
        warnings: vec![Warning::ScannedPages { pages: vec![2], total: 2 }],
        ..new_source(&scene.project, "délais")
    };
    let source = scene.store().store_source(&new, scene.now())?.source;
    assert_eq!((source.byte_count, source.char_count), (7, 6));
    assert_eq!(source.outline, outline);
    assert_eq!(source.pagination, Some(two_slides()));
    assert_eq!(source.warnings, [Warning::ScannedPages { pages: vec![2], total: 2 }]);
    assert!(source.has_original);
    assert_eq!(scene.store().source(&scene.project, &source.id)?, source);
    assert_eq!(scene.store().source_text(&scene.project, &source.id)?, "délais");
    assert_eq!(scene.store().source_bytes(&scene.project, &source.id)?, latin1);

    let pasted = scene.source("reçu")?;
    assert_eq!((pasted.byte_count, pasted.has_original), (5, false));
    assert_eq!(scene.store().source_bytes(&scene.project, &pasted.id)?, "reçu".as_bytes());
    Ok(())
}

fn two_slides() -> Pagination {
    let slide = |number, start| TextPage { number, label: Some(format!("« {number} »")), start };
    Pagination { kind: PageKind::Slide, pages: vec![slide(1, 0), slide(2, 3)] }
}

/// A source can be read from its own project only.
pub fn a_library_is_invisible_to_other_projects(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let source = scene.source("secret")?;
    let other = &scene.subject.other_project;
    refused!(scene.store().source(other, &source.id), StoreError::NotFound { .. });
    refused!(scene.store().source_text(other, &source.id), StoreError::NotFound { .. });
    refused!(scene.store().source_bytes(other, &source.id), StoreError::NotFound { .. });
    assert_eq!(scene.store().find_source(other, &source.sha256)?, None);

    let absent = SourceId::generate(scene.now());
    refused!(scene.store().source(&scene.project, &absent), StoreError::NotFound { .. });
    Ok(())
}

/// Whoever asks first, everybody gets the same default project.
pub fn the_first_project_is_made_once(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let again = scene.store().default_project(scene.now())?;
    let neighbours = scene.neighbour()?.default_project(scene.now())?;
    assert_eq!(again.id, scene.project);
    assert_eq!(neighbours, again);
    Ok(())
}

/// A setting has its last value; an unknown one has none.
pub fn a_setting_is_replaced(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    assert_eq!(scene.store().setting("language")?, None);
    scene.store().set_setting("language", "fr")?;
    scene.store().set_setting("language", "en")?;
    assert_eq!(scene.neighbour()?.setting("language")?.as_deref(), Some("en"));
    Ok(())
}
