//! Scanned pages, drawn and recognised.

use pdfium_render::prelude::PdfDocument;

use super::page::Page;
use crate::input::ReadProgress;
use crate::recognition::Recogniser;
use crate::{ExtractError, picture};

/// What recognition programs are trained on, in dots per inch.
const RESOLUTION: u32 = 300;

/// Recognises the pages that are scans, one by one; `progress` hears of each.
///
/// # Errors
///
/// What the recogniser says, and [`ExtractError::Corrupt`] where a page cannot be drawn.
pub(super) fn recognise(
    document: &PdfDocument<'_>,
    pages: &mut [Page],
    recogniser: &dyn Recogniser,
    progress: &dyn Fn(ReadProgress),
) -> Result<(), ExtractError> {
    let mut scans: Vec<&mut Page> = pages.iter_mut().filter(|page| page.is_scan()).collect();
    let pages_total = u32::try_from(scans.len()).unwrap_or(u32::MAX);
    for (page, pages_done) in scans.iter_mut().zip(1..) {
        let image = picture::gray(document, page.number, RESOLUTION)?;
        page.recognised = recogniser.recognise(&image)?.paragraphs;
        progress(ReadProgress { pages_done, pages_total });
    }
    Ok(())
}
