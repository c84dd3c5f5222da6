//! Tells ISO-8859-15 from Windows-1252.
//!
//! Detectors made for the web never guess ISO-8859-15. It differs from ISO-8859-1 in eight bytes
//! (€ Š š Ž ž Œ œ Ÿ, where Windows-1252 has ¤ ¦ ¨ ´ ¸ ¼ ½ ¾), and from Windows-1252 also in that
//! 80 to 9F are control characters, which no text has. So a text with one of those bytes is
//! Windows-1252, and in any other each of the eight speaks for the reading that makes sense
//! between its neighbours: `½` inside a word is an `œ`, `½` after a figure is a half.

use encoding_rs::WINDOWS_1252;

/// Whether bytes that a detector took for Windows-1252 make more sense as ISO-8859-15.
pub(crate) fn makes_more_sense(bytes: &[u8]) -> bool {
    if bytes.iter().any(|byte| (0x80..=0x9F).contains(byte)) {
        return false;
    }
    let mut balance = 0_i64;
    for (index, byte) in bytes.iter().enumerate() {
        let speaks_for = match byte {
            0xA4 => is_currency(bytes, index),
            0xBD => is_small_oe(bytes, index),
            0xA8 | 0xB8 => is_small_letter(bytes, index),
            0xA6 | 0xB4 | 0xBC | 0xBE => is_capital_letter(bytes, index),
            _ => continue,
        };
        balance += if speaks_for { 1 } else { -1 };
    }
    balance > 0
}

/// € beside a figure, with a space between or not, or as a word of its own; `¤` is in no use.
fn is_currency(bytes: &[u8], index: usize) -> bool {
    !is_letter(before(bytes, index)) && !is_letter(after(bytes, index, 1))
}

/// œ inside a word, or at the start of one that can begin so (œuf, œil, œdème, œsophage, œnologue,
/// œcuménique).
fn is_small_oe(bytes: &[u8], index: usize) -> bool {
    let next = after(bytes, index, 1);
    if is_letter(before(bytes, index)) {
        return is_lower(next);
    }
    matches!(next, Some(b'u' | b'i' | b'd' | b's' | b'n' | b'c'))
        && is_letter(after(bytes, index, 2))
        && !before(bytes, index).is_some_and(|byte| byte.is_ascii_digit())
}

/// š or ž between two letters, or at one end of a word.
fn is_small_letter(bytes: &[u8], index: usize) -> bool {
    is_lower(after(bytes, index, 1)) || is_lower(before(bytes, index))
}

/// Š, Ž, Œ or Ÿ: never after a small letter, and with a letter on one side.
fn is_capital_letter(bytes: &[u8], index: usize) -> bool {
    let (previous, next) = (before(bytes, index), after(bytes, index, 1));
    let is_in_capitals = is_letter(previous) && !is_lower(previous);
    let begins_a_word = !is_letter(previous)
        && !previous.is_some_and(|byte| byte.is_ascii_digit())
        && is_letter(next);
    is_in_capitals || begins_a_word
}

fn before(bytes: &[u8], index: usize) -> Option<u8> {
    index.checked_sub(1).and_then(|previous| bytes.get(previous)).copied()
}

fn after(bytes: &[u8], index: usize, distance: usize) -> Option<u8> {
    bytes.get(index + distance).copied()
}

/// Both encodings have the same letters outside the eight bytes.
fn character(byte: u8) -> char {
    if byte.is_ascii() {
        return char::from(byte);
    }
    WINDOWS_1252
        .decode_without_bom_handling(&[byte])
        .0
        .chars()
        .next()
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn is_letter(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| character(byte).is_alphabetic() && !matches!(byte, 0xAA | 0xBA))
}

fn is_lower(byte: Option<u8>) -> bool {
    is_letter(byte) && byte.is_some_and(|byte| character(byte).is_lowercase())
}

#[cfg(test)]
mod tests {
    use encoding_rs::ISO_8859_15;

    use super::*;

    #[test]
    fn french_words_are_recognised_in_iso_8859_15() {
        for text in [
            "cœur",
            "œuvre",
            "un œil",
            "12 €",
            "12€ par mois",
            "en € ou en $",
            "Œuvres complètes",
            "NŒUD",
            "L'HAŸ-LES-ROSES",
            "Škoda",
            "Milošević, Žižek",
            "Le cœur de l'œuvre coûte 12 € à Škoda, pas ½ de moins",
        ] {
            let (bytes, _, unmappable) = ISO_8859_15.encode(text);
            if !unmappable {
                assert!(makes_more_sense(&bytes), "{text}");
            }
        }
    }

    #[test]
    fn the_signs_of_windows_1252_stay_what_they_are() {
        for text in [
            "2½ heures",
            "½ litre",
            "½l de lait",
            "¼ de tour et ¾ de page",
            "d´accord, l´eau",
            "été à la crème brûlée",
            "a ¦ b",
            "“cœur” – 12 €",
            "l’œuvre",
            "",
        ] {
            let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
            assert!(!unmappable, "{text}");
            assert!(!makes_more_sense(&bytes), "{text}");
        }
    }
}
