//! What a parser is given.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The native libraries that parsers load at run time, by absolute path: nothing is searched for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Libraries {
    /// PDFium's shared library; without it PDFs are read by a simpler reader.
    pub pdfium: Option<PathBuf>,
    /// Tesseract's shared library; without it scans are not recognised.
    pub tesseract: Option<PathBuf>,
    /// The folder of Tesseract's language data.
    pub tessdata: Option<PathBuf>,
}

/// What one page's recognition or reading has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadProgress {
    /// How many pages are recognised.
    pub pages_done: u32,
    /// How many there are to recognise.
    pub pages_total: u32,
}

/// A document and how to read it, as every parser takes it.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    /// The document.
    pub(crate) bytes: &'a [u8],
    /// Its file name, without folders.
    pub(crate) file_name: &'a str,
    /// The password that somebody gave.
    pub(crate) password: Option<&'a str>,
    /// Whether scanned pages are recognised.
    pub(crate) recognise: bool,
    /// The native libraries.
    pub(crate) libraries: &'a Libraries,
    /// How many documents this one lies in: a mail's attachment has 1. Past
    /// [`MAX_DEPTH`](Self::MAX_DEPTH) nothing is opened.
    pub(crate) depth: u8,
    /// Hears of each recognised page.
    pub(crate) progress: &'a dyn Fn(ReadProgress),
}

impl Input<'_> {
    /// A mail in a mail in a mail is opened; what lies deeper is a trick.
    pub(crate) const MAX_DEPTH: u8 = 3;
}
