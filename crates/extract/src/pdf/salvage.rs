//! A PDF whose end is missing, given a new one.
//!
//! The end of a PDF says where its objects are and which of them is the root. PDFium finds objects
//! without that, but not the root of a file that was cut off. What this appends is one more end: a
//! tree of the pages that are still there, a root, a trailer (ISO 32000-1, 7.5.5 and 7.7). Pages
//! inside object streams are not found, and encrypted files cannot be read without their own end.

use std::collections::HashSet;
use std::fmt::Write as _;

/// The most pages that are looked for.
const MAX_PAGES: usize = 10_000;

/// The highest number an object can have in PDFium.
const MAX_NUMBER: u32 = 4 << 20;

/// The file with a new end; `None` where no page is found in it, or where it is encrypted.
pub(crate) fn with_a_new_end(bytes: &[u8]) -> Option<Vec<u8>> {
    if find(bytes, 0, b"/Encrypt").is_some() {
        return None;
    }
    let found = Found::in_bytes(bytes);
    let first_free = found.highest.checked_add(1).filter(|it| *it < MAX_NUMBER)?;
    if found.pages.is_empty() {
        return None;
    }
    let (tree, root) = (first_free, first_free + 1);
    let kids: String = found.pages.iter().fold(String::new(), |mut kids, (number, generation)| {
        // Writing to a string does not fail.
        let _ = write!(kids, "{number} {generation} R ");
        kids
    });
    let end = format!(
        "{}\n{tree} 0 obj\n<< /Type /Pages /Count {} /Kids [{kids}] >>\nendobj\n\
         {root} 0 obj\n<< /Type /Catalog /Pages {tree} 0 R >>\nendobj\n\
         trailer\n<< /Size {} /Root {root} 0 R >>\nstartxref\n0\n%%EOF\n",
        if found.is_open_stream { "\nendstream\nendobj" } else { "" },
        found.pages.len(),
        root + 1,
    );
    let whole = bytes.get(..found.end).unwrap_or(bytes);
    Some([whole, end.as_bytes()].concat())
}

/// What is there of the file.
#[derive(Debug, Default)]
struct Found {
    /// Number and generation of each page, in the order of the file.
    pages: Vec<(u32, u32)>,
    highest: u32,
    /// Where the last object ends that is of use.
    end: usize,
    /// Whether that is in the middle of a stream.
    is_open_stream: bool,
}

impl Found {
    /// Goes through the bytes once, from object to object.
    fn in_bytes(bytes: &[u8]) -> Self {
        let mut found = Self { end: bytes.len(), ..Self::default() };
        let mut known = HashSet::new();
        let mut at = 0;
        while let Some(word) = find(bytes, at, b"obj") {
            at = word + 3;
            let Some(head) = Head::before(bytes, word) else { continue };
            if head.number < MAX_NUMBER {
                found.highest = found.highest.max(head.number);
            }
            let body = Body::from(bytes, at);
            match body.end {
                // Half an object is worse than none; half a stream is still worth reading.
                BodyEnd::Missing => found.end = head.start,
                BodyEnd::Stream { after: None } => found.is_open_stream = true,
                BodyEnd::Object | BodyEnd::Stream { after: Some(_) } => {
                    let is_page = head.number < MAX_NUMBER && is_page(body.entries);
                    if is_page && found.pages.len() < MAX_PAGES && known.insert(head.number) {
                        found.pages.push((head.number, head.generation));
                    }
                }
            }
            at = match body.end {
                BodyEnd::Stream { after } => after.unwrap_or(bytes.len()),
                BodyEnd::Object | BodyEnd::Missing => at + body.entries.len(),
            };
        }
        found
    }
}

/// `12 0 obj`.
struct Head {
    start: usize,
    number: u32,
    generation: u32,
}

impl Head {
    /// The head whose word `obj` begins there.
    fn before(bytes: &[u8], word: usize) -> Option<Self> {
        let (generation, at) = number_before(bytes, word)?;
        let (number, start) = number_before(bytes, at)?;
        Some(Self { start, number, generation })
    }
}

/// The number that ends, with white space after it, before the place, and where it begins.
fn number_before(bytes: &[u8], place: usize) -> Option<(u32, usize)> {
    const MAX_SPACES: usize = 16;
    const MAX_DIGITS: usize = 10;
    let before = bytes.get(..place)?;
    let spaces = before.iter().rev().take_while(|it| is_space(**it)).take(MAX_SPACES).count();
    let before = before.get(..place - spaces).filter(|_| spaces > 0)?;
    let digits = before.iter().rev().take_while(|it| it.is_ascii_digit()).take(MAX_DIGITS).count();
    let start = before.len() - digits;
    let number = std::str::from_utf8(before.get(start..)?).ok()?.parse().ok()?;
    Some((number, start))
}

/// An object up to where its dictionary ends.
struct Body<'a> {
    entries: &'a [u8],
    end: BodyEnd,
}

enum BodyEnd {
    Object,
    /// A stream follows, and where that ends, if it does.
    Stream {
        after: Option<usize>,
    },
    Missing,
}

impl<'a> Body<'a> {
    fn from(bytes: &'a [u8], start: usize) -> Self {
        let rest = bytes.get(start..).unwrap_or_default();
        // Whichever word comes first; `endobj` of a stream would be found behind its bytes.
        let length = rest.windows(6).position(|it| it == b"endobj" || it == b"stream");
        let Some(length) = length else { return Self { entries: rest, end: BodyEnd::Missing } };
        let (entries, after) = rest.split_at(length);
        let end = if after.starts_with(b"stream") {
            let after = find(bytes, start + length + 6, b"endstream").map(|at| at + 9);
            BodyEnd::Stream { after }
        } else {
            BodyEnd::Object
        };
        Self { entries, end }
    }
}

/// Whether the entries say `/Type /Page`, not `/Pages`.
fn is_page(entries: &[u8]) -> bool {
    let mut at = 0;
    while let Some(key) = find(entries, at, b"/Type") {
        at = key + 5;
        let value = entries.get(at..).unwrap_or_default();
        let value = value.trim_ascii_start();
        if let Some(rest) = value.strip_prefix(b"/Page")
            && rest.first().is_none_or(|it| is_space(*it) || b"/<>[]()%".contains(it))
        {
            return true;
        }
    }
    false
}

/// White space as a PDF knows it (ISO 32000-1, 7.2.2).
const fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn find(bytes: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(word.len()).position(|it| it == word).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_trees_and_from_what_streams_hold() {
        let bytes = b"%PDF-1.7\n1 0 obj\n<< /Type /Pages /Kids [3 0 R 7 2 R] >>\nendobj\n\
            3 0 obj\n<< /Parent 1 0 R /Type/Page>>\nendobj\n\
            4 0 obj\n<< /Length 30 >>\nstream\n5 0 obj << /Type /Page >> endobj\nendstream\nendobj\n\
            7 2 obj << /Type /Page /Parent 1 0 R >> endobj\n\
            9 0 obj << /Type /Page /Par";
        let found = Found::in_bytes(bytes);
        assert_eq!(found.pages, [(3, 0), (7, 2)]);
        assert_eq!(found.highest, 9);
        assert!(bytes[..found.end].ends_with(b"endobj\n"));
    }

    #[test]
    fn a_stream_that_is_cut_off_is_ended_and_kept() {
        let bytes = b"3 0 obj\n<< /Type /Page /Contents 4 0 R >>\nendobj\n\
            4 0 obj\n<< /Length 90 >>\nstream\nBT (Un) Tj E";
        let whole = with_a_new_end(bytes).unwrap();
        let text = String::from_utf8(whole).unwrap();
        assert!(text.contains("(Un) Tj E\nendstream\nendobj\n5 0 obj"), "{text}");
        assert!(text.contains("/Kids [3 0 R ]") && text.contains("/Root 6 0 R"), "{text}");
    }

    #[test]
    fn nothing_is_made_of_files_without_pages_and_of_encrypted_ones() {
        let page = "3 0 obj << /Type /Page >> endobj ";
        for bytes in [
            "",
            "obj",
            "1 0 obj << /Type /Pages >> endobj",
            &format!("{page} trailer << /Encrypt 4 0 R >>"),
            &format!("{page} 4194303 0 obj null endobj"),
        ] {
            assert_eq!(with_a_new_end(bytes.as_bytes()), None, "{bytes}");
        }
    }
}
