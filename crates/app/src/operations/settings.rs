//! Settings and the state of the model.

use ancre_domain::{Language, PageRequest};

use super::Never;
use crate::Ancre;
use crate::wire::{
    EngineStatus, Event, Nothing, Settings, Theme, UpdateSettings, WhenClosed, WireError,
};

const LANGUAGE: &str = "language";
const THEME: &str = "theme";
const WHEN_CLOSED: &str = "when_closed";
const CLOSING_NOTICE: &str = "closing_notice";
/// Stands in the store once the notice was seen.
const SEEN: &str = "seen";
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
        when_closed: when_closed(ancre)?,
        has_seen_closing_notice: has_seen_closing_notice(ancre)?,
        data_folder: ancre.data_folder().display().to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine: ancre.engine().status(),
        is_read_only: ancre.is_read_only(),
        is_empty,
    })
}

/// What closing the window does, for the host of the window; the default where a newer version
/// left a word that this one does not know.
///
/// # Errors
///
/// What the store says.
pub fn when_closed(ancre: &Ancre) -> Result<WhenClosed, WireError> {
    let word = ancre.store().setting(WHEN_CLOSED)?;
    Ok(word.and_then(|word| WhenClosed::from_word(&word)).unwrap_or_default())
}

/// Whether the person was told that work goes on behind a closed window.
///
/// # Errors
///
/// What the store says.
pub fn has_seen_closing_notice(ancre: &Ancre) -> Result<bool, WireError> {
    Ok(ancre.store().setting(CLOSING_NOTICE)?.as_deref() == Some(SEEN))
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
    if let Some(choice) = input.when_closed {
        store.set_setting(WHEN_CLOSED, choice.as_str())?;
    }
    if let Some(is_seen) = input.has_seen_closing_notice {
        store.set_setting(CLOSING_NOTICE, if is_seen { SEEN } else { "" })?;
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
