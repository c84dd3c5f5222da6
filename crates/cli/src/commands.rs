//! One module per command; each calls operations and prints their answers.

mod agent;
mod bench;
mod eval;
mod extract;
mod ingest;
mod jobs;
mod kb;
mod models;
mod question;
mod reindex;
mod search;
mod settings;
mod source;
mod ticket;

use ancre_app::Access;
use ancre_app::wire::WireError;

use crate::arguments::{Arguments, Command};
use crate::output::Outcome;
use crate::session::Session;

/// Carries out what was typed.
pub(crate) fn run(arguments: Arguments) -> Result<Outcome, WireError> {
    let Arguments { data, json, command } = arguments;
    // These two need no data folder, and so must not make one.
    let command = match command {
        Command::Extract(arguments) => return extract::run(arguments, data, json),
        Command::Eval(command) => return eval::run(command, data, json),
        other => other,
    };
    let access = if command.is_reading() { Access::Read } else { Access::Write };
    let session = Session::open(data, json, access)?;
    match command {
        Command::Kb(command) => kb::run(&session, command),
        Command::Source(command) => source::run(&session, command),
        Command::Ingest(arguments) => ingest::run(&session, arguments),
        Command::Jobs(command) => jobs::run(&session, command),
        Command::Search(arguments) => search::run(&session, arguments),
        Command::Around(arguments) => search::around(&session, &arguments),
        Command::Formats => settings::formats(&session),
        Command::Settings(command) => settings::run(&session, &command),
        Command::Samples(arguments) => settings::samples(&session, &arguments),
        Command::Agent(command) => agent::run(&session, command),
        Command::Ticket(command) => ticket::run(&session, command),
        Command::Bench(command) => bench::run(&session, command),
        Command::Models(command) => models::run(&session, command),
        Command::Extract(_) | Command::Eval(_) => Ok(Outcome::Done),
    }
}
