//! Which rankings a search follows.

use serde::{Deserialize, Serialize};

/// How a search finds its passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SearchMode {
    /// By meaning and by words, both rankings fused.
    #[default]
    Hybrid,
    /// By meaning: the nearest vectors.
    Vector,
    /// By words: the full-text index.
    Text,
}

impl SearchMode {
    /// Each of them, the default first.
    pub const ALL: [Self; 3] = [Self::Hybrid, Self::Vector, Self::Text];

    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Vector => "vector",
            Self::Text => "text",
        }
    }

    /// The mode that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word)
    }
}
