//! Bytes to characters: which encoding, and the reading in it.
//!
//! The order is the one that measurement found best: a byte-order mark decides; zero bytes are
//! looked at for UTF-16 without one, escapes for ISO-2022-JP; what is strictly UTF-8 is UTF-8; what
//! the document says of itself is believed when the bytes can be that; what is UTF-8 but for a few
//! broken places is UTF-8; the rest is guessed by statistics. A wrong guess shows as wrong letters,
//! so the name of the encoding is kept with the document. The code pages of MS-DOS are not told
//! from others.

use ancre_domain::Warning;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, ISO_8859_15, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

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

/// Reads bytes that say nothing of their encoding.
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    decode_declared(bytes, None)
}

/// Reads bytes of which somebody says what encoding they are in: a mail's header, a page's `meta`,
/// an XML declaration. `declared` is a label of the Encoding Standard, in any case.
///
/// A declaration is often wrong, so a byte-order mark wins over it, and so does what the bytes
/// themselves prove; it wins over statistics.
pub(crate) fn decode_declared(bytes: &[u8], declared: Option<&str>) -> Decoded {
    let (encoding, mark_length) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (without_mark(bytes, declared), 0),
    };
    let bytes = bytes.get(mark_length..).unwrap_or_default();
    let (text, has_replacements) = encoding.decode_without_bom_handling(bytes);
    Decoded { text: text.into_owned(), encoding: encoding.name(), has_replacements }
}

fn without_mark(bytes: &[u8], declared: Option<&str>) -> &'static Encoding {
    // ASCII in UTF-16 is also valid UTF-8 with zeros in it, and ISO-2022-JP is ASCII with escapes
    // in it, so these come first.
    if bytes.contains(&0)
        && let Some(encoding) = utf16::without_mark(bytes)
    {
        return encoding;
    }
    if is_iso_2022_jp(bytes) {
        return ISO_2022_JP;
    }
    if !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    if let Some(encoding) = declared.and_then(|label| credible(label, bytes)) {
        return encoding;
    }
    if is_mostly_utf8(bytes) { UTF_8 } else { guess(bytes) }
}

/// The encoding of a label, if the bytes can be in it.
fn credible(label: &str, bytes: &[u8]) -> Option<&'static Encoding> {
    let label = label.trim().trim_matches(['"', '\'']);
    let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
    // Nearly every even number of bytes is well-formed UTF-16, and what is so was found above.
    let can_be = if encoding == UTF_16LE || encoding == UTF_16BE {
        bytes.contains(&0)
    } else if encoding == ISO_2022_JP {
        false
    } else if ASCII_LABELS.iter().any(|ascii| label.eq_ignore_ascii_case(ascii)) {
        // The Encoding Standard reads it as Windows-1252, whose bytes all mean something.
        bytes.is_ascii()
    } else {
        true
    };
    (can_be && encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some())
        .then_some(encoding)
}

/// Names of ASCII, which say nothing of a byte past 7F.
const ASCII_LABELS: [&str; 4] = ["us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us"];

/// Seven-bit bytes with the escape sequences that switch to Japanese characters (RFC 1468), all of
/// them valid. The colours of a log are other escape sequences.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let switches = |window: &[u8]| matches!(window, [0x1B, b'$', b'@' | b'B']);
    bytes.is_ascii()
        && bytes.windows(3).any(switches)
        && ISO_2022_JP.decode_without_bom_handling_and_without_replacement(bytes).is_some()
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
    use encoding_rs::{EUC_JP, SHIFT_JIS, WINDOWS_1251, WINDOWS_1256};

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
    fn japanese_in_seven_bits_is_no_ascii() {
        let text = "お問い合わせ: 123";
        assert_eq!(read(&ISO_2022_JP.encode(text).0), (text.to_owned(), "ISO-2022-JP"));
        let colours = "\u{1B}[31mERREUR\u{1B}[0m $B";
        assert_eq!(read(colours.as_bytes()).1, "UTF-8");
    }

    #[test]
    fn a_declaration_is_believed_when_the_bytes_can_be_that() {
        let declared = |bytes: &[u8], label| decode_declared(bytes, Some(label));
        let short = EUC_JP.encode("注文").0;
        assert_eq!(declared(&short, " EUC-JP ").text, "注文");
        let latin = WINDOWS_1252.encode("½ prix").0;
        assert_eq!(declared(&latin, "iso-8859-1").text, "½ prix");
        assert_eq!(declared(&ISO_8859_15.encode("12 €").0, "latin-9").text, "12 €");
    }

    #[test]
    fn a_wrong_declaration_loses() {
        let arabic = "مرحبا بكم في موقعنا، كيف يمكننا مساعدتك اليوم؟";
        let little: Vec<u8> = FRENCH.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, label, text) in [
            (WINDOWS_1256.encode(arabic).0.into_owned(), "utf-8", arabic),
            (FRENCH.as_bytes().to_vec(), "iso-8859-1", FRENCH),
            (FRENCH.as_bytes().to_vec(), "utf-16", FRENCH),
            (b"plain words!".to_vec(), "utf-16be", "plain words!"),
            (little, "utf-8", FRENCH),
            (WINDOWS_1252.encode(FRENCH).0.into_owned(), "us-ascii", FRENCH),
            (FRENCH.as_bytes().to_vec(), "no such thing", FRENCH),
            (
                WINDOWS_1251.encode("Здравствуйте, где мой заказ?").0.into_owned(),
                "hz-gb-2312",
                "Здравствуйте, где мой заказ?",
            ),
        ] {
            assert_eq!(decode_declared(&bytes, Some(label)).text, text, "{label}");
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
