//! Lines that can be understood without the line before: list items, table rows, headings.

/// Levels of headings that Markdown has.
const HEADING_LEVELS: usize = 6;
/// Digits of a list number; more are a year or an amount.
const LIST_NUMBER_DIGITS: usize = 3;

/// The first byte in `from..to` of `text` at which such a line begins, its indentation left out.
/// Looks back for the beginning of the line at `from` no further than `floor`.
pub(super) fn block_start(text: &str, floor: usize, from: usize, to: usize) -> Option<usize> {
    let mut blanks_before = text[floor..from].chars().rev().take_while(|c| c.is_whitespace());
    let mut is_line_start = blanks_before.any(|blank| blank == '\n');
    text[from..to].char_indices().map(|(at, character)| (from + at, character)).find_map(
        |(at, character)| {
            if character.is_whitespace() {
                is_line_start |= character == '\n';
                return None;
            }
            let begins = is_line_start && begins_block(&text[at..to]);
            is_line_start = false;
            begins.then_some(at)
        },
    )
}

/// Whether a line that begins with `rest` is an item, a row or a heading.
fn begins_block(rest: &str) -> bool {
    let leading = |is_mark: fn(&u8) -> bool, most: usize| {
        rest.bytes().take(most + 1).take_while(is_mark).count()
    };
    let hashes = leading(|byte| *byte == b'#', HEADING_LEVELS);
    let digits = leading(u8::is_ascii_digit, LIST_NUMBER_DIGITS);
    match rest.chars().next() {
        Some('|') => true,
        Some('-' | '*' | '+' | '•') => rest.chars().nth(1).is_some_and(char::is_whitespace),
        Some('#') => hashes <= HEADING_LEVELS && rest[hashes..].starts_with(' '),
        Some('0'..='9') => {
            digits <= LIST_NUMBER_DIGITS
                && (rest[digits..].starts_with(". ") || rest[digits..].starts_with(") "))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::begins_block;

    #[test]
    fn items_rows_and_headings_begin_a_block() {
        for line in ["- un", "* un", "+ un", "• un", "1. un", "12) un", "| a | b |", "## Un"] {
            assert!(begins_block(line), "{line}");
        }
        for line in ["", "un", "-5 °C", "**un**", "2024. Un", "3,5 jours", "#1", "####### Un", "1."]
        {
            assert!(!begins_block(line), "{line}");
        }
    }
}
