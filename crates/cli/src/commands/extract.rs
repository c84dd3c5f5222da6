//! `ancre extract`

use std::path::PathBuf;

use ancre_app::ReadOptions;
use ancre_app::operations::rag;
use ancre_app::wire::{ArchiveEntry, FilePreview, WireError};
use ancre_domain::{Heading, Language, PageKind, TextPage, Warning};
use serde::Serialize;

use crate::arguments::ExtractArguments;
use crate::output::{Outcome, line, note_warnings, print_json, print_table};
use crate::session;

/// What was read, as scripts get it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Extracted {
    text: String,
    title: String,
    mime: String,
    /// Empty where the format has no pages.
    pages: Vec<TextPage>,
    page_kind: Option<PageKind>,
    outline: Vec<Heading>,
    language: Option<Language>,
    encoding: Option<String>,
    warnings: Vec<Warning>,
    /// `null` for what is no archive.
    entries: Option<Vec<ArchiveEntry>>,
}

/// The data folder is only looked at, never made.
pub(crate) fn run(
    arguments: ExtractArguments,
    data: Option<PathBuf>,
    json: bool,
) -> Result<Outcome, WireError> {
    let ExtractArguments { path, password, recognise, entry } = arguments;
    let reader = session::reader(&session::data_folder(data).unwrap_or_default());
    let options =
        ReadOptions { password: password.as_deref(), recognise, ..ReadOptions::default() };
    let preview = rag::read_preview(reader.reader(), &path, entry.as_deref(), options)?;
    if json {
        print_json(&Extracted::from(preview));
        return Ok(Outcome::Done);
    }
    match &preview.entries {
        Some(entries) => print_entries(entries),
        None => line!("{}", preview.text),
    }
    note_warnings(&preview.warnings);
    Ok(Outcome::Done)
}

fn print_entries(entries: &[ArchiveEntry]) {
    let mut rows = vec![["BYTES", "READ", "NAME"].map(str::to_owned).to_vec()];
    rows.extend(entries.iter().map(|entry| {
        let is_read = if entry.is_supported { "yes" } else { "no" };
        vec![entry.byte_count.to_string(), is_read.to_owned(), entry.name.clone()]
    }));
    print_table(&rows);
}

impl From<FilePreview> for Extracted {
    fn from(preview: FilePreview) -> Self {
        let (page_kind, pages) = match preview.pagination {
            Some(pagination) => (Some(pagination.kind), pagination.pages),
            None => (None, Vec::new()),
        };
        Self {
            text: preview.text,
            title: preview.title,
            mime: preview.mime,
            pages,
            page_kind,
            outline: preview.outline,
            language: preview.language,
            encoding: preview.encoding,
            warnings: preview.warnings,
            entries: preview.entries,
        }
    }
}
