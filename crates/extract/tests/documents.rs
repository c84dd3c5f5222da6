//! Real documents, each with what must be found in it: `documents.tsv`, whose header explains the
//! marks. One table, one test; every file that is not as it should be is listed. Read by workers,
//! as in the product: some of these files end the process that reads them.
#![allow(clippy::unwrap_used, clippy::panic)] // Tests may.

use std::path::{Path, PathBuf};

use ancre_domain::{ErrorCode, Explain as _, Pagination};
use ancre_extract::{
    ExtractError, Libraries, Parsed, ReadFile, ReadOptions, Reader, WORKER_ARGUMENT, WorkerCommand,
};
use unicode_normalization::UnicodeNormalization as _;

/// Narrows the table to the files whose names contain it, such as `.docx`.
const FILTER: &str = "ANCRE_DOCUMENTS";

#[test]
fn every_document_is_read_as_the_table_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let table = std::fs::read_to_string(folder.join("documents.tsv")).unwrap();
    let filter = std::env::var(FILTER).unwrap_or_default();
    let reader = reader();
    let mut failures = Vec::new();
    let mut count = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, name, expected, ..] = columns.as_slice() else { panic!("{line}") };
        if !name.contains(&filter) {
            continue;
        }
        count += 1;
        let read = read(&reader, &folder.join("documents").join(name), None);
        let complaint = match expected.strip_prefix("ERR:") {
            Some(kind) => wrong_error(&read, kind),
            None => wrong_text(&read, expected),
        };
        failures.extend(complaint.map(|complaint| format!("{name}: {complaint}")));
    }
    assert!(count > 0, "no document matches {filter:?}");
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_document_with_a_password_is_read_with_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let path = folder.join("pypdf__libreoffice-writer-password.pdf");
    let reader = reader();
    let parsed = read(&reader, &path, Some("openpassword")).unwrap();
    assert!(parsed.text.contains("Lorem ipsum dolor sit amet"), "{}", parsed.text);
    assert_eq!(read(&reader, &path, Some("wrong")), Err(ExtractError::WrongPassword));
}

fn read(reader: &Reader, path: &Path, password: Option<&str>) -> Result<Parsed, ExtractError> {
    match reader.read_path(path, ReadOptions { password, ..ReadOptions::default() })? {
        ReadFile::Document(file) => Ok(file.parsed),
        ReadFile::Archive(files) => panic!("{} is an archive of {}", path.display(), files.len()),
    }
}

fn wrong_error(read: &Result<Parsed, ExtractError>, expected: &str) -> Option<String> {
    let kind = expected.split_whitespace().next().unwrap_or_default();
    let allowed: &[ErrorCode] = match kind {
        "password" => &[ErrorCode::Password],
        "no-text-layer" => &[ErrorCode::NoTextLayer],
        "corrupt" => &[ErrorCode::Corrupt],
        "corrupt-or-empty" => &[ErrorCode::Corrupt, ErrorCode::Empty],
        "limit" => &[ErrorCode::TooLarge],
        "corrupt-or-limit" => &[ErrorCode::Corrupt, ErrorCode::TooLarge, ErrorCode::WorkerDied],
        _ => return Some(format!("the table expects an unknown error {kind}")),
    };
    match read {
        Err(error) if allowed.contains(&error.code()) => None,
        Err(error) => Some(format!("{error} ({:?}) instead of {kind}", error.code())),
        Ok(parsed) => Some(format!("{} characters instead of {kind}", parsed.text.len())),
    }
}

fn wrong_text(read: &Result<Parsed, ExtractError>, expected: &str) -> Option<String> {
    let may_fail = expected.contains("(or ERR:");
    let parsed = match read {
        Ok(parsed) => parsed,
        Err(error) if may_fail && error.code() == ErrorCode::Corrupt => return None,
        Err(error) => return Some(error.to_string()),
    };
    let expected = expected.split(" (or ERR:").next().unwrap_or_default();
    let missing: Vec<&str> =
        expected.split(" | ").filter(|phrase| !holds(parsed, phrase.trim())).collect();
    (!missing.is_empty()).then(|| format!("wants {missing:?}, has {}", shortened(&parsed.text)))
}

fn holds(parsed: &Parsed, phrase: &str) -> bool {
    if let Some(absent) = phrase.strip_prefix("NOT ") {
        return !compared(&parsed.text).contains(&compared(absent));
    }
    if let Some((first, second)) =
        phrase.strip_prefix("ORDER ").and_then(|it| it.split_once(" >> "))
    {
        let text = compared(&parsed.text);
        let places = (text.find(&compared(first)), text.find(&compared(second)));
        return matches!(places, (Some(first), Some(second)) if first < second);
    }
    if let Some((page, phrase)) = phrase.strip_prefix("@p").and_then(|it| it.split_once(' ')) {
        let Some(pagination) = &parsed.pagination else { return false };
        let page = page.parse().unwrap();
        return compared(&page_text(&parsed.text, pagination, page)).contains(&compared(phrase));
    }
    compared(&parsed.text).contains(&compared(phrase))
}

/// The text of every piece that has this number.
fn page_text(text: &str, pagination: &Pagination, number: u32) -> String {
    let mut found = String::new();
    for (at, page) in pagination.pages.iter().enumerate().filter(|(_, it)| it.number == number) {
        let end = pagination.pages.get(at + 1).map_or(u32::MAX, |next| next.start);
        let length = end.saturating_sub(page.start) as usize;
        found.extend(text.chars().skip(page.start as usize).take(length));
        found.push(' ');
    }
    found
}

/// As the table's header says: NFKC, lower case, single blanks, no marks of direction.
fn compared(text: &str) -> String {
    let is_mark = |it: &char| matches!(it, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let folded: String = text.nfkc().filter(|it| !is_mark(it)).collect::<String>().to_lowercase();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    format!("{:?}", text.chars().take(300).collect::<String>())
}

fn reader() -> Reader {
    let command = WorkerCommand {
        program: env!("CARGO_BIN_EXE_ancre-extract-worker").into(),
        arguments: vec![WORKER_ARGUMENT.to_owned()],
    };
    Reader::isolated(command, libraries())
}

/// What set-up installed in the clone.
fn libraries() -> Libraries {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let there = |path: PathBuf| path.exists().then_some(path);
    Libraries {
        pdfium: there(runtime.join("pdfium").join(libloading::library_filename("pdfium"))),
        tesseract: None,
        tessdata: None,
    }
}
