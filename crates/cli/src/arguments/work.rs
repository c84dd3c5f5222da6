//! What takes its time: files that are read, and the jobs that do it.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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
