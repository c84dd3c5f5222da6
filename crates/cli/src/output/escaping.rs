//! What is printed of data steers no terminal.
//!
//! Names, titles and texts come from files of strangers. A control character in them could move the
//! cursor, a line end break a table, a turn of the reading direction show another name than the one
//! that is there.

use ancre_domain::{is_invisible, is_shaping};

/// Whether a character would steer the terminal or turn the reading direction.
fn is_steering(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text from a document with its lines and tabs, and with U+FFFD for what would steer.
pub(crate) fn visible(text: &str) -> String {
    let is_unfit = |character| is_steering(character) && !matches!(character, '\n' | '\t');
    text.chars().map(|it| if is_unfit(it) { '\u{fffd}' } else { it }).collect()
}

/// A name, a title or a sentence as one line on which everything shows: what would break the line
/// or steer the terminal, and what nobody would see, stands as an escape such as `\n` or `\u{202e}`.
pub(crate) fn one_line(text: &str) -> String {
    let is_unfit = |character| {
        let breaks = matches!(character, '\u{2028}' | '\u{2029}');
        is_steering(character) || breaks || (is_invisible(character) && !is_shaping(character))
    };
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unfit(character) {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// JSON in which what would steer a terminal is escaped, as JSON allows in its strings; the lines
/// between them stay.
pub(super) fn escaped_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if is_steering(character) && character != '\n' {
            // Each is of the basic plane, so that one escape is enough.
            escaped.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // Tests may.
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_on_its_line_and_shows_what_is_in_it() {
        assert_eq!(one_line("a\nb\tc\u{1b}[31m"), "a\\nb\\tc\\u{1b}[31m");
        assert_eq!(one_line("facture\u{202e}fdp.exe"), "facture\\u{202e}fdp.exe");
        assert_eq!(one_line("a\u{200b}b\u{2028}c\u{9b}"), "a\\u{200b}b\\u{2028}c\\u{9b}");
        assert_eq!(one_line("L’été 👩\u{200d}💻 \\o/"), "L’été 👩\u{200d}💻 \\o/");
    }

    #[test]
    fn a_text_keeps_its_lines_and_steers_nothing() {
        assert_eq!(visible("a\n\tb\u{1b}[2J\u{2066}\u{9b}"), "a\n\tb\u{fffd}[2J\u{fffd}\u{fffd}");
    }

    #[test]
    fn json_steers_nothing_and_means_the_same() {
        let value = serde_json::json!({ "name": "a\u{202e}\u{9b}\u{7f}\n\u{1b}" });
        let text = escaped_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(!text.chars().any(|it| is_steering(it) && it != '\n'), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
