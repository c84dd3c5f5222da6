//! What a person can type.
//!
//! One module for each part of the program; the doc comments are what `--help` prints.

mod bases;
mod desk;
mod library;
mod measuring;
mod models;
mod searching;
mod settings;
mod work;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub(crate) use self::bases::{KbCommand, ReindexArguments};
pub(crate) use self::desk::{AgentCommand, TicketCommand};
pub(crate) use self::library::{InBase, SourceCommand};
pub(crate) use self::measuring::{Answer, BenchCommand, EvalCommand};
pub(crate) use self::models::ModelsCommand;
pub(crate) use self::searching::{AroundArguments, Mode, SearchArguments};
pub(crate) use self::settings::{SamplesArguments, SetArguments, SettingsCommand};
pub(crate) use self::work::{ExtractArguments, IngestArguments, JobsCommand};

/// Answers tickets from your own documents, each sentence with its source.
#[derive(Debug, Parser)]
#[command(name = "ancre", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// Use this data folder instead of the usual one
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Print JSON: one document, or one line per event while a job runs
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Knowledge bases
    #[command(subcommand)]
    Kb(KbCommand),
    /// The library: sources, stored once and added to any number of bases
    #[command(subcommand)]
    Source(SourceCommand),
    /// Add files and folders to a base; `-` reads text from standard input
    Ingest(IngestArguments),
    /// Work that waits, runs or has ended
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// Find the passages nearest to a question
    Search(SearchArguments),
    /// Show a passage with those before and behind it
    Around(AroundArguments),
    /// Show what ingestion would read of a file
    Extract(ExtractArguments),
    /// List the formats that are read
    Formats,
    /// Agents
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Tickets and drafts
    #[command(subcommand)]
    Ticket(TicketCommand),
    /// Questions that measure a base
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Models that are installed, and rerankers of your own
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Settings
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// Put a sample help centre, its agent and tickets in place
    Samples(SamplesArguments),
    /// Measure quality on files of questions and answers
    #[command(subcommand)]
    Eval(EvalCommand),
}

impl Command {
    /// Whether it changes nothing, so that it works beside an open window, at once.
    pub(crate) fn is_reading(&self) -> bool {
        match self {
            Self::Kb(command) => matches!(
                command,
                KbCommand::List | KbCommand::Show { .. } | KbCommand::Storage { compact: false }
            ),
            Self::Source(command) => {
                matches!(command, SourceCommand::List { .. } | SourceCommand::Show { .. })
            }
            Self::Agent(command) => {
                matches!(command, AgentCommand::List | AgentCommand::Show { .. })
            }
            Self::Ticket(command) => {
                matches!(
                    command,
                    TicketCommand::List
                        | TicketCommand::Show { .. }
                        | TicketCommand::Passage { .. }
                )
            }
            Self::Jobs(command) => {
                matches!(command, JobsCommand::List | JobsCommand::Show { .. })
            }
            Self::Bench(command) => {
                matches!(command, BenchCommand::List { .. } | BenchCommand::Show { .. })
            }
            Self::Models(command) => matches!(command, ModelsCommand::List),
            Self::Settings(command) => matches!(command, SettingsCommand::Show),
            Self::Search(_) | Self::Around(_) | Self::Formats => true,
            Self::Ingest(_) | Self::Samples(_) | Self::Extract(_) | Self::Eval(_) => false,
        }
    }
}
