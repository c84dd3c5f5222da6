//! The languages in which Ancre answers.

use serde::{Deserialize, Serialize};

/// A language that the product speaks: its interface, its replies, its rules for sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Language {
    /// French.
    Fr,
    /// English.
    En,
}

impl Language {
    /// Both, in the order in which the interface lists them.
    pub const ALL: [Self; 2] = [Self::Fr, Self::En];

    /// The ISO 639-1 code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Fr => "fr",
            Self::En => "en",
        }
    }

    /// The language with this ISO 639-1 code, if it is one of ours.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }
}
