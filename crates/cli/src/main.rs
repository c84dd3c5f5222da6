//! `ancre`: every use case of Ancre from a terminal.
//!
//! A thin host: it reads arguments, resolves names to ids, calls the same operations as the
//! window, and prints what comes back, for people or, with `--json`, as JSON. Exit codes: 0 done,
//! 1 some items failed, 2 wrong usage, 3 refused, 4 not found.

mod arguments;
mod commands;
#[cfg(test)]
mod coverage;
mod interruption;
mod names;
mod output;
mod session;

use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::Arguments;

fn main() -> ExitCode {
    if let Some(ended) = ancre_app::run_worker_if_asked() {
        return ended;
    }
    // SAFETY: nothing before has started a thread in a program that comes here.
    #[allow(unsafe_code)]
    unsafe {
        ancre_app::forbid_telemetry();
    }
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("ANCRE_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(refusal) => return output::print_usage(&refusal),
    };
    let json = arguments.json;
    match commands::run(arguments) {
        Ok(_) if !output::is_complete() => ExitCode::from(3),
        Ok(outcome) => outcome.exit_code(),
        Err(error) => {
            output::print_error(&error, json);
            output::exit_code_of(error.code)
        }
    }
}
