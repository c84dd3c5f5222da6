//! What reads documents for a running Ancre, and what it can do besides reading text.

use ancre_extract::{Libraries, Reader, WorkerCommand};

/// A reader of documents with the native libraries that were found for it.
#[derive(Debug)]
pub struct DocumentReader {
    reader: Reader,
    can_recognise: bool,
    can_draw_pages: bool,
}

impl DocumentReader {
    /// For hosts: parsers of binary and compressed formats run in worker processes, which
    /// `command` starts.
    pub fn isolated(command: WorkerCommand, libraries: Libraries) -> Self {
        let (can_draw_pages, can_recognise) = abilities(&libraries);
        Self { reader: Reader::isolated(command, libraries), can_recognise, can_draw_pages }
    }

    /// For tests: everything runs in this process, which a damaged file can end.
    pub fn in_process(libraries: Libraries) -> Self {
        let (can_draw_pages, can_recognise) = abilities(&libraries);
        Self { reader: Reader::in_process(libraries), can_recognise, can_draw_pages }
    }

    /// The reader.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Whether scanned pages can be recognised: it takes PDFium, Tesseract and its language data.
    pub fn can_recognise(&self) -> bool {
        self.can_recognise
    }

    /// Whether pages can be shown as pictures: it takes PDFium.
    pub fn can_draw_pages(&self) -> bool {
        self.can_draw_pages
    }
}

/// Whether these libraries draw pages, and whether they recognise them.
fn abilities(libraries: &Libraries) -> (bool, bool) {
    let can_draw = libraries.pdfium.is_some();
    (can_draw, can_draw && libraries.tesseract.is_some() && libraries.tessdata.is_some())
}
