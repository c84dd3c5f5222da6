//! Text in pictures.
//!
//! One trait with one implementation, so that the engine can be replaced: what turns a page's
//! picture into words knows nothing of PDF, and the PDF reader knows nothing of engines. The
//! engine is Tesseract, loaded at run time (`docs/decisions/0011-recognition.md`). It reads lines
//! that are level and upright, so the picture is brought into that position here; it leaves out
//! handwriting, formulas and every language but French and English.

mod layout;
mod level;
mod tesseract;

use std::time::Duration;

use crate::ExtractError;
use crate::input::Libraries;

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use level::levelled;
use tesseract::{Engine, Word};

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
    /// Its paragraphs in reading order. A line that ended because it was full runs on in the
    /// next one, and a word divided there is whole again; other line ends stay, such as those
    /// of a table's rows.
    pub(crate) paragraphs: Vec<String>,
    /// How sure the engine is of them, from 0 to 1; 0 where there are none.
    pub(crate) confidence: f32,
}

/// Turns a picture of a page, upright or turned by a quarter, into words (French and English).
pub(crate) trait Recogniser {
    /// The words of a picture; no paragraphs where there are none.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`] for a picture past [`MOST_PIXELS`], [`ExtractError::Timeout`]
    /// when it took too long, [`ExtractError::Corrupt`] when the engine failed on it.
    fn recognise(&self, image: &GrayImage) -> Result<Recognised, ExtractError>;
}

/// Loads the engine, which takes about 0.1 s: once for a document, not for each page.
///
/// # Errors
///
/// [`ExtractError::Unsupported`] where it is not installed.
pub(crate) fn open(libraries: &Libraries) -> Result<Box<dyn Recogniser>, ExtractError> {
    let (Some(library), Some(data)) = (&libraries.tesseract, &libraries.tessdata) else {
        return Err(not_installed("no engine is set up"));
    };
    let engine = Engine::load(library, data, LANGUAGES).map_err(not_installed)?;
    Ok(Box::new(Tesseract { engine }))
}

/// French first: its letters are a superset of the English ones.
const LANGUAGES: &str = "fra+eng";

/// An A2 page at 300 dots per inch has 35 million; the engine holds a picture about three times.
pub(crate) const MOST_PIXELS: u64 = 40_000_000;

/// An A4 page takes 1 to 2 seconds of a free core; this leaves room for a slow, busy machine.
const MOST_TIME: Duration = Duration::from_secs(40);

/// From here on a page is taken to be the right way up. On the scans of
/// `tests/scans/make_scans.py` upright pages had 0.92 or more, those upside down 0.55 or less.
const SURE: f32 = 0.75;

struct Tesseract {
    engine: Engine,
}

impl Recogniser for Tesseract {
    fn recognise(&self, image: &GrayImage) -> Result<Recognised, ExtractError> {
        check(image)?;
        let level = level::levelled(image);
        let words = self.words(&level)?;
        let sureness = confidence(&words);
        if words.is_empty() || sureness >= SURE {
            return Ok(recognised(&words));
        }
        let turned = self.words(&level::upside_down(&level))?;
        Ok(recognised(if confidence(&turned) > sureness { &turned } else { &words }))
    }
}

impl Tesseract {
    fn words(&self, image: &GrayImage) -> Result<Vec<Word>, ExtractError> {
        self.engine.words(image, MOST_TIME)
    }
}

fn check(image: &GrayImage) -> Result<(), ExtractError> {
    let pixels = u64::from(image.width) * u64::from(image.height);
    if pixels > MOST_PIXELS {
        return Err(ExtractError::TooLarge {
            what: "the picture of a page".to_owned(),
            size: format!("{} million pixels", pixels / 1_000_000),
            limit: format!("{} million", MOST_PIXELS / 1_000_000),
        });
    }
    if image.pixels.len() as u64 != pixels {
        return Err(ExtractError::corrupt("the picture of a page is not whole"));
    }
    Ok(())
}

fn recognised(words: &[Word]) -> Recognised {
    let (paragraphs, confidence) = layout::paragraphs(words);
    Recognised { paragraphs, confidence }
}

/// How sure the engine is of some words, from 0 to 1, long words counting more.
fn confidence(words: &[Word]) -> f32 {
    let (mut sum, mut letters) = (0.0, 0.0);
    for word in words {
        let length = word.text.chars().count() as f32;
        sum += word.confidence * length;
        letters += length;
    }
    if letters > 0.0 { sum / letters } else { 0.0 }
}

fn not_installed(reason: impl std::fmt::Display) -> ExtractError {
    tracing::warn!(%reason, "scans cannot be recognised");
    ExtractError::Unsupported {
        format: "scanned (the recognition of text is not installed)".to_owned(),
    }
}

#[cfg(test)]
mod tests;
