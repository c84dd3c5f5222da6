//! Knowledge bases and their indexes.

use clap::{Args, Subcommand};

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
