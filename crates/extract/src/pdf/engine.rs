//! PDFium, loaded once for the process, and documents opened with it.
//!
//! PDFium is not made for several threads. The binding locks each call, but the reason of a failed
//! opening is asked for in a second call, so documents are read one after the other here.

use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use pdfium_render::prelude::{PdfDocument, Pdfium, PdfiumError, PdfiumInternalError};

use crate::ExtractError;
use crate::input::Input;

/// The library, once it is loaded. A process can load one; who asks for another gets this one.
static PDFIUM: OnceLock<Pdfium> = OnceLock::new();

/// Held while a document is open.
static TURN: Mutex<()> = Mutex::new(());

/// What `read` makes of the document; `None` where PDFium is not installed or does not load.
pub(crate) fn with_document<T>(
    input: &Input<'_>,
    read: impl FnOnce(&PdfDocument<'_>) -> Result<T, ExtractError>,
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
    Some(open(pdfium, input).and_then(|document| read(&document)))
}

fn bound(path: &Path) -> Result<&'static Pdfium, PdfiumError> {
    if let Some(pdfium) = PDFIUM.get() {
        return Ok(pdfium);
    }
    let bindings = Pdfium::bind_to_library(path)?;
    Ok(PDFIUM.get_or_init(|| Pdfium::new(bindings)))
}

fn open<'a>(pdfium: &'a Pdfium, input: &Input<'a>) -> Result<PdfDocument<'a>, ExtractError> {
    // A password with a NUL character cannot be handed over, and opens nothing.
    if input.password.is_some_and(|password| password.contains('\0')) {
        return Err(ExtractError::WrongPassword);
    }
    pdfium.load_pdf_from_byte_slice(input.bytes, input.password).map_err(|error| match error {
        PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::PasswordError) => {
            match input.password {
                Some(_) => ExtractError::WrongPassword,
                None => ExtractError::Password { can_unlock: true },
            }
        }
        PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::SecurityError) => {
            ExtractError::Password { can_unlock: false }
        }
        _ => ExtractError::corrupt("it has not the structure of a PDF"),
    })
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
