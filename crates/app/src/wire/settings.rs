//! Settings, and the state of the machine behind them.

use ancre_domain::Language;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::WireError;

/// What a person chose, and what they may want to know.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The language of the interface; none: the system's.
    pub language: Option<Language>,
    /// Light or dark; none: the system's.
    pub theme: Option<Theme>,
    /// What closing the window does.
    pub when_closed: WhenClosed,
    /// Whether the person was told that work goes on behind a closed window.
    pub has_seen_closing_notice: bool,
    /// Where everything is kept.
    pub data_folder: String,
    /// The version of Ancre.
    pub version: String,
    /// The embedding model.
    pub engine: EngineStatus,
    /// Whether another Ancre is using the data folder, so that here it can only be read.
    pub is_read_only: bool,
    /// Whether nothing has been made yet: no base, no ticket.
    pub is_empty: bool,
}

/// The look of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Light, Self::Dark].into_iter().find(|theme| theme.as_str() == word)
    }
}

/// What closing the window does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum WhenClosed {
    /// While jobs run or wait the work goes on behind the closed window, and the program ends
    /// when it is done; else it ends at once.
    #[default]
    KeepWorking,
    /// The program stays in the tray, with or without work.
    StayInTray,
    /// The program ends; work goes on at the next start.
    Quit,
}

impl WhenClosed {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KeepWorking => "keep_working",
            Self::StayInTray => "stay_in_tray",
            Self::Quit => "quit",
        }
    }

    /// The choice that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::KeepWorking, Self::StayInTray, Self::Quit]
            .into_iter()
            .find(|choice| choice.as_str() == word)
    }
}

/// The state of the embedding model, which is loaded in the background at the start.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "state", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum EngineStatus {
    /// Not there yet; what needs it waits.
    Loading,
    /// Ready to embed.
    Ready {
        /// The model.
        model: ModelInfo,
    },
    /// It could not be loaded.
    Failed {
        /// Why, and what to do.
        error: WireError,
    },
}

/// An embedding model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    /// Its id.
    pub id: String,
    /// The version of its pack.
    pub version: String,
    /// The length of its vectors.
    pub dimension: u32,
    /// How many tokens it reads of a text.
    pub max_tokens: u32,
    /// The licence of its weights.
    pub license: String,
}

/// Changes settings. What is absent stays; `null` goes back to the system's choice,
/// where there is one.
#[derive(Debug, Clone, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateSettings {
    /// The language of the interface.
    #[serde(default, deserialize_with = "present")]
    #[ts(optional, as = "Option<Option<Language>>")]
    pub language: Option<Option<Language>>,
    /// Light or dark.
    #[serde(default, deserialize_with = "present")]
    #[ts(optional, as = "Option<Option<Theme>>")]
    pub theme: Option<Option<Theme>>,
    /// What closing the window does.
    #[serde(default)]
    #[ts(optional)]
    pub when_closed: Option<WhenClosed>,
    /// Whether the person was told that work goes on behind a closed window.
    #[serde(default)]
    #[ts(optional)]
    pub has_seen_closing_notice: Option<bool>,
}

/// Tells a field that is `null` from one that is absent.
fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}
