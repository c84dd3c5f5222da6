//! What a person or a script reads.

mod escaping;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use ancre_app::wire::WireError;
use ancre_domain::{ErrorCode, PageKind, Warning};
use serde::Serialize;

use self::escaping::escaped_json;
pub(crate) use self::escaping::{one_line, visible};

/// How a command that was carried out ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was done.
    Done,
    /// Some items failed.
    SomeFailed,
    /// It was broken off, and what was printed says why.
    Refused(ErrorCode),
}

impl Outcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Done => ExitCode::SUCCESS,
            Self::SomeFailed => ExitCode::from(1),
            Self::Refused(code) => exit_code_of(code),
        }
    }
}

/// 2 wrong usage, 4 not found, 3 any other refusal.
pub(crate) fn exit_code_of(code: ErrorCode) -> ExitCode {
    match code {
        ErrorCode::InvalidInput => ExitCode::from(2),
        ErrorCode::NotFound | ErrorCode::FileNotFound => ExitCode::from(4),
        _ => ExitCode::from(3),
    }
}

/// Whether something could not be written although somebody was there to read it.
static IS_INCOMPLETE: AtomicBool = AtomicBool::new(false);

/// Prints one line for a person, whatever stands in it: see [`one_line`].
macro_rules! line {
    ($($argument:tt)*) => {
        crate::output::write_line(&crate::output::one_line(&format!($($argument)*)))
    };
}

/// Prints a text that may have several lines: see [`visible`].
macro_rules! lines {
    ($($argument:tt)*) => {
        crate::output::write_line(&crate::output::visible(&format!($($argument)*)))
    };
}

/// Prints to standard error; when that fails there is nobody left to tell.
macro_rules! note {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let mut stderr = std::io::stderr().lock();
        let _ = write!(stderr, $($argument)*);
        let _ = stderr.flush();
    }};
}

pub(crate) use {line, lines, note};

/// Writes a line to standard output. Nobody has to read it: a closed pipe (`ancre … | head -1`)
/// stops no work and is no error; a full disk behind a redirection is one.
pub(crate) fn write_line(text: &str) {
    if let Err(error) = writeln!(std::io::stdout().lock(), "{text}")
        && error.kind() != std::io::ErrorKind::BrokenPipe
        && !IS_INCOMPLETE.swap(true, Ordering::Relaxed)
    {
        note!("error: the output could not be written: {error}\n");
    }
}

/// Whether everything was written that somebody wanted to read.
pub(crate) fn is_complete() -> bool {
    !IS_INCOMPLETE.load(Ordering::Relaxed)
}

/// A number with its noun: `1 chunk`, `2 chunks`, `0 chunks`.
pub(crate) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Where in a document a passage begins: `page 12`, `about page 3`, `slide 4`, `Tarifs!A2:D21`.
/// A page without a kind is from before kinds were kept.
pub(crate) fn place(
    page: Option<u32>,
    kind: Option<PageKind>,
    label: Option<&str>,
) -> Option<String> {
    let number = page?.to_string();
    let name = label.unwrap_or(&number);
    Some(match kind {
        Some(PageKind::Page) | None => format!("page {name}"),
        Some(PageKind::ApproximatePage) => format!("about page {name}"),
        Some(PageKind::Slide) => format!("slide {name}"),
        Some(PageKind::Sheet) => label.map_or(format!("sheet {number}"), str::to_owned),
    })
}

/// Says on standard error what a person should know of a document.
pub(crate) fn note_warnings(warnings: &[Warning]) {
    for warning in warnings {
        note!("warning: {}\n", one_line(&warning.to_string()));
    }
}

/// The same, with the name of the document that each is of.
pub(crate) fn note_warnings_of(name: &str, warnings: &[Warning]) {
    for warning in warnings {
        note!("warning: {}: {}\n", one_line(name), one_line(&warning.to_string()));
    }
}

/// Prints one JSON document, indented.
pub(crate) fn print_json<T: Serialize>(value: &T) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => write_line(&escaped_json(&text)),
        Err(error) => note!("error: the answer could not be written as JSON: {error}\n"),
    }
}

/// Prints one JSON document on one line, for events.
pub(crate) fn print_json_line<T: Serialize>(value: &T) {
    if let Ok(text) = serde_json::to_string(value) {
        write_line(&escaped_json(&text));
    }
}

/// An error as JSON on standard output, or as sentences on standard error.
pub(crate) fn print_error(error: &WireError, json: bool) {
    if json {
        print_json(&serde_json::json!({ "error": error }));
        return;
    }
    note!("error: {}\n", one_line(&error.message));
    if let Some(hint) = &error.hint {
        note!("  {}\n", one_line(hint));
    }
}

/// What clap says of the arguments: help and version as they are, a wrong use as every other
/// refusal. Whether JSON was asked for cannot be known from arguments that do not parse, so the
/// word itself is looked for.
pub(crate) fn print_usage(refusal: &clap::Error) -> ExitCode {
    let is_json = std::env::args_os().any(|argument| argument == "--json");
    if !refusal.use_stderr() || !is_json {
        // A closed pipe is no reason to complain about the pipe.
        let _ = refusal.print();
    } else {
        print_error(&usage_error(&refusal.to_string()), true);
    }
    if refusal.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// What clap says, as one sentence with the arguments it names, and its tips as the hint. How the
/// command is used is left to people who read it in a terminal.
fn usage_error(said: &str) -> WireError {
    let (mut sentence, mut tips) = (Vec::new(), Vec::new());
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines.take_while(|line| !line.starts_with("Usage:")) {
        match line.strip_prefix("tip: ") {
            Some(tip) => tips.push(tip),
            None if line.starts_with("For more information") => {}
            None => sentence.push(line.strip_prefix("error: ").unwrap_or(line)),
        }
    }
    let invalid = WireError::invalid(sentence.join(" "));
    if tips.is_empty() { invalid } else { WireError { hint: Some(tips.join("; ")), ..invalid } }
}

/// Prints rows of which the columns line up, one line a row whatever stands in it; the first row
/// is the heading.
pub(crate) fn print_table(rows: &[Vec<String>]) {
    let escaped = |row: &Vec<String>| row.iter().map(|cell| one_line(cell)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(escaped).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        line!("{}", line.trim_end());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // Tests may.
mod tests {
    use super::*;

    #[test]
    fn a_place_is_said_as_its_format_has_it() {
        let said = |kind, label| place(Some(3), kind, label).unwrap_or_default();
        assert_eq!(said(Some(PageKind::Page), None), "page 3");
        assert_eq!(said(Some(PageKind::Page), Some("iii")), "page iii");
        assert_eq!(said(Some(PageKind::ApproximatePage), None), "about page 3");
        assert_eq!(said(Some(PageKind::Slide), None), "slide 3");
        assert_eq!(said(Some(PageKind::Sheet), Some("Tarifs!A2:D21")), "Tarifs!A2:D21");
        assert_eq!(said(None, None), "page 3", "from before kinds were kept");
        assert_eq!(place(None, None, None), None);
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1_u32, "chunk"), "1 chunk");
        assert_eq!(counted(0_u32, "chunk"), "0 chunks");
        assert_eq!(counted(21_u32, "chunk"), "21 chunks");
    }

    #[test]
    fn a_wrong_use_names_the_arguments() {
        let said = "error: the following required arguments were not provided:\n  --kb <NAME>\n  \
                    <PATHS>...\n\nUsage: ancre ingest --kb <NAME>\n\nFor more information, try.";
        let error = usage_error(said);
        let expected = "the following required arguments were not provided: --kb <NAME> <PATHS>...";
        assert_eq!((error.message.as_str(), error.code), (expected, ErrorCode::InvalidInput));
        let said = "error: unrecognized subcommand 'shwo'\n\n  tip: a similar subcommand exists: \
                    'show'\n\nUsage: ancre kb";
        assert_eq!(usage_error(said).hint.unwrap(), "a similar subcommand exists: 'show'");
    }
}
