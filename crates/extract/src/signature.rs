//! Recognises files that are not text by how they begin, whatever they are called.
//!
//! The signatures are those of the formats people rename or mix up most often. Only marks that no
//! text begins with are listed (two ASCII letters such as `MZ` would refuse honest texts); what
//! has no such mark is caught later by its control characters.

use crate::ExtractError;

/// Formats that hold text, which we cannot reach yet.
const DOCUMENTS: [(&[u8], &str); 5] = [
    (b"%PDF-", "PDF"),
    (b"{\\rtf", "RTF"),
    (b"PK\x03\x04", "ZIP or Office"),
    (b"PK\x05\x06", "ZIP or Office"),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "Office 97"),
];

/// Formats that hold none.
const BINARIES: [(&[u8], &str); 17] = [
    (b"\x89PNG\r\n\x1A\n", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\x7FELF", "a program"),
    (b"\xCF\xFA\xED\xFE", "a program"),
    (b"\xCA\xFE\xBA\xBE", "a program"),
    (b"\x1F\x8B", "a gzip archive"),
    (b"BZh9", "a bzip2 archive"),
    (b"\xFD7zXZ\0", "an xz archive"),
    (b"\x28\xB5\x2F\xFD", "a Zstandard archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"Rar!\x1A\x07", "a RAR archive"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"OggS\0", "an Ogg recording"),
];

/// Containers named by the letters from the fifth byte (`ftyp`) or the ninth (`RIFF`).
const ISO_MEDIA: &[u8] = b"ftyp";
const RIFF: &[u8] = b"RIFF";

pub(crate) fn refuse_known_binary(bytes: &[u8]) -> Result<(), ExtractError> {
    let begins_with = |mark: &[u8]| bytes.starts_with(mark);
    // Some producers write a line or a byte-order mark before `%PDF-`.
    let shifted = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    if let Some((_, format)) =
        DOCUMENTS.iter().find(|(mark, _)| begins_with(mark) || shifted.starts_with(mark))
    {
        return Err(ExtractError::Unsupported { format: (*format).to_owned() });
    }
    let known = BINARIES.iter().find(|(mark, _)| begins_with(mark)).map(|(_, what)| *what);
    let media = if bytes.get(4..8) == Some(ISO_MEDIA) && bytes.first() == Some(&0) {
        Some("a film, a sound or a HEIC image")
    } else if begins_with(RIFF) && matches!(bytes.get(8..12), Some(b"WAVE" | b"AVI " | b"WEBP")) {
        Some("a film, a sound or a WebP image")
    } else {
        None
    };
    match known.or(media) {
        Some(what) => Err(ExtractError::Binary { detail: format!("it begins like {what}") }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_in_disguise_is_named() {
        for (bytes, format) in [
            (&b"%PDF-1.7\n..."[..], "PDF"),
            (b"\xEF\xBB\xBF\r\n%PDF-1.4", "PDF"),
            (b"PK\x03\x04\x14\0\x06\0", "ZIP or Office"),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0", "Office 97"),
            (b"{\\rtf1\\ansi", "RTF"),
        ] {
            let error = refuse_known_binary(bytes).unwrap_err();
            assert!(
                matches!(&error, ExtractError::Unsupported { format: found } if found == format),
                "{error}"
            );
        }
    }

    #[test]
    fn an_image_in_disguise_is_refused_with_what_it_is() {
        let error = refuse_known_binary(b"\x89PNG\r\n\x1A\n\0\0").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the content is not text, whatever its name says: it begins like a PNG image"
        );
    }

    #[test]
    fn texts_that_begin_like_a_short_mark_are_let_through() {
        for text in ["MZ-Zeitung", "BM Consulting", "PK is short for…", "RIFF and raff", "", "%PD"]
        {
            assert!(refuse_known_binary(text.as_bytes()).is_ok(), "{text}");
        }
    }
}
