//! `ancre source`

use ancre_app::operations::rag;
use ancre_app::wire::{
    AttachSource, DocumentRef, ListSources, Nothing, Password, RenameSource, ReplaceSource,
    SourceRef, SourceText, WireError,
};
use ancre_domain::{PageRequest, SourceSummary};

use super::ingest::{absolute, finish, print_progress, read_standard_input};
use crate::arguments::SourceCommand;
use crate::output::{Outcome, line, note_warnings, print_json, print_table};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: SourceCommand) -> Result<Outcome, WireError> {
    let on_progress = |progress| print_progress(&progress, session.json);
    match command {
        SourceCommand::List { query, kb, kind } => {
            list(session, query.as_deref(), kb.as_deref(), kind.map(Into::into))?;
        }
        SourceCommand::Show { source } => show(session, &source)?,
        SourceCommand::Rename { source, title } => {
            let source_id = session.source(&source)?;
            let renamed =
                rag::rename_source(&session.ancre, RenameSource { source_id, title }, &|_| ())?;
            if session.json {
                print_json(&renamed);
            } else {
                line!("it is called “{}” now", renamed.title);
            }
        }
        SourceCommand::Replace { source, path, password, recognise } => {
            let source_id = session.source(&source)?;
            let is_text = path.as_os_str() == "-";
            let input = ReplaceSource {
                source_id,
                text: is_text.then(read_standard_input).transpose()?,
                path: (!is_text).then(|| absolute(&path)).transpose()?,
                password: password.map(Password::from),
                recognise,
            };
            let report = rag::replace_source(&session.ancre, input, &on_progress)?;
            return finish(&report, session.json);
        }
        SourceCommand::Attach { source, kb } => {
            let source_id = session.source(&source)?;
            let kb_id = session.knowledge_base(&kb)?;
            let input = AttachSource { source_id, kb_id };
            let report = rag::attach_source(&session.ancre, input, &on_progress)?;
            return finish(&report, session.json);
        }
        SourceCommand::Detach { source, kb } => detach(session, &source, &kb)?,
        SourceCommand::Delete { source } => {
            let source_id = session.source(&source)?;
            let input = SourceRef { source_id };
            let gone = rag::get_source(&session.ancre, input.clone(), &|_| ())?;
            rag::delete_source(&session.ancre, input, &|_| ())?;
            if session.json {
                print_json(&Nothing {});
            } else {
                line!("deleted “{}”: {}; snapshots of it stay", gone.title, extent(&gone));
            }
        }
    }
    Ok(Outcome::Done)
}

fn list(
    session: &Session,
    query: Option<&str>,
    kb: Option<&str>,
    kind: Option<ancre_domain::SourceKind>,
) -> Result<(), WireError> {
    let kb_id = kb.map(|kb| session.knowledge_base(kb)).transpose()?;
    let mut sources: Vec<SourceSummary> = Vec::new();
    loop {
        let page = PageRequest {
            offset: u32::try_from(sources.len()).unwrap_or(u32::MAX),
            limit: PageRequest::MAX_LIMIT,
        };
        let input =
            ListSources { query: query.map(str::to_owned), kb_id: kb_id.clone(), kind, page };
        let found = rag::list_sources(&session.ancre, input, &|_| ())?;
        let is_last =
            found.items.is_empty() || sources.len() + found.items.len() >= found.total as usize;
        sources.extend(found.items);
        if is_last {
            break;
        }
    }
    if session.json {
        print_json(&sources);
        return Ok(());
    }
    let mut rows = vec![["TITLE", "KIND", "VERSION", "BASES", "ID"].map(str::to_owned).to_vec()];
    rows.extend(sources.iter().map(|source| {
        let bases: Vec<&str> = source.attachments.iter().map(|it| it.kb_name.as_str()).collect();
        vec![
            source.title.clone(),
            source.kind.as_str().to_owned(),
            source.version.to_string(),
            bases.join(", "),
            source.id.to_string(),
        ]
    }));
    print_table(&rows);
    Ok(())
}

fn show(session: &Session, name: &str) -> Result<(), WireError> {
    let input = SourceRef { source_id: session.source(name)? };
    let read: SourceText = rag::read_source(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&read);
        return Ok(());
    }
    let source = &read.source;
    line!("{} ({})", source.title, source.id);
    line!(
        "{}, {} bytes, {} characters, version {}",
        source.mime,
        source.byte_count,
        source.char_count,
        source.version
    );
    if let Some(uri) = &source.uri {
        line!("{uri}");
    }
    note_warnings(&source.warnings);
    if !source.attachments.is_empty() {
        let heading = ["BASE", "STATUS", "CHUNKS", ""].map(str::to_owned).to_vec();
        let mut rows = vec![heading];
        rows.extend(source.attachments.iter().map(|it| {
            let off = if it.is_enabled { "" } else { "off" };
            vec![
                it.kb_name.clone(),
                it.status.as_str().to_owned(),
                it.chunk_count.to_string(),
                it.failure.as_ref().map_or(off, |failure| failure.message.as_str()).to_owned(),
            ]
        }));
        print_table(&rows);
    }
    line!("");
    line!("{}", read.text);
    Ok(())
}

fn detach(session: &Session, source: &str, kb: &str) -> Result<(), WireError> {
    let source_id = session.source(source)?;
    let kb_id = session.knowledge_base(kb)?;
    let shown = rag::get_source(&session.ancre, SourceRef { source_id }, &|_| ())?;
    let attachment = shown.attachments.iter().find(|it| it.kb_id == kb_id);
    let document_id = attachment.map(|it| it.document_id.clone()).ok_or_else(|| {
        crate::names::not_found("such source in this base", source, "ancre kb show")
    })?;
    rag::delete_document(&session.ancre, DocumentRef { document_id }, &|_| ())?;
    if session.json {
        print_json(&Nothing {});
    } else {
        line!("took “{}” out of “{kb}”; it stays in the library", shown.title);
    }
    Ok(())
}

/// What goes with a source.
fn extent(source: &SourceSummary) -> String {
    let chunks: u32 = source.attachments.iter().map(|it| it.chunk_count).sum();
    let bases: Vec<&str> = source.attachments.iter().map(|it| it.kb_name.as_str()).collect();
    if bases.is_empty() {
        "it was in no base".to_owned()
    } else {
        format!("{chunks} passages left {}", bases.join(", "))
    }
}
