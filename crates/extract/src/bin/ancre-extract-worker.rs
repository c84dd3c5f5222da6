//! The worker that reads documents, alone: for the tests of `ancre-extract` and for tools that
//! measure it. The product does not ship it; there the worker is the application's own program.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    ancre_extract::run_worker_if_asked().unwrap_or_else(|| {
        let _ = writeln!(
            std::io::stderr(),
            "Its only argument is `{}`, and it is started by a program that reads documents.",
            ancre_extract::WORKER_ARGUMENT
        );
        ExitCode::from(2)
    })
}
