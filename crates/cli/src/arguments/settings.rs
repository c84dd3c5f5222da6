//! What is chosen for the whole program, and the samples.

use ancre_app::wire::{Theme, WhenClosed};
use ancre_domain::Language;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// Show the settings and the state of the embedding model
    Show,
    /// Change settings; what is not said stays
    Set(SetArguments),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct SetArguments {
    /// The language of the window, and of replies whose message does not tell its own
    #[arg(long, value_enum)]
    pub(crate) language: Option<LanguageChoice>,
    /// The look of the window
    #[arg(long, value_enum)]
    pub(crate) theme: Option<ThemeChoice>,
    /// What closing the window does
    #[arg(long, value_enum)]
    pub(crate) when_closed: Option<ClosingChoice>,
}

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageChoice {
    /// French
    Fr,
    /// English
    En,
    /// As the system says
    System,
}

impl From<LanguageChoice> for Option<Language> {
    fn from(choice: LanguageChoice) -> Self {
        match choice {
            LanguageChoice::Fr => Some(Language::Fr),
            LanguageChoice::En => Some(Language::En),
            LanguageChoice::System => None,
        }
    }
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeChoice {
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
    /// As the system says
    System,
}

impl From<ThemeChoice> for Option<Theme> {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::Light => Some(Theme::Light),
            ThemeChoice::Dark => Some(Theme::Dark),
            ThemeChoice::System => None,
        }
    }
}

/// What closing the window does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClosingChoice {
    /// Work goes on, then the program ends
    KeepWorking,
    /// The program stays in the tray
    StayInTray,
    /// The program ends
    Quit,
}

impl From<ClosingChoice> for WhenClosed {
    fn from(choice: ClosingChoice) -> Self {
        match choice {
            ClosingChoice::KeepWorking => Self::KeepWorking,
            ClosingChoice::StayInTray => Self::StayInTray,
            ClosingChoice::Quit => Self::Quit,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SamplesArguments {
    /// Their language
    #[arg(long, value_enum, default_value_t = SampleLanguage::En)]
    pub(crate) language: SampleLanguage,
}

/// The language of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SampleLanguage {
    /// French
    Fr,
    /// English
    En,
}

impl From<SampleLanguage> for Language {
    fn from(language: SampleLanguage) -> Self {
        match language {
            SampleLanguage::Fr => Self::Fr,
            SampleLanguage::En => Self::En,
        }
    }
}
