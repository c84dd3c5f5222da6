//! Keeps ONNX Runtime from reporting to its maker.
//!
//! Its published builds queue a device id, the system and the program's path, and look for a way
//! to send them. The setting of its interface comes too late: the library begins when it is
//! loaded, and reads this variable then. Nothing may leave the machine unasked, so a library that
//! would report is not loaded at all.

/// The variable that ONNX Runtime reads when it is loaded.
const VARIABLE: &str = "ORT_DISABLE_TELEMETRY";

/// Forbids ONNX Runtime to report anything. A program calls this first in its `main`.
///
/// # Safety
///
/// The process must not have a second thread yet: one that reads the environment at the same
/// moment would read memory that is being changed.
#[allow(unsafe_code)] // The environment is the only way in, and the promise is the caller's.
#[allow(clippy::disallowed_methods)] // For the same reason.
pub unsafe fn forbid_telemetry() {
    // SAFETY: the caller promises that no other thread runs.
    unsafe { std::env::set_var(VARIABLE, "1") };
}

/// Whether somebody forbade it.
pub(super) fn is_forbidden() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "1")
}
