//! The program's place in the tray: an icon, and a menu that opens the window, says what is being
//! worked on, pauses it and quits.
//!
//! It is a convenience that many systems lack (Linux desktops without an indicator, a library
//! that is not installed), so it may be missing: then [`Tray::build`] gives none, and `closing.rs`
//! decides accordingly.

mod words;

use std::sync::{Mutex, PoisonError};

use tauri::menu::{Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Runtime};

pub use words::Words;

/// What a person asks of the tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The window.
    Open,
    /// Everything paused, or resumed.
    Toggle,
    /// The end.
    Quit,
}

const OPEN: &str = "tray-open";
const STATE: &str = "tray-state";
const TOGGLE: &str = "tray-toggle";
const QUIT: &str = "tray-quit";

/// The icon and the lines of its menu that change.
pub struct Tray<R: Runtime> {
    icon: TrayIcon<R>,
    open: MenuItem<R>,
    state: MenuItem<R>,
    toggle: MenuItem<R>,
    quit: MenuItem<R>,
    shown: Mutex<Option<(Words, bool)>>,
}

impl<R: Runtime> Tray<R> {
    /// Puts the icon in the tray; `None` where that cannot be. `heard` is called on the main
    /// thread and must not block. To be called on the main thread.
    pub fn build(
        app: &AppHandle<R>,
        words: &Words,
        heard: impl Fn(Wish) + Clone + Send + Sync + 'static,
    ) -> Option<Self> {
        if !is_possible() {
            tracing::warn!("this system has no library for an icon in the tray");
            return None;
        }
        Self::try_build(app, words, heard)
            .inspect_err(|error| tracing::warn!(%error, "there is no icon in the tray"))
            .ok()
    }

    fn try_build(
        app: &AppHandle<R>,
        words: &Words,
        heard: impl Fn(Wish) + Clone + Send + Sync + 'static,
    ) -> tauri::Result<Self> {
        let line =
            |id, text: &str, is_enabled| MenuItem::with_id(app, id, text, is_enabled, None::<&str>);
        let open = line(OPEN, words.open, true)?;
        let state = line(STATE, &words.state, false)?;
        let toggle = line(TOGGLE, words.toggle, words.can_toggle)?;
        let quit = line(QUIT, words.quit, true)?;
        let (above, below) =
            (PredefinedMenuItem::separator(app)?, PredefinedMenuItem::separator(app)?);
        let menu = Menu::with_items(app, &[&open, &above, &state, &toggle, &below, &quit])?;
        let mut icon = TrayIconBuilder::new()
            .menu(&menu)
            // A click opens the window where clicks are told; elsewhere it opens the menu.
            .show_menu_on_left_click(false)
            .tooltip("Ancre")
            .on_menu_event({
                let heard = heard.clone();
                move |_, event| match event.id().as_ref() {
                    OPEN => heard(Wish::Open),
                    TOGGLE => heard(Wish::Toggle),
                    QUIT => heard(Wish::Quit),
                    _ => {}
                }
            })
            .on_tray_icon_event(move |_, event| {
                if let TrayIconEvent::Click {
                    button: MouseButton::Left,
                    button_state: MouseButtonState::Up,
                    ..
                } = event
                {
                    heard(Wish::Open);
                }
            });
        if let Some(picture) = app.default_window_icon() {
            icon = icon.icon(picture.clone());
        }
        let icon = icon.build(app)?;
        Ok(Self { icon, open, state, toggle, quit, shown: Mutex::new(None) })
    }

    /// Says `words`, or takes the icon away while it `is_wanted` by nobody. Waits for the main
    /// thread, so that it must not be called while that waits for the caller.
    pub fn show(&self, words: Words, is_wanted: bool) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let next = Some((words, is_wanted));
        if *shown == next {
            return;
        }
        if let Some((words, is_wanted)) = &next
            && let Err(error) = self.try_show(words, *is_wanted)
        {
            tracing::warn!(%error, "the menu of the tray was not brought up to date");
        }
        *shown = next;
    }

    fn try_show(&self, words: &Words, is_wanted: bool) -> tauri::Result<()> {
        self.open.set_text(words.open)?;
        self.state.set_text(&words.state)?;
        self.toggle.set_text(words.toggle)?;
        self.toggle.set_enabled(words.can_toggle)?;
        self.quit.set_text(words.quit)?;
        self.icon.set_tooltip(Some(format!("Ancre – {}", words.state)))?;
        self.icon.set_visible(is_wanted)
    }
}

/// Whether the library for the icon is there. The crate that loads it panics when it is not, so it
/// is asked for here, before anything of the window is involved.
#[cfg(target_os = "linux")]
fn is_possible() -> bool {
    std::panic::catch_unwind(|| {
        let _: &_ = &*libappindicator_sys::LIB;
    })
    .is_ok()
}

#[cfg(not(target_os = "linux"))]
fn is_possible() -> bool {
    true
}
