//! What a person or a script reads.

use std::process::ExitCode;

use ancre_app::wire::WireError;
use ancre_domain::ErrorCode;
use serde::Serialize;

/// How a command that was carried out ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was done.
    Done,
    /// Some items failed.
    SomeFailed,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Done => ExitCode::SUCCESS,
            Self::SomeFailed => ExitCode::from(1),
        }
    }
}

/// 2 wrong usage, 4 not found, 3 any other refusal.
pub(crate) fn exit_code_of(error: &WireError) -> ExitCode {
    match error.code {
        ErrorCode::InvalidInput => ExitCode::from(2),
        ErrorCode::NotFound | ErrorCode::FileNotFound => ExitCode::from(4),
        _ => ExitCode::from(3),
    }
}

/// Prints one JSON document, indented.
pub(crate) fn print_json<T: Serialize>(value: &T) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => println!("{text}"),
        Err(error) => eprintln!("error: the answer could not be written as JSON: {error}"),
    }
}

/// Prints one JSON document on one line, for events.
pub(crate) fn print_json_line<T: Serialize>(value: &T) {
    if let Ok(text) = serde_json::to_string(value) {
        println!("{text}");
    }
}

/// An error as JSON on standard output, or as sentences on standard error.
pub(crate) fn print_error(error: &WireError, json: bool) {
    if json {
        print_json(&serde_json::json!({ "error": error }));
        return;
    }
    eprintln!("error: {}", error.message);
    if let Some(hint) = &error.hint {
        eprintln!("  {hint}");
    }
}

/// Prints rows of which the columns line up; the first row is the heading.
pub(crate) fn print_table(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        println!("{}", line.trim_end());
    }
}
