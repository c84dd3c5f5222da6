//! Text in pictures.
//!
//! One trait with one implementation, so that the engine can be replaced: what turns a page's
//! picture into words knows nothing of PDF, and the PDF reader knows nothing of engines.

use crate::ExtractError;
use crate::input::Libraries;

/// A picture in shades of grey, row by row, 0 for black.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrayImage {
    /// Pixels in a row.
    pub(crate) width: u32,
    /// Rows.
    pub(crate) height: u32,
    /// `width * height` bytes.
    pub(crate) pixels: Vec<u8>,
    /// Pixels to an inch of the page.
    pub(crate) dots_per_inch: u32,
}

/// What was recognised in a picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Recognised {
    /// Its paragraphs in reading order; line ends within stay, words divided at them are joined.
    pub(crate) paragraphs: Vec<String>,
    /// How sure the engine is, from 0 to 1.
    pub(crate) confidence: f32,
}

/// Turns a picture of a page, upright or turned by a quarter, into words (French and English).
pub(crate) trait Recogniser {
    /// The words of a picture; no paragraphs where there are none.
    ///
    /// # Errors
    ///
    /// What the engine says.
    fn recognise(&self, image: &GrayImage) -> Result<Recognised, ExtractError>;
}

/// Loads the engine.
///
/// # Errors
///
/// [`ExtractError::Unsupported`] where it is not installed.
pub(crate) fn open(_libraries: &Libraries) -> Result<Box<dyn Recogniser>, ExtractError> {
    Err(ExtractError::Unsupported { format: "scanned".to_owned() })
}
