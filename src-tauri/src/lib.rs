//! The desktop host: a window over the operations table.
//!
//! It opens the data folder, forwards each call of the interface to its operation on a thread of
//! its own, passes progress through the call's channel and events to every window. It knows
//! nothing of tickets, documents or models; what it adds is what only a desktop has: the window,
//! its place in the tray, file dialogs, opening a source in its own program.

mod background;
mod closing;
#[path = "../commands.rs"]
#[allow(missing_docs)] // Shared with the build script; each list is explained there.
pub mod commands;
mod doorbell;
mod forward;
mod host;
mod opened;
mod tray;
mod work;

use std::process::ExitCode;

use tauri::{Manager as _, RunEvent, WindowEvent, Wry};

use background::Background;
use doorbell::{Door, knock};
pub use forward::plugin;
pub use opened::Opened;

/// Runs the application until its window is closed and its work is done, as the person chose.
/// When the data folder has a window already, that one shows itself, and this ends at once.
pub fn run() -> ExitCode {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("ANCRE_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let bell = match opened::data_folder().map(|folder| knock(&folder, doorbell::PATIENCE)) {
        Some(Door::Answered) => return ExitCode::SUCCESS,
        Some(Door::Ours(bell)) => Some(bell),
        Some(Door::Silent) | None => None,
    };
    let application = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .plugin(plugin("rag"))
        .plugin(plugin("desk"))
        .plugin(plugin("settings"))
        .invoke_handler(tauri::generate_handler![
            host::open_source,
            host::reveal_data_folder,
            host::close_window,
            host::quit,
            host::set_host_language,
        ])
        .setup(move |app| {
            app.manage(Opened::open(app.handle()));
            Background::begin(app.handle(), bell);
            Ok(())
        })
        .on_window_event(|window, event| {
            let background = Background::of(window.app_handle());
            match event {
                WindowEvent::CloseRequested { api, .. }
                    if background.as_ref().is_some_and(|background| background.keeps()) =>
                {
                    api.prevent_close();
                }
                WindowEvent::Destroyed => {
                    if let Some(background) = background {
                        background.end();
                    }
                    window.state::<Opened>().stop();
                }
                _ => {}
            }
        })
        .build(context());
    match application {
        Ok(application) => {
            application.run(|app, event| on_run_event(app, &event));
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            complain(&format!("Ancre could not open its window: {error}"));
            ExitCode::from(3)
        }
    }
}

/// On macOS a click on the program in the Dock asks for its window.
fn on_run_event(app: &tauri::AppHandle<Wry>, event: &RunEvent) {
    #[cfg(target_os = "macos")]
    if matches!(event, RunEvent::Reopen { .. })
        && let Some(background) = Background::of(app)
    {
        background.show();
    }
    #[cfg(not(target_os = "macos"))]
    let _ = (app, event);
}

/// The window's configuration, its interface and what it may ask, for any runtime of Tauri.
#[allow(clippy::disallowed_methods)] // `generate_context!` contains an exit of Tauri's own.
pub fn context<R: tauri::Runtime>() -> tauri::Context<R> {
    tauri::generate_context!()
}

/// Says a sentence where there is no window to say it in.
fn complain(sentence: &str) {
    use std::io::Write as _;
    // When nobody hears even this there is nothing more to try.
    let _ = writeln!(std::io::stderr(), "{sentence}");
}
