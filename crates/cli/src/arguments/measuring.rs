//! Questions that measure a base, and corpora that measure the search.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Mode;

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
    /// Make a question
    Add {
        /// The base's name or id
        #[arg(long, value_name = "NAME")]
        kb: String,
        /// The question, as a customer would ask it
        question: String,
        #[command(flatten)]
        answer: Answer,
    },
    /// Change a question; what is not said stays
    Change {
        /// The question's id; see `ancre bench list`
        id: String,
        /// Other words
        #[arg(long, value_name = "TEXT")]
        question: Option<String>,
        #[command(flatten)]
        answer: Answer,
    },
    /// Delete a question; measurements that asked it stay
    Remove {
        /// The question's id
        id: String,
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
        /// The measurement; the latest when absent
        id: Option<String>,
        /// Only among those of this base, by name or id
        #[arg(long, value_name = "NAME")]
        kb: Option<String>,
    },
    /// Delete a measurement
    Delete {
        /// Its id
        id: String,
    },
}

/// What answers a question.
#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The source that answers it, by title or id; may be given several times
    #[arg(long, value_name = "TITLE")]
    pub(crate) expect: Vec<String>,
    /// Nothing in the base answers it: it must be refused
    #[arg(long, conflicts_with = "expect")]
    pub(crate) refuse: bool,
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
