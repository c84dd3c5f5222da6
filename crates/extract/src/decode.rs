//! Bytes to characters: which encoding, and the reading in it.
//!
//! The order is the one that measurement found best: a byte-order mark decides; zero bytes are
//! looked at for UTF-16 without one; what is strictly UTF-8 is UTF-8, and so is what is UTF-8 but
//! for a few broken places; the rest is guessed by statistics. A wrong guess shows as wrong
//! letters, so the name of the encoding is kept with the document.

use ancre_domain::Warning;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_8859_15, UTF_8, WINDOWS_1252};

use crate::{latin9, utf16};

/// What was read.
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// Its name by the Encoding Standard, such as `UTF-8` or `ISO-8859-15`.
    pub(crate) encoding: &'static str,
    /// Whether some bytes are not of that encoding and became U+FFFD.
    pub(crate) has_replacements: bool,
}

impl Decoded {
    /// What a person should know of it, if anything.
    pub(crate) fn warning(&self) -> Option<Warning> {
        self.has_replacements
            .then(|| Warning::ReplacedCharacters { encoding: self.encoding.to_owned() })
    }
}

pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    let (encoding, mark_length) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (without_mark(bytes), 0),
    };
    let (text, has_replacements) = encoding.decode_without_bom_handling(&bytes[mark_length..]);
    Decoded { text: text.into_owned(), encoding: encoding.name(), has_replacements }
}

fn without_mark(bytes: &[u8]) -> &'static Encoding {
    // ASCII in UTF-16 is also valid UTF-8 with zeros in it, so this comes first.
    if bytes.contains(&0)
        && let Some(encoding) = utf16::without_mark(bytes)
    {
        return encoding;
    }
    if is_mostly_utf8(bytes) { UTF_8 } else { guess(bytes) }
}

/// Whether the bytes are UTF-8, or UTF-8 with a few broken places: a log cut inside a character, a
/// line pasted from elsewhere. A sequence of bytes that is valid UTF-8 by chance is so rare in
/// other encodings that four good ones to a bad one are proof enough.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    bad == 0 || good >= bad * 4
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess == WINDOWS_1252 && latin9::makes_more_sense(bytes) { ISO_8859_15 } else { guess }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{SHIFT_JIS, WINDOWS_1251};

    use super::*;

    const FRENCH: &str = "Le cœur de l'œuvre coûte 12 € à Noël.";

    fn read(bytes: &[u8]) -> (String, &'static str) {
        let decoded = decode(bytes);
        assert!(!decoded.has_replacements);
        (decoded.text, decoded.encoding)
    }

    #[test]
    fn every_encoding_of_a_french_text_is_read_right() {
        let little = || FRENCH.encode_utf16().flat_map(u16::to_le_bytes);
        let big = || FRENCH.encode_utf16().flat_map(u16::to_be_bytes);
        for (bytes, encoding) in [
            (FRENCH.as_bytes().to_vec(), "UTF-8"),
            ([b"\xEF\xBB\xBF", FRENCH.as_bytes()].concat(), "UTF-8"),
            ([0xFF, 0xFE].into_iter().chain(little()).collect(), "UTF-16LE"),
            ([0xFE, 0xFF].into_iter().chain(big()).collect(), "UTF-16BE"),
            (little().collect(), "UTF-16LE"),
            (big().collect(), "UTF-16BE"),
            (WINDOWS_1252.encode(FRENCH).0.into_owned(), "windows-1252"),
            (ISO_8859_15.encode(FRENCH).0.into_owned(), "ISO-8859-15"),
        ] {
            assert_eq!(read(&bytes), (FRENCH.to_owned(), encoding));
        }
    }

    #[test]
    fn one_word_is_enough() {
        for word in ["cœur", "œuvre", "12 €"] {
            assert_eq!(read(&ISO_8859_15.encode(word).0), (word.to_owned(), "ISO-8859-15"));
        }
        assert_eq!(read(&WINDOWS_1252.encode("l’été").0).0, "l’été");
    }

    #[test]
    fn other_scripts_are_guessed() {
        for (encoding, text) in
            [(WINDOWS_1251, "Здравствуйте, где мой заказ?"), (SHIFT_JIS, "注文はどこですか")]
        {
            assert_eq!(read(&encoding.encode(text).0), (text.to_owned(), encoding.name()));
        }
    }

    #[test]
    fn a_broken_place_does_not_turn_utf_8_into_something_else() {
        let mut bytes = "Déjà réglé à l'été".as_bytes().to_vec();
        bytes.push(0xC3);
        let decoded = decode(&bytes);
        assert_eq!(
            (decoded.text.as_str(), decoded.encoding),
            ("Déjà réglé à l'été\u{FFFD}", "UTF-8")
        );
        assert!(decoded.warning().is_some(), "the reader is told");
    }
}
