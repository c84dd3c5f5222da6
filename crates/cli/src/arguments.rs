//! What a person can type.

use std::path::PathBuf;

use ancre_domain::SearchMode;
use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Show what ingestion would read of a file
    Extract(ExtractArguments),
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
    /// Measure quality on files of questions and answers
    #[command(subcommand)]
    Eval(EvalCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum KbCommand {
    /// Make an empty base
    Create {
        /// Its name
        name: String,
        /// What it is about
        #[arg(long, default_value = "")]
        description: String,
        /// The embedding model
        #[arg(long, value_name = "ID")]
        model: Option<String>,
        /// Characters per chunk [default: 2000]
        #[arg(long, value_name = "N")]
        chunk_size: Option<u32>,
        /// Characters that consecutive chunks share [default: 200]
        #[arg(long, value_name = "N")]
        chunk_overlap: Option<u32>,
    },
    /// List all bases
    List,
    /// Show a base and its documents
    Show {
        /// Its name or id
        kb: String,
    },
    /// Change a base; how texts are cut applies at the next indexing
    Update {
        /// Its name or id
        kb: String,
        /// Another name
        #[arg(long)]
        name: Option<String>,
        /// What it is about
        #[arg(long)]
        description: Option<String>,
        /// Characters per chunk
        #[arg(long, value_name = "N")]
        chunk_size: Option<u32>,
        /// Characters that consecutive chunks share
        #[arg(long, value_name = "N")]
        chunk_overlap: Option<u32>,
    },
    /// Show how much room everything takes
    Storage {
        /// Give back the room that deleted things took
        #[arg(long)]
        compact: bool,
    },
    /// Delete a base; its sources and all snapshots stay
    Delete {
        /// Its name or id
        kb: String,
    },
    /// Build a new index; the old one answers until it is whole
    Reindex(ReindexArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ReindexArguments {
    /// The base's name or id
    pub(crate) kb: String,
    /// The embedding model [default: the base's own]
    #[arg(long, value_name = "ID")]
    pub(crate) model: Option<String>,
    /// Characters per chunk [default: as the base says]
    #[arg(long, value_name = "N")]
    pub(crate) chunk_size: Option<u32>,
    /// Characters that consecutive chunks share [default: as the base says]
    #[arg(long, value_name = "N")]
    pub(crate) chunk_overlap: Option<u32>,
    /// Say what it would cost, and do nothing
    #[arg(long)]
    pub(crate) estimate: bool,
    /// Stop building the new index, and take away what is built of it
    #[arg(long, conflicts_with_all = ["estimate", "restore", "discard", "model", "chunk_size", "chunk_overlap"])]
    pub(crate) cancel: bool,
    /// Bring the previous index back
    #[arg(long, conflicts_with_all = ["estimate", "discard", "model", "chunk_size", "chunk_overlap"])]
    pub(crate) restore: bool,
    /// Take the previous index away, for the space on the disk
    #[arg(long, conflicts_with_all = ["estimate", "model", "chunk_size", "chunk_overlap"])]
    pub(crate) discard: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SourceCommand {
    /// List the library, newest first
    List {
        /// Only those with these words in their title or path
        query: Option<String>,
        /// Only those in this base, by name or id
        #[arg(long, value_name = "NAME")]
        kb: Option<String>,
        /// Only those that came so
        #[arg(long, value_enum)]
        kind: Option<Kind>,
    },
    /// Show a source, the bases it is in, and its text
    Show {
        /// Its title or id
        source: String,
    },
    /// Give a source another title, in every base
    Rename {
        /// Its title or id
        source: String,
        /// The new title
        title: String,
    },
    /// Put a new version in its place, in every base
    Replace {
        /// Its title or id
        source: String,
        /// The file with the new version, or `-` for a text on standard input
        path: PathBuf,
        /// Open the file with this password; it is not kept
        #[arg(long, value_name = "P")]
        password: Option<String>,
        /// Recognise the text of scanned pages, which takes seconds a page
        #[arg(long)]
        recognise: bool,
    },
    /// Add a source to a base
    Attach {
        /// Its title or id
        source: String,
        /// The base's name or id
        #[arg(long, value_name = "NAME")]
        kb: String,
    },
    /// Take a source out of a base; it stays in the library
    Detach {
        /// Its title or id
        source: String,
        /// The base's name or id
        #[arg(long, value_name = "NAME")]
        kb: String,
    },
    /// Delete a source from the library and every base; snapshots stay
    Delete {
        /// Its title or id
        source: String,
    },
}

/// How a source came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A file
    Upload,
    /// A page that was fetched
    Url,
    /// A page that a crawl found
    Crawl,
    /// A text that was pasted or piped in
    Inline,
}

impl From<Kind> for ancre_domain::SourceKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Upload => Self::Upload,
            Kind::Url => Self::Url,
            Kind::Crawl => Self::Crawl,
            Kind::Inline => Self::Inline,
        }
    }
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
                matches!(command, TicketCommand::List | TicketCommand::Show { .. })
            }
            Self::Jobs(command) => {
                matches!(command, JobsCommand::List | JobsCommand::Show { .. })
            }
            Self::Bench(command) => {
                matches!(command, BenchCommand::List { .. } | BenchCommand::Show { .. })
            }
            Self::Models(command) => matches!(command, ModelsCommand::List),
            Self::Search(_) => true,
            Self::Ingest(_) | Self::Extract(_) | Self::Eval(_) => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct IngestArguments {
    /// The base's name or id
    #[arg(long, value_name = "NAME", required_unless_present = "resume")]
    pub(crate) kb: Option<String>,
    /// A title in place of the document's own
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Files and folders, or `-` for standard input
    #[arg(required_unless_present = "resume")]
    pub(crate) paths: Vec<PathBuf>,
    /// Index what an interrupted ingestion left waiting, in every base
    #[arg(long, conflicts_with_all = ["kb", "paths", "title", "password", "recognise"])]
    pub(crate) resume: bool,
    /// Open the file with this password; it is not kept
    #[arg(long, value_name = "P")]
    pub(crate) password: Option<String>,
    /// Recognise the text of scanned pages, which takes seconds a page
    #[arg(long)]
    pub(crate) recognise: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobsCommand {
    /// List jobs: running, queued in their order, paused, then ended ones
    List,
    /// Show a job and its items
    Show {
        /// Its id
        id: String,
        /// Only items in this state: `queued`, `ready`, `failed`, `already_here`, `skipped`, `cancelled`…
        #[arg(long, value_name = "STATE")]
        state: Option<String>,
    },
    /// Keep a job from being worked on
    Pause {
        /// Its id
        id: String,
    },
    /// Let a paused job go on, and wait for its end
    Resume {
        /// Its id
        id: String,
    },
    /// End a job; what it finished stays
    Cancel {
        /// Its id
        id: String,
    },
    /// Try failed and cancelled items again, and wait for the end
    Retry {
        /// The job's id; the failed items of every job when left out
        id: Option<String>,
        /// Only the item of this number
        #[arg(long, value_name = "N", requires = "id")]
        item: Option<u32>,
        /// Open the item's file with this password; it is not kept
        #[arg(long, value_name = "P", requires = "id")]
        password: Option<String>,
        /// Recognise the text of pages that are scans
        #[arg(long, requires = "id")]
        recognise: bool,
    },
    /// Move a job before another, or behind all
    Move {
        /// Its id
        id: String,
        /// The job before which it is taken
        #[arg(long, value_name = "ID")]
        before: Option<String>,
    },
    /// Forget the jobs that have ended; what they made stays
    Clear,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArguments {
    /// The file; of an archive, what is in it is listed
    pub(crate) path: PathBuf,
    /// Open it with this password
    #[arg(long, value_name = "P")]
    pub(crate) password: Option<String>,
    /// Recognise the text of scanned pages, which takes seconds a page
    #[arg(long)]
    pub(crate) recognise: bool,
    /// Show this file of an archive
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Names or ids of bases, separated by commas
    #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',', required = true)]
    pub(crate) kb: Vec<String>,
    /// The question
    pub(crate) query: String,
    /// How many passages
    #[arg(long, default_value_t = 6)]
    pub(crate) top_k: u32,
    /// How far evidence of meaning reaches, a cosine distance from 0 to 2
    #[arg(long, value_name = "D")]
    pub(crate) max_distance: Option<f64>,
    /// How to search
    #[arg(long, value_enum, default_value_t = Mode::Hybrid)]
    pub(crate) mode: Mode,
    /// Put the best in order with the reranker that is installed; see `ancre models`
    #[arg(long)]
    pub(crate) rerank: bool,
    /// Say why each passage was found
    #[arg(long)]
    pub(crate) explain: bool,
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// By meaning and by words
    Hybrid,
    /// By the meaning of the question
    Vector,
    /// By the words of the question
    Text,
}

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hybrid => Self::Hybrid,
            Mode::Vector => Self::Vector,
            Mode::Text => Self::Text,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Make questions from JSON lines of {question, expected, mustRefuse} or lines of a question,
    /// a tab and a title
    Import {
        /// The base's name or id
        #[arg(long, value_name = "NAME")]
        kb: String,
        /// The file
        path: PathBuf,
    },
    /// List the questions and the measurements of a base
    List {
        /// The base's name or id
        #[arg(long, value_name = "NAME")]
        kb: String,
    },
    /// Measure a base with its questions
    Run {
        /// The base's name or id
        #[arg(long, value_name = "NAME")]
        kb: String,
        /// How to search
        #[arg(long, value_enum, default_value_t = Mode::Hybrid)]
        mode: Mode,
        /// How many passages an agent would get
        #[arg(long, default_value_t = 6)]
        top_k: u32,
        /// How far evidence of meaning reaches
        #[arg(long, value_name = "D")]
        max_distance: Option<f64>,
        /// Put the best in order with the reranker that is installed; see `ancre models`
        #[arg(long)]
        rerank: bool,
    },
    /// Show what became of each question of a measurement
    Show {
        /// The base's name or id
        #[arg(long, value_name = "NAME")]
        kb: String,
        /// The measurement; the latest when absent
        id: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List the models that are installed
    List,
    /// Import a reranker from the folder of a public cross-encoder
    Import {
        /// Holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, or is a pack
        folder: PathBuf,
        /// What it will be called [default: the name of the folder]
        #[arg(long)]
        id: Option<String>,
        /// The licence of its weights, such as Apache-2.0; needed unless the folder is a pack
        #[arg(long, value_name = "SPDX")]
        license: Option<String>,
        /// Where it came from [default: the folder]
        #[arg(long)]
        source: Option<String>,
        /// How many tokens it reads [default: as its tokenizer says, or 512]
        #[arg(long, value_name = "N")]
        max_tokens: Option<u32>,
    },
    /// Remove a reranker
    Remove {
        /// Its id
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Make an agent
    Create {
        /// Its name
        name: String,
        /// The bases it may search, by name or id, separated by commas
        #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
        kb: Vec<String>,
        /// What it is for
        #[arg(long, default_value = "")]
        description: String,
        /// How it should answer
        #[arg(long, default_value = "")]
        instructions: String,
        /// How many passages it is given
        #[arg(long, default_value_t = 6)]
        top_k: u32,
        /// How far evidence of meaning reaches
        #[arg(long, value_name = "D")]
        max_distance: Option<f64>,
        /// How its passages are found
        #[arg(long, value_enum, default_value_t = Mode::Hybrid)]
        mode: Mode,
        /// The closing line of its replies
        #[arg(long, default_value = "")]
        signature: String,
    },
    /// List all agents
    List,
    /// Show an agent
    Show {
        /// Its name or id
        agent: String,
    },
    /// Delete an agent; its runs stay
    Delete {
        /// Its name or id
        agent: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TicketCommand {
    /// Make a ticket from what a customer wrote
    New {
        /// Its subject
        #[arg(long, default_value = "")]
        subject: String,
        /// The customer's words; or give `-` to read them from standard input
        #[arg(
            long,
            allow_hyphen_values = true,
            required_unless_present = "stdin",
            conflicts_with = "stdin"
        )]
        body: Option<String>,
        /// `-`: read the customer's words from standard input
        #[arg(value_name = "-", value_parser = ["-"])]
        stdin: Option<String>,
        /// The agent that shall answer, by name or id
        #[arg(long)]
        agent: Option<String>,
    },
    /// List tickets, the last changed first
    List,
    /// Show a ticket and its latest draft
    Show {
        /// Its id
        id: String,
    },
    /// Let an agent draft a reply
    Draft {
        /// The ticket's id
        id: String,
        /// Another agent than the ticket's, by name or id
        #[arg(long)]
        agent: Option<String>,
    },
    /// Delete a ticket with its drafts and snapshots
    Delete {
        /// Its id
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// nDCG@10, recall@6 and MRR per language, on a corpus with judged questions
    Retrieval {
        /// JSON lines of {id, title, text, lang}
        #[arg(long, value_name = "F")]
        corpus: PathBuf,
        /// JSON lines of {id, text, lang}
        #[arg(long, value_name = "F")]
        queries: PathBuf,
        /// Lines of question id, document id, relevance, separated by tabs
        #[arg(long, value_name = "F")]
        qrels: PathBuf,
        /// How to search; several modes, separated by commas, give a report each
        #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Mode::Hybrid])]
        mode: Vec<Mode>,
    },
}
