//! The desktop host: a window over the operations table.
//!
//! It opens the data folder, forwards each call of the interface to its operation on a thread of
//! its own, passes progress through the call's channel and events to every window. It knows
//! nothing of tickets, documents or models; what it adds is what only a desktop has: the window,
//! file dialogs, opening a source in its own program.

#[path = "../commands.rs"]
#[allow(missing_docs)] // Shared with the build script; each list is explained there.
pub mod commands;
mod forward;
mod host;
mod opened;

use std::process::ExitCode;

use tauri::Manager as _;

pub use forward::plugin;
pub use opened::Opened;

/// Runs the application until its window is closed.
pub fn run() -> ExitCode {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("ANCRE_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let outcome = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .plugin(plugin("rag"))
        .plugin(plugin("desk"))
        .plugin(plugin("settings"))
        .invoke_handler(tauri::generate_handler![host::open_source, host::reveal_data_folder])
        .setup(|app| {
            app.manage(Opened::open(app.handle()));
            Ok(())
        })
        .on_window_event(|window, event| {
            if matches!(event, tauri::WindowEvent::Destroyed) {
                window.state::<Opened>().stop();
            }
        })
        .run(context());
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            complain(&format!("Ancre could not open its window: {error}"));
            ExitCode::from(3)
        }
    }
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
