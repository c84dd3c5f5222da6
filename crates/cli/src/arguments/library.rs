//! The library: sources, and what a base does with them.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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
    Attach(InBase),
    /// Take a source out of a base; it stays in the library
    Detach(InBase),
    /// Let the searches of a base find a source again
    Enable(InBase),
    /// Keep the searches of a base from finding a source; it keeps its place
    Disable(InBase),
    /// Index a source again in a base where it is queued or in error
    Retry(InBase),
    /// Recognise the scanned pages of a source in a base, which takes seconds a page
    Recognise(InBase),
    /// Delete a source from the library and every base; snapshots stay
    Delete {
        /// Its title or id
        source: String,
    },
}

/// A source, and one of the bases.
#[derive(Debug, Args)]
pub(crate) struct InBase {
    /// Its title or id
    pub(crate) source: String,
    /// The base's name or id
    #[arg(long, value_name = "NAME")]
    pub(crate) kb: String,
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
