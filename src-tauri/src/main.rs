//! Starts the desktop application.

// On Windows a window program must not open a console as well.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    ancre_desktop::run()
}
