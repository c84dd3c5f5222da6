//! `ancre kb`

use ancre_app::operations::rag;
use ancre_app::wire::{
    CreateKnowledgeBase, KnowledgeBaseRef, KnowledgeBaseSummary, ListDocuments, Nothing,
    UpdateKnowledgeBase, WireError,
};
use ancre_domain::{Document, IndexHealth, KnowledgeBase};
use serde::Serialize;

use super::reindex;
use crate::arguments::KbCommand;
use crate::output::{Outcome, counted, line, note, note_warnings_of, print_json, print_table};
use crate::session::{Session, all};

pub(crate) fn run(session: &Session, command: KbCommand) -> Result<Outcome, WireError> {
    match command {
        KbCommand::Create { name, description, model, chunk_size, chunk_overlap } => {
            let input = CreateKnowledgeBase { name, description, model, chunk_size, chunk_overlap };
            let base = rag::create_knowledge_base(&session.ancre, input, &|_| ())?;
            if session.json {
                print_json(&base);
            } else {
                line!("made the base “{}” ({})", base.knowledge_base.name, base.knowledge_base.id);
            }
        }
        KbCommand::List => {
            let bases = rag::list_knowledge_bases(&session.ancre, Nothing {}, &|_| ())?;
            if session.json {
                print_json(&bases);
            } else {
                print_bases(&bases);
            }
        }
        KbCommand::Show { kb } => show(session, &kb)?,
        KbCommand::Reindex(arguments) => return reindex::run(session, arguments),
        KbCommand::Update { kb, name, description, chunk_size, chunk_overlap } => {
            let kb_id = session.knowledge_base(&kb)?;
            let before = KnowledgeBaseRef { kb_id: kb_id.clone() };
            let before = rag::get_knowledge_base(&session.ancre, before, &|_| ())?;
            let has_named_overlap = chunk_overlap.is_some();
            let input = UpdateKnowledgeBase { kb_id, name, description, chunk_size, chunk_overlap };
            let base = rag::update_knowledge_base(&session.ancre, input, &|_| ())?;
            if session.json {
                print_json(&base);
            } else {
                print_changes(&before.knowledge_base, &base.knowledge_base, has_named_overlap);
            }
        }
        KbCommand::Storage { compact } => storage(session, compact)?,
        KbCommand::Delete { kb } => {
            let kb_id = session.knowledge_base(&kb)?;
            rag::delete_knowledge_base(&session.ancre, KnowledgeBaseRef { kb_id }, &|_| ())?;
            if session.json {
                print_json(&Nothing {});
            } else {
                line!("deleted the base “{kb}”; its sources stay in the library");
            }
        }
    }
    Ok(Outcome::Done)
}

/// Says what a base was and what it is now, and when that is heeded.
fn print_changes(before: &KnowledgeBase, after: &KnowledgeBase, has_named_overlap: bool) {
    if (&before.name, &before.description, before.chunking)
        == (&after.name, &after.description, after.chunking)
    {
        line!("nothing of the base “{}” changed", after.name);
        return;
    }
    line!("changed the base “{}”", after.name);
    if before.name != after.name {
        line!("  name: “{}” → “{}”", before.name, after.name);
    }
    if before.description != after.description {
        line!("  description: “{}” → “{}”", before.description, after.description);
    }
    let (was, is) = (before.chunking, after.chunking);
    if was.size != is.size {
        line!("  characters per chunk: {} → {}", was.size, is.size);
    }
    if was.overlap != is.overlap {
        let reason =
            if has_named_overlap { "" } else { " (more than half a chunk cannot be shared)" };
        line!("  characters shared: {} → {}{reason}", was.overlap, is.overlap);
    }
    if was != is {
        line!("  this applies to what is indexed from now on");
        line!("  “ancre kb reindex '{}'” applies it to everything", after.name);
    }
}

fn storage(session: &Session, compact: bool) -> Result<(), WireError> {
    let report = if compact {
        rag::compact_storage(&session.ancre, Nothing {}, &|_| ())?
    } else {
        rag::get_storage(&session.ancre, Nothing {}, &|_| ())?
    };
    if session.json {
        print_json(&report);
        return Ok(());
    }
    let row = |name: &str, bytes: u64| vec![name.to_owned(), mebibytes(bytes)];
    print_table(&[
        row("database", report.database_bytes),
        row("can be given back", report.reclaimable_bytes),
        row("vectors kept to save work", report.cache_bytes),
        row("originals", report.originals_bytes),
    ]);
    Ok(())
}

fn mebibytes(bytes: u64) -> String {
    const MEBIBYTE: f64 = 1_048_576.0;
    format!("{:.1} MiB", bytes as f64 / MEBIBYTE)
}

/// A base with all its documents.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    base: KnowledgeBaseSummary,
    documents: Vec<Document>,
}

fn show(session: &Session, kb: &str) -> Result<(), WireError> {
    let kb_id = session.knowledge_base(kb)?;
    let base = KnowledgeBaseRef { kb_id: kb_id.clone() };
    let base = rag::get_knowledge_base(&session.ancre, base, &|_| ())?;
    let documents = all(|page| {
        let input = ListDocuments { kb_id: kb_id.clone(), status: None, page };
        rag::list_documents(&session.ancre, input, &|_| ())
    })?;
    if session.json {
        print_json(&Shown { base, documents });
        return Ok(());
    }
    let shown = &base.knowledge_base;
    line!("{} ({})", shown.name, shown.id);
    line!(
        "model {} ({}), chunks of {} sharing {}",
        shown.embedding_model_id,
        counted(shown.embedding_dim, "dimension"),
        counted(shown.chunking.size, "character"),
        shown.chunking.overlap
    );
    let index = &base.index;
    if let Some(trouble) = trouble(index.health) {
        note!("warning: {trouble}\n");
    }
    if index.is_outdated {
        line!("its index is outdated; “ancre kb reindex” makes a new one");
    }
    if let Some(building) = &index.building {
        line!("a new index is being built: {} so far", counted(building.documents, "document"));
    }
    if index.previous.is_some() {
        line!("its previous index is kept; “ancre kb reindex --restore” brings it back");
    }
    let mut rows = vec![["STATUS", "CHUNKS", "TITLE", "SOURCE"].map(str::to_owned).to_vec()];
    rows.extend(documents.iter().map(|document| {
        vec![
            if document.is_enabled { document.status.as_str() } else { "off" }.to_owned(),
            document.chunk_count.to_string(),
            document.title.clone(),
            match &document.failure {
                Some(failure) => failure.message.clone(),
                None => document.source_uri.clone().unwrap_or_default(),
            },
        ]
    }));
    print_table(&rows);
    for document in &documents {
        note_warnings_of(&document.title, &document.warnings);
    }
    Ok(())
}

/// What is wrong with an index, and what to do.
fn trouble(health: IndexHealth) -> Option<&'static str> {
    match health {
        IndexHealth::Ok => None,
        IndexHealth::Legacy => {
            Some("its vectors lie in a table with others’; “ancre kb reindex” gives it its own")
        }
        IndexHealth::VectorsMissing => {
            Some("its vectors are gone; “ancre kb reindex” makes them again")
        }
        IndexHealth::WrongDimension => {
            Some("its vectors do not fit its model; “ancre kb reindex” makes new ones")
        }
        IndexHealth::ChunksMissing => {
            Some("passages of it are gone; “ancre kb reindex” makes them again")
        }
        IndexHealth::ModelMissing => Some(
            "its model is not installed, so it is searched by words alone; install the model, or \
             “ancre kb reindex” with another",
        ),
        IndexHealth::NoTextIndex => {
            Some("its words are not all indexed: it is searched by meaning alone")
        }
    }
}

fn print_bases(bases: &[KnowledgeBaseSummary]) {
    if bases.is_empty() {
        line!("there are no bases yet; “ancre kb create NAME” makes one");
        return;
    }
    let heading = ["NAME", "DOCUMENTS", "CHUNKS", "IN ERROR", "ID"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(bases.iter().map(|base| {
        vec![
            base.knowledge_base.name.clone(),
            base.counts.ready.to_string(),
            base.counts.chunks.to_string(),
            base.counts.error.to_string(),
            base.knowledge_base.id.to_string(),
        ]
    }));
    print_table(&rows);
}
