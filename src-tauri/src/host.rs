//! What only a desktop has: opening things in their own programs, closing the window, the tray's
//! language.

use ancre_app::operations::rag::{SourcePlace, source_place};
use ancre_app::wire::{DocumentRef, WireError};
use ancre_domain::{DocumentId, ErrorCode, Language};
use tauri::{AppHandle, Runtime, State, WebviewWindow};
use tauri_plugin_opener::OpenerExt as _;

use crate::Opened;
use crate::background::Background;

/// Opens a document's original in the program that the system has for it.
#[tauri::command]
pub(crate) async fn open_source<R: Runtime>(
    app: AppHandle<R>,
    opened: State<'_, Opened>,
    document_id: DocumentId,
) -> Result<(), WireError> {
    let place = source_place(&*opened.ancre()?, DocumentRef { document_id })?;
    let outcome = match place {
        SourcePlace::File(path) => app.opener().open_path(path.to_string_lossy(), None::<&str>),
        SourcePlace::Web(address) => app.opener().open_url(address, None::<&str>),
        SourcePlace::Library => {
            return Err(WireError {
                code: ErrorCode::NotFound,
                message: "this text has no file of its own".to_owned(),
                hint: Some("Read it in the knowledge base.".to_owned()),
                details: None,
            });
        }
    };
    outcome.map_err(|error| WireError::fault(format!("the system did not open it: {error}")))
}

/// Shows the data folder in the system's file manager.
#[tauri::command]
pub(crate) async fn reveal_data_folder<R: Runtime>(
    app: AppHandle<R>,
    opened: State<'_, Opened>,
) -> Result<(), WireError> {
    let ancre = opened.ancre()?;
    app.opener()
        .reveal_item_in_dir(ancre.data_folder())
        .map_err(|error| WireError::fault(format!("the system did not show it: {error}")))
}

/// Asks the window to close, as its own cross does.
#[tauri::command]
pub(crate) async fn close_window<R: Runtime>(window: WebviewWindow<R>) -> Result<(), WireError> {
    window.close().map_err(|error| WireError::fault(format!("the window stays open: {error}")))
}

/// Ends the program, whatever closing the window would do; jobs go on at the next start.
#[tauri::command]
pub(crate) async fn quit<R: Runtime>(app: AppHandle<R>) {
    if let Some(background) = Background::of(&app) {
        background.quit();
    }
}

/// Lets what the host says by itself, the menu of the tray, speak the interface's language.
#[tauri::command]
pub(crate) async fn set_host_language<R: Runtime>(app: AppHandle<R>, language: Language) {
    if let Some(background) = Background::of(&app) {
        background.set_language(language);
    }
}
