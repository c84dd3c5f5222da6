//! Pages on which PDFium finds nothing at all: blank ones, and those whose content is damaged.
//!
//! PDFium does not say that a content stream could not be unpacked; the page is just empty. So the
//! streams of such pages, and only of those, are looked at once more with `lopdf`. A page counts as
//! lost only if its stream cannot be unpacked, is no content, or shows text; a blank page may set
//! colours, clip and mark as much as it likes. Encrypted documents are not looked at.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::content::Content;
use pdf_extract::{Document, Object, ObjectId};

/// The largest packed stream that is unpacked. From a larger one something would have been drawn.
const MAX_PACKED: usize = 256 << 10;

/// The largest file that is read a second time.
const MAX_BYTES: usize = 256 << 20;

/// The pages of these, ascending, that are not blank but lost. `total` are all of the document.
pub(super) fn lost(bytes: &[u8], bare: &[u32], total: u32) -> Vec<u32> {
    if bare.is_empty() || bytes.len() > MAX_BYTES {
        return Vec::new();
    }
    // What a panic leaves half done is dropped here.
    let looked = catch_unwind(AssertUnwindSafe(|| {
        let document = Document::load_mem(bytes).ok().filter(|it| !it.is_encrypted())?;
        let pages = document.get_pages();
        // Who counts otherwise means other pages by the same numbers.
        let is_same = u32::try_from(pages.len()) == Ok(total);
        let is_lost = |number: &&u32| pages.get(number).is_some_and(|it| is_lost(&document, *it));
        is_same.then(|| bare.iter().filter(is_lost).copied().collect())
    }));
    looked.ok().flatten().unwrap_or_default()
}

fn is_lost(document: &Document, page: ObjectId) -> bool {
    document.get_page_contents(page).into_iter().any(|id| {
        // A stream that is named but not there was there once.
        let Ok(stream) = document.get_object(id).and_then(Object::as_stream) else { return true };
        if stream.content.trim_ascii().is_empty() {
            return false;
        }
        if stream.content.len() > MAX_PACKED {
            return true;
        }
        match stream.get_plain_content() {
            Ok(content) if content.is_empty() => !is_packed_nothing(&stream.content),
            Ok(content) => is_damaged_or_shows_text(&content),
            // Packed in a way that `lopdf` does not know.
            Err(pdf_extract::Error::Unimplemented(_)) => false,
            Err(_) => true,
        }
    })
}

/// Whether so few bytes are packed that nothing was packed: an empty zlib stream has eight.
fn is_packed_nothing(packed: &[u8]) -> bool {
    packed.len() <= 16
}

fn is_damaged_or_shows_text(content: &[u8]) -> bool {
    if content.trim_ascii().is_empty() {
        return false;
    }
    Content::decode(content).map_or(true, |content| {
        let shows = |operator: &str| matches!(operator, "Tj" | "TJ" | "'" | "\"");
        content.operations.is_empty() || content.operations.iter().any(|it| shows(&it.operator))
    })
}
