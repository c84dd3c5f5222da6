//! PDF: pages of placed characters, made into headings, paragraphs, lists and tables again.
//!
//! PDFium finds the characters and what is drawn around them (`engine`, `page`, `character`, `drawn`);
//! everything after is geometry and words: `line` gathers characters into lines, `boilerplate` drops running headers, `heading`, `table` and
//! `paragraph` make blocks. Where PDFium is not installed, `fallback` reads the words alone. Scans
//! go to `scan`; files without an end get one from `salvage`. Lines stay in the order in which the
//! file writes them, unless that is plainly not the order of reading (`order`): sorting every page
//! by place breaks more than it mends.

mod accent;
#[cfg(feature = "pdf-extract")]
mod bare;
mod blocks;
mod boilerplate;
mod bookmark;
mod character;
mod drawn;
mod engine;
#[cfg(feature = "pdf-extract")]
mod fallback;
mod heading;
mod hyphen;
mod item;
mod leader;
mod line;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod made_up;
mod order;
mod page;
mod paragraph;
mod salvage;
mod scan;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod written;

use ancre_domain::{PageKind, Warning};
use pdfium_render::prelude::{PdfDocument, PdfDocumentMetadataTagType, PdfPageObjectsCommon as _};

#[cfg(feature = "pdf-extract")]
use self::bare::lost as lost_of_bare;
#[cfg(feature = "pdf-extract")]
use self::fallback::read as read_without_pdfium;
use self::page::Page;
#[cfg(not(feature = "pdf-extract"))]
use self::without_fallback::{lost_of_bare, read_without_pdfium};
use crate::content::{Block, Content};
use crate::input::Input;
use crate::recognition::{self, Recogniser};
use crate::{ExtractError, compose};

pub(crate) use self::engine::{Opened, with_document};
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use self::salvage::with_a_new_end;

/// The most pages that are read of one document.
const MAX_PAGES: u32 = 10_000;

/// Reads the document.
///
/// # Errors
///
/// [`ExtractError::Password`] and [`WrongPassword`](ExtractError::WrongPassword),
/// [`Corrupt`](ExtractError::Corrupt), [`TooLarge`](ExtractError::TooLarge),
/// [`NoTextLayer`](ExtractError::NoTextLayer), [`Empty`](ExtractError::Empty), and what the
/// recogniser says.
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let open = || recognition::open(input.libraries);
    with_document(input, |opened| read_document(opened, input, &open))
        .unwrap_or_else(|| read_without_pdfium(input))
}

/// What a build without `pdf-extract` does in its place.
#[cfg(not(feature = "pdf-extract"))]
mod without_fallback {
    use super::{Content, ExtractError, Input};

    pub(super) fn read_without_pdfium(_: &Input<'_>) -> Result<Content, ExtractError> {
        Err(ExtractError::Unsupported { format: "PDF".to_owned() })
    }

    pub(super) fn lost_of_bare(_: &[u8], _: &[u32], _: u32) -> Vec<u32> {
        Vec::new()
    }
}

fn read_document(
    Opened { document, is_salvaged }: &Opened<'_>,
    input: &Input<'_>,
    open_recogniser: &dyn Fn() -> Result<Box<dyn Recogniser>, ExtractError>,
) -> Result<Content, ExtractError> {
    let total = u32::try_from(document.pages().len()).unwrap_or_default();
    refuse_too_many_pages(total)?;
    let ReadPages { mut pages, mut lost, bare } = read_pages(document, total)?;
    if pages.is_empty() {
        return Err(ExtractError::corrupt("none of its pages can be read"));
    }
    if !is_salvaged {
        lost.extend(lost_of_bare(input.bytes, &bare, total));
        lost.sort_unstable();
    }
    let title = document.metadata().get(PdfDocumentMetadataTagType::Title);
    let mut content = Content {
        title: title.map(|tag| tag.value().to_owned()),
        page_kind: Some(PageKind::Page),
        ..Content::default()
    };
    let scanned: Vec<u32> = pages.iter().filter(|it| it.is_scan()).map(|it| it.number).collect();
    let has_text = pages.iter().any(|page| !page.is_scan() && page.has_text());
    let is_partial = *is_salvaged || !lost.is_empty();
    if is_partial {
        content.warnings.push(Warning::Partial { pages: lost });
    }
    let mut recognised: Vec<u32> =
        pages.iter().filter(|it| it.is_recognised()).map(|it| it.number).collect();
    if scanned.is_empty() {
        if !has_text {
            let nothing = ExtractError::corrupt("none of its pages can be read");
            return Err(if is_partial { nothing } else { ExtractError::Empty });
        }
    } else if input.recognise {
        let recogniser = open_recogniser()?;
        scan::recognise(document, &mut pages, &*recogniser, input.progress)?;
        recognised.extend(&scanned);
        recognised.sort_unstable();
    } else if has_text {
        content.warnings.push(Warning::ScannedPages { pages: scanned, total });
    } else {
        return Err(ExtractError::NoTextLayer { pages: total });
    }
    if !recognised.is_empty() {
        content.warnings.push(Warning::RecognisedPages { pages: recognised, total });
    }
    boilerplate::remove(&mut pages);
    heading::mark(&mut pages, &bookmark::of(document));
    content.blocks = blocks::of_pages(pages);
    Ok(content)
}

/// What became of the pages.
#[derive(Default)]
struct ReadPages {
    pages: Vec<Page>,
    /// The numbers of those that cannot be read.
    lost: Vec<u32>,
    /// The numbers of those that were read and have nothing on them, not even a line.
    bare: Vec<u32>,
}

fn read_pages(document: &PdfDocument<'_>, total: u32) -> Result<ReadPages, ExtractError> {
    let mut read = ReadPages::default();
    let mut byte_count = 0_usize;
    for number in 1..=total {
        let loaded = i32::try_from(number - 1).ok().and_then(|at| document.pages().get(at).ok());
        let page = loaded.as_ref().and_then(|loaded| page::read(loaded, number));
        let (Some(loaded), Some(page)) = (loaded, page) else {
            read.lost.push(number);
            continue;
        };
        byte_count += page.byte_count();
        if byte_count > compose::MAX_TEXT_BYTES {
            return Err(ExtractError::TooLarge {
                what: "its text".to_owned(),
                size: "more".to_owned(),
                limit: format!("{} MiB", compose::MAX_TEXT_BYTES >> 20),
            });
        }
        if loaded.objects().is_empty() {
            read.bare.push(number);
        }
        read.pages.push(page);
    }
    Ok(read)
}

fn refuse_too_many_pages(total: u32) -> Result<(), ExtractError> {
    if total > MAX_PAGES {
        return Err(ExtractError::TooLarge {
            what: "the document".to_owned(),
            size: format!("{total} pages"),
            limit: format!("{MAX_PAGES} pages"),
        });
    }
    Ok(())
}

/// The block that begins a page. A label that only repeats the number says nothing.
fn page_block(number: u32, label: Option<String>) -> Block {
    let label = label.filter(|label| !label.trim().is_empty() && *label != number.to_string());
    Block::Page { number, label }
}
