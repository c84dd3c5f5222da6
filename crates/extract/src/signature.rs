//! Recognises what a file is by how it begins, whatever it is called.
//!
//! Content decides: a PDF that is called `.txt` is a PDF, an image that is called `.md` is refused.
//! Only marks that no text begins with are listed (two ASCII letters such as `MZ` would refuse
//! honest texts); what has no such mark is caught later by its control characters. Packages (ZIP)
//! and OLE containers are told apart further by their own modules, in the worker.

use crate::ExtractError;
use crate::format::Format;

/// What content and name together say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A format.
    Format(Format),
    /// A ZIP package of some kind: see `package`.
    Package,
    /// An OLE container of some kind: see `ole`.
    Ole,
}

/// How far into a file a PDF may begin, in bytes (ISO 32000-1, annex H, implementation note 13).
const PDF_REACH: usize = 1024;

/// Tells what `bytes` are; `named` is what the file's extension says.
///
/// # Errors
///
/// [`ExtractError::Empty`] for nothing, [`ExtractError::Binary`] for formats that hold no text,
/// [`ExtractError::Corrupt`] for a document that does not begin as its format does.
pub(crate) fn sniff(bytes: &[u8], named: Format) -> Result<Kind, ExtractError> {
    if bytes.is_empty() {
        return Err(ExtractError::Empty);
    }
    // Some producers write a line or a byte-order mark before the mark.
    let shifted = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let begins_with = |mark: &[u8]| bytes.starts_with(mark) || shifted.starts_with(mark);
    if begins_with(b"%PDF-") {
        return Ok(Kind::Format(Format::Pdf));
    }
    if begins_with(b"PK\x03\x04") || begins_with(b"PK\x05\x06") {
        return Ok(Kind::Package);
    }
    if begins_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        return Ok(Kind::Ole);
    }
    if begins_with(b"{\\rtf") {
        return Ok(Kind::Format(Format::Rtf));
    }
    refuse_known_binary(bytes)?;
    refuse_zeros(bytes)?;
    match named {
        Format::PlainText if is_html(shifted) => Ok(Kind::Format(Format::Html)),
        Format::PlainText if is_mail(shifted) => Ok(Kind::Format(Format::Eml)),
        Format::Markdown
        | Format::PlainText
        | Format::Csv
        | Format::Tsv
        | Format::Json
        | Format::Xml
        | Format::Html
        | Format::Eml => Ok(Kind::Format(named)),
        // Its reader looks for the parts behind a damaged beginning.
        Format::Pdf if contains(&bytes[..bytes.len().min(PDF_REACH)], b"%PDF-") => {
            Ok(Kind::Format(Format::Pdf))
        }
        _ if is_html(shifted) => Ok(Kind::Format(Format::Html)),
        // Old Excel wrote its records without a container; the reader says which.
        Format::Xls => Ok(Kind::Format(Format::Xls)),
        _ => Err(ExtractError::corrupt(format!(
            "it does not begin as a {} file does",
            named.extension()
        ))),
    }
}

/// Refuses what begins with nothing but zeros, such as a file that was never written: every other
/// way to find out goes through all of it. (ASCII in UTF-16 is half zeros.)
fn refuse_zeros(bytes: &[u8]) -> Result<(), ExtractError> {
    const REACH: usize = 4096;
    let start = &bytes[..bytes.len().min(REACH)];
    if start.len() == REACH && start.iter().all(|byte| *byte == 0) {
        return Err(ExtractError::Binary { detail: "it begins with zeros".to_owned() });
    }
    Ok(())
}

fn is_html(text: &[u8]) -> bool {
    let begins_with = |mark: &str| {
        text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()))
    };
    begins_with("<!doctype html") || begins_with("<html")
}

/// Whether a text begins with the header of a mail: nothing but header fields up to the first blank
/// line (RFC 5322, 2.2), the one of MIME among them, which no letter that a person types has.
fn is_mail(text: &[u8]) -> bool {
    const REACH: usize = 16 * 1024;
    let mut has_mime = false;
    for line in text[..text.len().min(REACH)].split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return has_mime;
        }
        // A folded field goes on behind a blank.
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            continue;
        }
        let name = line.iter().position(|byte| *byte == b':').map(|colon| &line[..colon]);
        let Some(name) = name.filter(|name| {
            !name.is_empty() && name.iter().all(|it| it.is_ascii_alphanumeric() || *it == b'-')
        }) else {
            return false;
        };
        has_mime |= name.eq_ignore_ascii_case(b"mime-version");
    }
    false
}

fn contains(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

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

fn refuse_known_binary(bytes: &[u8]) -> Result<(), ExtractError> {
    let begins_with = |mark: &[u8]| bytes.starts_with(mark);
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
    fn a_document_in_disguise_is_what_it_is() {
        for (bytes, kind) in [
            (&b"%PDF-1.7\n..."[..], Kind::Format(Format::Pdf)),
            (b"\xEF\xBB\xBF\r\n%PDF-1.4", Kind::Format(Format::Pdf)),
            (b"PK\x03\x04\x14\0\x06\0", Kind::Package),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0", Kind::Ole),
            (b"{\\rtf1\\ansi", Kind::Format(Format::Rtf)),
            (b"<!DOCTYPE HTML><p>", Kind::Format(Format::Html)),
            (
                b"From: a@b.c\r\nSubject: x\r\n y\r\nMIME-Version: 1.0\r\n\r\nHi",
                Kind::Format(Format::Eml),
            ),
            (b"From: Claire\nTo: Anne\n\nHello", Kind::Format(Format::PlainText)),
            (b"plain words", Kind::Format(Format::PlainText)),
        ] {
            assert_eq!(sniff(bytes, Format::PlainText), Ok(kind));
        }
    }

    #[test]
    fn a_document_that_begins_wrongly_is_damaged() {
        let error = sniff(b"no package", Format::Docx).unwrap_err();
        assert_eq!(error.to_string(), "it is damaged: it does not begin as a .docx file does");
        assert_eq!(sniff(b"", Format::Docx), Err(ExtractError::Empty));
        let late = [&[b' '; 500], &b"garbage %PDF-1.4"[..]].concat();
        assert_eq!(sniff(&late, Format::Pdf), Ok(Kind::Format(Format::Pdf)));
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
