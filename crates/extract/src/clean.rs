//! Makes decoded characters the text that is stored and cited.
//!
//! One kind of line end, no byte-order marks, no control characters, no terminal colours, composed
//! letters: so that a passage found in one file equals the same passage in another, and an offset
//! means one thing. A text that is mostly control characters was never a text and is refused.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::ExtractError;

/// A text with a larger share of control characters than this, in percent, is not a text.
/// Compressed bytes read as Windows-1252 have 11; real texts, a stray page break aside, have 0.
const MAX_CONTROL_PERCENT: usize = 5;

/// Refuses a text that is mostly control characters.
///
/// # Errors
///
/// [`ExtractError::Binary`].
pub(crate) fn refuse_control_characters(decoded: &str) -> Result<(), ExtractError> {
    let (mut character_count, mut control_count) = (0_usize, 0_usize);
    let mut characters = decoded.chars().peekable();
    while let Some(character) = characters.next() {
        character_count += 1;
        match character {
            '\u{1B}' => skip_terminal_sequence(&mut characters),
            '\r' | '\n' | '\t' | '\u{B}' | '\u{C}' | '\u{85}' => {}
            _ => control_count += usize::from(character.is_control()),
        }
    }
    // One alone, such as a final NUL or an old end-of-file mark, is forgiven in the shortest text.
    if control_count > 1 && control_count * 100 > character_count * MAX_CONTROL_PERCENT {
        let percent = control_count * 100 / character_count;
        return Err(ExtractError::Binary {
            detail: format!("{percent} % of it are control characters"),
        });
    }
    Ok(())
}

/// A part of a text, cleaned.
pub(crate) fn clean_part(decoded: &str) -> String {
    let mut text = String::with_capacity(decoded.len());
    let mut characters = decoded.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                characters.next_if_eq(&'\n');
                text.push('\n');
            }
            // The other line ends of Unicode; a page break (form feed) ends a line too.
            '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => text.push('\n'),
            '\t' => text.push('\t'),
            '\u{FEFF}' => {}
            '\u{1B}' => skip_terminal_sequence(&mut characters),
            _ if character.is_control() => {}
            _ => text.push(character),
        }
    }
    composed(text)
}

/// Skips what follows an escape character: the parameters and the letter of a control sequence
/// (ECMA-48, 5.4), as in the colours of a log.
fn skip_terminal_sequence(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    if characters.next_if_eq(&'[').is_some() {
        while characters.next_if(|character| matches!(character, ' '..='?')).is_some() {}
        characters.next_if(|character| matches!(character, '@'..='~'));
    }
}

fn composed(text: String) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        IsNormalized::No | IsNormalized::Maybe => text.nfc().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> Result<String, ExtractError> {
        refuse_control_characters(text).map(|()| clean_part(text))
    }

    #[test]
    fn line_ends_become_one_kind() {
        assert_eq!(clean("a\r\nb\rc\u{C}d\u{85}e\u{2028}f\n").unwrap(), "a\nb\nc\nd\ne\nf\n");
    }

    #[test]
    fn marks_and_control_characters_go() {
        assert_eq!(
            clean("\u{FEFF}le\tt\u{0}exte entier, pas un\u{FEFF} autre").unwrap(),
            "le\ttexte entier, pas un autre"
        );
    }

    #[test]
    fn the_colours_of_a_log_go() {
        assert_eq!(clean("\u{1B}[1;31mERREUR\u{1B}[0m: [x]").unwrap(), "ERREUR: [x]");
    }

    #[test]
    fn letters_are_composed() {
        assert_eq!(clean("e\u{301}te\u{301}").unwrap(), "été");
    }

    #[test]
    fn a_text_of_control_characters_is_refused_with_its_share() {
        let error = clean("ab\u{1}\u{2}").unwrap_err();
        assert!(error.to_string().ends_with("50 % of it are control characters"), "{error}");
    }

    #[test]
    fn one_final_nul_is_forgiven() {
        assert_eq!(clean("oui\u{0}").unwrap(), "oui");
    }
}
