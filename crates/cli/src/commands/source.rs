//! `ancre source`

use ancre_app::operations::rag;
use ancre_app::wire::{
    AttachSource, DocumentRef, ListSources, Nothing, Password, RenameSource, ReplaceSource,
    SetDocumentEnabled, SourceRef, SourceText, WireError,
};
use ancre_domain::SourceSummary;

use super::ingest::{absolute, finish, print_progress, read_standard_input};
use crate::arguments::{InBase, SourceCommand};
use crate::output::{Outcome, counted, line, lines, note_warnings, print_json, print_table};
use crate::session::{Session, all};

pub(crate) fn run(session: &Session, command: SourceCommand) -> Result<Outcome, WireError> {
    let on_progress = |progress| print_progress(&progress, session.json);
    match command {
        SourceCommand::List { query, kb, kind } => {
            list(session, query.as_deref(), kb.as_deref(), kind.map(Into::into))?;
        }
        SourceCommand::Show { source } => show(session, &source)?,
        SourceCommand::Rename { source, title } => {
            let source_id = session.source(&source)?.id;
            let renamed =
                rag::rename_source(&session.ancre, RenameSource { source_id, title }, &|_| ())?;
            if session.json {
                print_json(&renamed);
            } else {
                line!("it is called “{}” now", renamed.title);
            }
        }
        SourceCommand::Replace { source, path, password, recognise } => {
            let source_id = session.source(&source)?.id;
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
        SourceCommand::Attach(InBase { source, kb }) => {
            let source_id = session.source(&source)?.id;
            let kb_id = session.knowledge_base(&kb)?;
            let input = AttachSource { source_id, kb_id };
            let report = rag::attach_source(&session.ancre, input, &on_progress)?;
            return finish(&report, session.json);
        }
        SourceCommand::Detach(place) => detach(session, &place)?,
        SourceCommand::Enable(place) => switch(session, &place, true)?,
        SourceCommand::Disable(place) => switch(session, &place, false)?,
        SourceCommand::Retry(InBase { source, kb }) => {
            let document_id = session.attachment(&source, &kb)?.1.document_id;
            let input = DocumentRef { document_id };
            let report = rag::retry_document(&session.ancre, input, &on_progress)?;
            return finish(&report, session.json);
        }
        SourceCommand::Recognise(InBase { source, kb }) => {
            let document_id = session.attachment(&source, &kb)?.1.document_id;
            let input = DocumentRef { document_id };
            let report = rag::recognise_document(&session.ancre, input, &on_progress)?;
            return finish(&report, session.json);
        }
        SourceCommand::Delete { source } => {
            let gone = session.source(&source)?;
            let input = SourceRef { source_id: gone.id.clone() };
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
    let sources = all(|page| {
        let query = query.map(str::to_owned);
        let input = ListSources { query, kb_id: kb_id.clone(), kind, page };
        rag::list_sources(&session.ancre, input, &|_| ())
    })?;
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
    let input = SourceRef { source_id: session.source(name)?.id };
    let read: SourceText = rag::read_source(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&read);
        return Ok(());
    }
    let source = &read.source;
    line!("{} ({})", source.title, source.id);
    line!(
        "{}, {}, {}, version {}",
        source.mime,
        counted(source.byte_count, "byte"),
        counted(source.char_count, "character"),
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
    lines!("{}", read.text);
    Ok(())
}

fn detach(session: &Session, InBase { source, kb }: &InBase) -> Result<(), WireError> {
    let (shown, attachment) = session.attachment(source, kb)?;
    let input = DocumentRef { document_id: attachment.document_id };
    rag::delete_document(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&Nothing {});
    } else {
        line!("took “{}” out of “{}”; it stays in the library", shown.title, attachment.kb_name);
    }
    Ok(())
}

fn switch(
    session: &Session,
    InBase { source, kb }: &InBase,
    is_enabled: bool,
) -> Result<(), WireError> {
    let (_, attachment) = session.attachment(source, kb)?;
    let input = SetDocumentEnabled { document_id: attachment.document_id, is_enabled };
    let document = rag::set_document_enabled(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&document);
    } else {
        let found = if is_enabled { "is found again" } else { "is not found any more" };
        line!("“{}” {found} in “{}”", document.title, attachment.kb_name);
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
        format!("{} left {}", counted(chunks, "passage"), bases.join(", "))
    }
}
