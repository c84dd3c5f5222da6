//! PDFium, loaded once for the process, and documents opened with it.
//!
//! PDFium is not made for several threads. The binding locks each call, but the reason of a failed
//! opening is asked for in a second call, so documents are read one after the other here.

use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use pdfium_render::prelude::{PdfDocument, Pdfium, PdfiumError, PdfiumInternalError};

use super::salvage;
use crate::ExtractError;
use crate::input::Input;

/// The library, once it is loaded. A process can load one; who asks for another gets this one.
static PDFIUM: OnceLock<Pdfium> = OnceLock::new();

/// Held while a document is open.
static TURN: Mutex<()> = Mutex::new(());

/// A document that was opened.
pub(crate) struct Opened<'a> {
    pub(crate) document: PdfDocument<'a>,
    /// Whether its end was missing, so that nobody knows which of its pages are.
    pub(crate) is_salvaged: bool,
}

/// What `read` makes of the document; `None` where PDFium is not installed or does not load.
pub(crate) fn with_document<T>(
    input: &Input<'_>,
    read: impl FnOnce(&Opened<'_>) -> Result<T, ExtractError>,
) -> Option<Result<T, ExtractError>> {
    let path = input.libraries.pdfium.as_deref()?;
    // Nothing is left half done by a reader that panicked: it owns what it makes.
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let pdfium = match bound(path) {
        Ok(pdfium) => pdfium,
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "PDFium does not load");
            return None;
        }
    };
    Some(open(pdfium, input).and_then(|opened| read(&opened)))
}

fn bound(path: &Path) -> Result<&'static Pdfium, PdfiumError> {
    if let Some(pdfium) = PDFIUM.get() {
        return Ok(pdfium);
    }
    let bindings = Pdfium::bind_to_library(path)?;
    Ok(PDFIUM.get_or_init(|| Pdfium::new(bindings)))
}

fn open<'a>(pdfium: &'a Pdfium, input: &Input<'a>) -> Result<Opened<'a>, ExtractError> {
    // A password with a NUL character cannot be handed over, and opens nothing.
    if input.password.is_some_and(|password| password.contains('\0')) {
        return Err(ExtractError::WrongPassword);
    }
    match pdfium.load_pdf_from_byte_slice(input.bytes, input.password) {
        Ok(document) if document.pages().is_empty() => {
            Ok(salvaged(pdfium, input).unwrap_or(Opened { document, is_salvaged: false }))
        }
        Ok(document) => Ok(Opened { document, is_salvaged: false }),
        Err(PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::PasswordError)) => {
            Err(match input.password {
                Some(_) => ExtractError::WrongPassword,
                None => ExtractError::Password { can_unlock: true },
            })
        }
        Err(PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::SecurityError)) => {
            Err(ExtractError::Password { can_unlock: false })
        }
        Err(_) => salvaged(pdfium, input)
            .ok_or_else(|| ExtractError::corrupt("it has not the structure of a PDF")),
    }
}

/// What can be read of the document when it is given an end.
fn salvaged<'a>(pdfium: &'a Pdfium, input: &Input<'_>) -> Option<Opened<'a>> {
    let bytes = salvage::with_a_new_end(input.bytes)?;
    let document = pdfium.load_pdf_from_byte_vec(bytes, None).ok()?;
    Some(Opened { document, is_salvaged: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_no_panic() {
        // Where another test was faster, the library that it loaded is there to be used.
        let is_bound = PDFIUM.get().is_some();
        assert!(is_bound || bound(Path::new("/nowhere/libpdfium.so")).is_err());
    }
}
