//! Characters that nobody sees.
//!
//! A text of nothing else is empty, two names that differ only by them are one name, and a
//! terminal that prints them shows something else than what is there. Which they are is Unicode's
//! property `Default_Ignorable_Code_Point` (`DerivedCoreProperties.txt`, version 16).

/// Whether a character leaves no mark by itself: zero-width characters, soft hyphens, signs that
/// turn the reading direction, variation selectors. Blanks and control characters are not among
/// them.
pub const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Whether an invisible character changes how its neighbours look, so that a name may need it:
/// joiners, as in Persian and in families of emoji, and selectors of a variant.
pub const fn is_shaping(character: char) -> bool {
    matches!(
        character,
        '\u{34F}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200C}'..='\u{200D}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{E0020}'..='\u{E007F}'
            | '\u{E0100}'..='\u{E01EF}'
    )
}

/// Whether there is nothing to see in a text.
pub fn is_blank(text: &str) -> bool {
    let leaves_no_mark = |character: char| {
        character.is_whitespace() || character.is_control() || is_invisible(character)
    };
    text.chars().all(leaves_no_mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_no_text() {
        assert!(is_blank(""));
        assert!(is_blank(" \n\u{A0}\u{200B}\u{AD}\u{2060}\u{FEFF}\u{202E}\u{0}"));
        assert!(!is_blank("\u{200B}é"));
    }

    #[test]
    fn only_an_invisible_character_can_shape() {
        for character in '\0'..=char::MAX {
            assert!(is_invisible(character) || !is_shaping(character), "{character:?}");
        }
    }
}
