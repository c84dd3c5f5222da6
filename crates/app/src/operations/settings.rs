//! Settings and the state of the model.

use ancre_domain::{Language, PageRequest};

use super::Never;
use crate::Ancre;
use crate::wire::{EngineStatus, Event, Nothing, Settings, Theme, UpdateSettings, WireError};

const LANGUAGE: &str = "language";
const THEME: &str = "theme";
/// Stands in the store where a person went back to the system's choice.
const SYSTEM: &str = "system";

/// Shows the settings.
///
/// # Errors
///
/// What the store says.
pub fn get_settings(ancre: &Ancre, _: Nothing, _: &dyn Fn(Never)) -> Result<Settings, WireError> {
    let store = ancre.store();
    let language = store.setting(LANGUAGE)?.and_then(|code| Language::from_code(&code));
    let theme = store.setting(THEME)?.and_then(|word| Theme::from_word(&word));
    let first = PageRequest { offset: 0, limit: 1 };
    let is_empty = store.list_knowledge_bases(ancre.project())?.is_empty()
        && store.list_tickets(ancre.project(), first)?.total == 0;
    Ok(Settings {
        language,
        theme,
        data_folder: ancre.data_folder().display().to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine: ancre.engine().status(),
        is_read_only: ancre.is_read_only(),
        is_empty,
    })
}

/// The language of a reply whose message and passages do not tell theirs: the interface's.
pub(super) fn reply_language(ancre: &Ancre) -> Result<Language, WireError> {
    let chosen = ancre.store().setting(LANGUAGE)?;
    Ok(chosen.and_then(|code| Language::from_code(&code)).unwrap_or(Language::En))
}

/// Changes settings.
///
/// # Errors
///
/// What the store says.
pub fn update_settings(
    ancre: &Ancre,
    input: UpdateSettings,
    progress: &dyn Fn(Never),
) -> Result<Settings, WireError> {
    let store = ancre.store();
    if let Some(language) = input.language {
        store.set_setting(LANGUAGE, language.map_or(SYSTEM, Language::code))?;
    }
    if let Some(theme) = input.theme {
        store.set_setting(THEME, theme.map_or(SYSTEM, Theme::as_str))?;
    }
    ancre.tell(Event::SettingsChanged);
    get_settings(ancre, Nothing {}, progress)
}

/// Tries again to load the model, and waits for the outcome.
///
/// # Errors
///
/// None: a model that does not load is a status.
pub fn reload_engine(
    ancre: &Ancre,
    _: Nothing,
    _: &dyn Fn(Never),
) -> Result<EngineStatus, WireError> {
    ancre.warm_up();
    Ok(ancre.engine().status())
}
