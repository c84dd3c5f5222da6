//! Starts the desktop application.

// On Windows a window program must not open a console as well.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    // SAFETY: this is the first statement of the program; there is no other thread yet.
    #[allow(unsafe_code)]
    unsafe {
        ancre_app::forbid_telemetry();
    }
    ancre_desktop::run()
}
