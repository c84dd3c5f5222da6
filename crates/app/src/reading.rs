//! What reads documents for a running Ancre, and what it can do besides reading text.

use ancre_extract::{Libraries, Reader};

/// A reader of documents with the native libraries that were found for it.
#[derive(Debug)]
pub struct DocumentReader {
    reader: Reader,
    can_recognise: bool,
    can_draw_pages: bool,
}

impl DocumentReader {
    /// For hosts: parsers of binary and compressed formats run apart from this process.
    pub fn isolated(libraries: Libraries) -> Self {
        Self::over(&libraries, Reader::in_process(libraries.clone()))
    }

    /// For tests: everything runs in this process, which a damaged file can end.
    pub fn in_process(libraries: Libraries) -> Self {
        Self::over(&libraries, Reader::in_process(libraries.clone()))
    }

    fn over(libraries: &Libraries, reader: Reader) -> Self {
        let can_draw_pages = libraries.pdfium.is_some();
        let can_recognise =
            can_draw_pages && libraries.tesseract.is_some() && libraries.tessdata.is_some();
        Self { reader, can_recognise, can_draw_pages }
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
