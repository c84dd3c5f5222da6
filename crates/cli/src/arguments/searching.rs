//! Search, and what stands around what was found.

use ancre_domain::SearchMode;
use clap::{Args, ValueEnum};

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
    /// Say why each passage was found, and its id for `ancre around`
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AroundArguments {
    /// The passage's id; see `ancre search --explain`
    pub(crate) passage: String,
    /// How many passages before it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) before: u32,
    /// How many behind it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) after: u32,
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
