//! What becomes of sources and bases: found, renamed, replaced, deleted.

use ancre_domain::{
    ChunkingSettings, DocumentStatus, PageRequest, ProjectId, SourceId, SourceKind, SourceSummary,
};

use super::Subject;
use super::scene::{Scene, Told, details, new_source, refused};
use crate::StoreError;
use crate::traits::{
    KnowledgeBaseChange, LexicalQuery, LexicalTerm, LexicalText, LexicalWeights, NewSource,
    SourceFilter,
};

/// The titles that a filter finds, newest first.
fn titles(scene: &Scene, filter: &SourceFilter) -> Result<Vec<String>, StoreError> {
    let page = scene.store().list_sources(&scene.project, filter, PageRequest::default())?;
    assert_eq!(page.total as usize, page.items.len(), "everything fits one page");
    Ok(page.items.into_iter().map(|source| source.title).collect())
}

fn words(words: &str) -> SourceFilter {
    SourceFilter { words: words.to_owned(), ..SourceFilter::default() }
}

fn titled(project: &ProjectId, title: &str) -> NewSource {
    NewSource { title: title.to_owned(), uri: None, ..new_source(project, title) }
}

/// Words are found in titles and places, whatever their case and accents; each has to be there.
pub fn a_library_is_found_by_words(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    for title in ["Délais de livraison", "Œuvres", "Retours"] {
        scene.store().store_source(&titled(&scene.project, title), scene.now())?;
    }
    let placed = NewSource {
        uri: Some("/aide/tarifs/2026.pdf".to_owned()),
        kind: SourceKind::Inline,
        ..titled(&scene.project, "Prix")
    };
    let placed = scene.store().store_source(&placed, scene.now())?.source;
    scene.store().attach_source(&scene.project, &kb.id, &placed.id, scene.now())?;

    let all = ["Prix", "Retours", "Œuvres", "Délais de livraison"];
    assert_eq!(titles(&scene, &words("  "))?, all, "newest first");
    assert_eq!(titles(&scene, &words("LIVRAISON delais"))?, ["Délais de livraison"]);
    assert_eq!(titles(&scene, &words("oeuv"))?, ["Œuvres"]);
    assert_eq!(titles(&scene, &words("tarifs"))?, ["Prix"], "where it came from counts");
    assert_eq!(titles(&scene, &words("délais retours"))?, [""; 0]);
    let of_kind = SourceFilter { kind: Some(SourceKind::Inline), ..SourceFilter::default() };
    assert_eq!(titles(&scene, &of_kind)?, ["Prix"]);
    let of_base = SourceFilter { kb: Some(kb.id.clone()), ..SourceFilter::default() };
    assert_eq!(titles(&scene, &of_base)?, ["Prix"]);

    let second = PageRequest { offset: 1, limit: 2 };
    let page = scene.store().list_sources(&scene.project, &words(""), second)?;
    let of_page: Vec<_> = page.items.iter().map(|source| source.title.as_str()).collect();
    assert_eq!((of_page.as_slice(), page.total), (&all[1..3], 4));

    let summary = scene.store().source_summary(&scene.project, &placed.id)?;
    assert_eq!((summary.version, summary.attachments.len()), (1, 1));
    let attachment = &summary.attachments[0];
    assert_eq!((attachment.kb_name.as_str(), attachment.is_enabled), ("FAQ", true));
    assert_eq!(attachment.status, DocumentStatus::Queued);
    Ok(())
}

/// What looks like a pattern or like SQL is a word; a base of another project is none.
pub fn a_filter_never_widens_what_a_project_sees(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let other = &scene.subject.other_project;
    let secret = scene.store().store_source(&titled(other, "Secret"), scene.now())?.source;
    let foreign = super::scene::new_base(other, "Ailleurs");
    let foreign = scene.store().create_knowledge_base(&foreign, scene.now())?;
    scene.store().attach_source(other, &foreign.id, &secret.id, scene.now())?;
    scene.source("délais")?;

    for pattern in ["%", "_", "*", "' OR 1=1 --", "\" OR \"\"=\"", "Secret"] {
        assert_eq!(titles(&scene, &words(pattern))?, [""; 0], "{pattern}");
    }
    assert_eq!(titles(&scene, &words(""))?, ["Titre de délais"]);
    let of_base = SourceFilter { kb: Some(foreign.id.clone()), ..SourceFilter::default() };
    refused!(titles(&scene, &of_base), StoreError::NotFound { .. });
    let project = &scene.project;
    refused!(scene.store().source_summary(project, &secret.id), StoreError::NotFound { .. });
    refused!(rename(&scene, &secret.id, "À nous"), StoreError::NotFound { .. });
    refused!(scene.store().delete_source(project, &secret.id), StoreError::NotFound { .. });
    let new = new_source(project, "nouveau");
    let replaced = scene.store().replace_source(project, &secret.id, &new, scene.now());
    refused!(replaced, StoreError::NotFound { .. });
    assert_eq!(scene.store().find_source(project, &new.sha256)?, None, "nothing was stored");
    Ok(())
}

fn rename(scene: &Scene, id: &SourceId, title: &str) -> Result<(), StoreError> {
    scene.store().rename_source(&scene.project, id, title, &|chunk, _| LexicalText {
        title: title.to_lowercase(),
        heading: String::new(),
        body: chunk.content.clone(),
    })
}

/// The list, each base and the search by words have the new title at once.
pub fn a_renamed_source_is_called_so_in_every_base(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (one, two) = (scene.base("une")?, scene.base("deux")?);
    let ready = scene.ready(&one, "délais", &[0.0])?;
    let (queued, _) =
        scene.store().attach_source(&scene.project, &two.id, &ready.source_id, scene.now())?;
    rename(&scene, &ready.source_id, "Expédition")?;

    let summary = scene.store().source_summary(&scene.project, &ready.source_id)?;
    assert_eq!(summary.title, "Expédition");
    for id in [&ready.id, &queued.id] {
        assert_eq!(scene.store().document(&scene.project, id)?.title, "Expédition");
    }
    let term = LexicalTerm { words: vec!["expédition".to_owned()], is_prefix: false };
    let weights = LexicalWeights { title: 1.0, heading: 1.0, body: 1.0 };
    let query = LexicalQuery { terms: vec![term] };
    let found = scene.store().lexical(&scene.project, &one.id, &query, weights, 6)?;
    assert_eq!(found.matches.len(), 1, "its words are those of the new title");
    Ok(())
}

/// Everything that was made of it goes; agents and other sources keep what they have.
pub fn a_deleted_source_leaves_every_base(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (one, two) = (scene.base("une")?, scene.base("deux")?);
    let first = scene.ready(&one, "délais", &[0.0])?;
    scene.ready(&one, "reste", &[90.0])?;
    let second = scene.ready(&two, "délais", &[0.0])?;
    assert_eq!(first.source_id, second.source_id, "one source, two documents");
    scene.store().create_agent(
        &scene.project,
        &details("Zoé", vec![one.id.clone()]),
        scene.now(),
    )?;

    let gone = scene.store().delete_source(&scene.project, &first.source_id)?;
    assert_eq!(gone.into_iter().map(|it| it.id).collect::<Vec<_>>(), [first.id, second.id]);
    refused!(scene.store().source(&scene.project, &first.source_id), StoreError::NotFound { .. });
    assert_eq!(scene.found(&one.id, 0.0, 6)?, ["reste"]);
    assert_eq!(scene.found(&two.id, 0.0, 6)?, [""; 0]);
    refused!(
        scene.store().delete_source(&scene.project, &first.source_id),
        StoreError::NotFound { .. }
    );
    Ok(())
}

fn all(scene: &Scene) -> Result<Vec<SourceSummary>, StoreError> {
    let page = PageRequest::default();
    Ok(scene.store().list_sources(&scene.project, &SourceFilter::default(), page)?.items)
}

/// One base may be served by the new version while another still answers from the old one.
pub fn a_new_version_takes_the_place_in_each_base_when_it_is_ready_there(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (one, two) = (scene.base("une")?, scene.base("deux")?);
    let old = scene.ready(&one, "ancien", &[0.0])?;
    scene.ready(&two, "ancien", &[0.0])?;
    let new = new_source(&scene.project, "nouveau");
    let replacement =
        scene.store().replace_source(&scene.project, &old.source_id, &new, scene.now())?;
    assert_eq!(replacement.documents.len(), 2);
    assert_eq!(scene.found(&one.id, 0.0, 6)?, ["ancien"], "until the new one is ready");

    scene.ready(&one, "nouveau", &[0.0])?;
    assert_eq!(scene.found(&one.id, 0.0, 6)?, ["nouveau"]);
    assert_eq!(scene.found(&two.id, 0.0, 6)?, ["ancien"]);
    assert_eq!(all(&scene)?.len(), 2, "the old version is still shown in a base");
    scene.ready(&two, "nouveau", &[0.0])?;
    assert_eq!(scene.found(&two.id, 0.0, 6)?, ["nouveau"]);
    let left = all(&scene)?;
    assert_eq!((left.len(), left[0].version), (1, 2), "the old one went with its last document");
    assert_eq!(left[0].id, replacement.source.id);
    Ok(())
}

/// There is nothing to wait for.
pub fn a_source_in_no_base_is_replaced_at_once(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let old = scene.source("ancien")?;
    let new = new_source(&scene.project, "nouveau");
    let replaced = scene.store().replace_source(&scene.project, &old.id, &new, scene.now())?;
    assert_eq!(replaced.documents, []);
    let left = all(&scene)?;
    assert_eq!((left.len(), &left[0].id, left[0].version), (1, &replaced.source.id, 2));
    Ok(())
}

/// A version that nobody ever searched is not waited for, whichever of the two is replaced.
pub fn a_later_version_overtakes_one_that_waits(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let store = scene.store();
    for replaces_the_waiting_one in [true, false] {
        let kb = scene.base(&format!("base {replaces_the_waiting_one}"))?;
        let text = |text: &str| format!("{text} {replaces_the_waiting_one}");
        let old = scene.ready(&kb, &text("un"), &[0.0])?;
        let second = new_source(&scene.project, &text("deux"));
        let second = store.replace_source(&scene.project, &old.source_id, &second, scene.now())?;
        let replaced = if replaces_the_waiting_one { &second.source.id } else { &old.source_id };
        let third = new_source(&scene.project, &text("trois"));
        store.replace_source(&scene.project, replaced, &third, scene.now())?;
        refused!(store.source(&scene.project, &second.source.id), StoreError::NotFound { .. });
        assert_eq!(scene.found(&kb.id, 0.0, 6)?, [text("un")]);
        scene.ready(&kb, &text("trois"), &[0.0])?;
        assert_eq!(scene.found(&kb.id, 0.0, 6)?, [text("trois")]);
        refused!(store.source(&scene.project, &old.source_id), StoreError::NotFound { .. });
    }
    Ok(())
}

/// Replacing a text by itself is a success that changes nothing.
pub fn the_same_text_is_no_new_version(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "délais", &[0.0])?;
    let same = new_source(&scene.project, "délais");
    let replaced =
        scene.store().replace_source(&scene.project, &document.source_id, &same, scene.now())?;
    assert_eq!((replaced.source.id, replaced.documents), (document.source_id.clone(), Vec::new()));
    assert_eq!(scene.store().document(&scene.project, &document.id)?, document);
    assert_eq!(all(&scene)?[0].version, 1);
    Ok(())
}

/// What is not said stays; a name that is taken is refused; another project sees nothing.
pub fn a_base_changes_its_settings(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.base("Autre")?;
    let change = |change| scene.store().update_knowledge_base(&scene.project, &kb.id, &change);
    let smaller = ChunkingSettings { size: 500, overlap: 50 };
    let changed =
        change(KnowledgeBaseChange { chunking: Some(smaller), ..KnowledgeBaseChange::default() })?;
    assert_eq!((changed.name.as_str(), changed.chunking), ("FAQ", smaller));
    let name = |name: &str| KnowledgeBaseChange {
        name: Some(name.to_owned()),
        ..KnowledgeBaseChange::default()
    };
    refused!(change(name("AUTRE")), StoreError::NameTaken { .. });
    assert_eq!(change(name("faq"))?.name, "faq", "its own name in other letters is free");
    let found = scene.store().find_knowledge_base(&scene.project, "FAQ")?;
    assert_eq!(found.map(|kb| kb.chunking), Some(smaller));
    let other = &scene.subject.other_project;
    let foreign = scene.store().update_knowledge_base(other, &kb.id, &name("x"));
    refused!(foreign, StoreError::NotFound { .. });
    Ok(())
}
