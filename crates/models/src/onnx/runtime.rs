//! Opens ONNX Runtime, once in a process.
//!
//! The bindings panic where they must find the library themselves, so they are told its path and
//! asked to check it before anything else calls them. A process can hold one ONNX Runtime; asking
//! again for the same file gives the same one, asking for another is refused. One that would report to
//! its maker is not loaded.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::logging::LogLevel;

use super::telemetry;
use crate::ModelError;

struct Opened {
    library: PathBuf,
    environment: Environment,
}

static OPENED: Mutex<Option<Opened>> = Mutex::new(None);

/// The environment of the ONNX Runtime at this path.
///
/// # Errors
///
/// [`ModelError::RuntimeMissing`] when there is no such file, it is no ONNX Runtime, it is older
/// than the bindings need (1.24), nobody called [`super::forbid_telemetry`], or the process already holds another.
pub(super) fn environment(library: &Path) -> Result<Environment, ModelError> {
    let refused = |detail: String| ModelError::RuntimeMissing { path: library.to_owned(), detail };
    let canonical = library.canonicalize().map_err(|error| refused(error.to_string()))?;
    if !canonical.is_file() {
        return Err(refused("it is not a file".to_owned()));
    }
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(opened) = opened.as_ref() {
        if opened.library == canonical {
            return Ok(opened.environment.clone());
        }
        let other = opened.library.display();
        return Err(refused(format!("{other} is already in use, and a process can hold only one")));
    }
    if !telemetry::is_forbidden() {
        return Err(refused("nobody forbade its telemetry when this program started".to_owned()));
    }
    // Loaded by its absolute, not its canonical path: on Windows the latter (`\\?\…`) would keep
    // the library from finding those beside it.
    let absolute = std::path::absolute(library).map_err(|error| refused(error.to_string()))?;
    let environment = ort::init_from(absolute)
        .map_err(|error| refused(error.to_string()))?
        .with_name("ancre")
        .with_telemetry(false)
        .build()
        .map_err(|error| refused(error.to_string()))?;
    environment.set_log_level(LogLevel::Error);
    *opened = Some(Opened { library: canonical, environment: environment.clone() });
    Ok(environment)
}
