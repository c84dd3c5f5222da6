//! Starts the desktop application.

// On Windows a window program must not open a console as well.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(ended) = ancre_app::run_worker_if_asked() {
        return ended;
    }
    // SAFETY: nothing before has started a thread in a program that comes here.
    #[allow(unsafe_code)]
    unsafe {
        ancre_app::forbid_telemetry();
    }
    ancre_desktop::run()
}
