//! The Ancre behind the window, or why it could not be opened.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ancre_app::wire::{Event, WireError};
use ancre_app::{Ancre, Options, places};
use tauri::{AppHandle, Emitter as _, Manager as _, Runtime};

use crate::background::Background;

/// The event under which everything that happens reaches the interface.
const EVENT: &str = "ancre://event";

/// An opened Ancre. When the data folder cannot be opened the window opens all the same: every
/// call tries again, and is answered with the reason, which the interface shows.
pub struct Opened {
    state: Mutex<Result<Arc<Ancre>, WireError>>,
    open: Box<dyn Fn() -> Result<Arc<Ancre>, WireError> + Send + Sync>,
}

impl Opened {
    /// Opens the data folder, where the jobs that wait go on, and begins in the background to load
    /// the model.
    pub fn open<R: Runtime>(app: &AppHandle<R>) -> Self {
        let app = app.clone();
        let open = move || {
            let ancre = Self::options(&app).and_then(Ancre::open).map(Arc::new)?;
            let begun = Arc::clone(&ancre);
            std::thread::spawn(move || finish_start(&begun));
            // A window that could only read shows that it can write now.
            if let Err(error) = app.emit(EVENT, Event::SettingsChanged) {
                tracing::warn!(%error, "an event did not reach the window");
            }
            Ok(ancre)
        };
        Self { state: Mutex::new(open()), open: Box::new(open) }
    }

    /// Wraps an Ancre that is open already.
    pub fn new(ancre: Arc<Ancre>) -> Self {
        let again = Arc::clone(&ancre);
        Self { state: Mutex::new(Ok(ancre)), open: Box::new(move || Ok(Arc::clone(&again))) }
    }

    /// The Ancre.
    ///
    /// # Errors
    ///
    /// Why the data folder cannot be opened.
    pub fn ancre(&self) -> Result<Arc<Ancre>, WireError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // One that found another window is opened anew when that one is gone.
        let is_waiting = match &*state {
            Ok(ancre) => ancre.can_be_reopened_for_writing(),
            Err(_) => true,
        };
        if is_waiting {
            *state = (self.open)();
        }
        state.clone()
    }

    /// The Ancre that is open now, if one is; nothing is opened.
    pub fn current(&self) -> Option<Arc<Ancre>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).as_ref().ok().cloned()
    }

    /// Ends the work: jobs go back in the queue, where the next start finds them.
    pub fn stop(&self) {
        if let Ok(ancre) = &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            ancre.stop_jobs();
        }
    }

    fn options<R: Runtime>(app: &AppHandle<R>) -> Result<Options, WireError> {
        let folder = data_folder().ok_or_else(|| {
            WireError::invalid("this system names no folder for application data")
        })?;
        let runtime = variable(places::RUNTIME_VARIABLE);
        let executable = std::env::current_exe().ok();
        let resources = app.path().resource_dir().ok();
        let (executable, resources) = (executable.as_deref(), resources.as_deref());
        let loader = places::default_loader(runtime.clone(), executable, resources, &folder);
        let reader = places::default_reader(runtime, executable, resources, &folder);
        let mut options = Options::new(folder, Arc::new(loader));
        options.reader = reader;
        options.starts_jobs = true;
        let handle = app.clone();
        options.events = Arc::new(move |event| {
            if let Some(background) = Background::of(&handle) {
                background.note(&event);
            }
            if let Err(error) = handle.emit(EVENT, event) {
                tracing::warn!(%error, "an event did not reach the window");
            }
        });
        Ok(options)
    }
}

/// The data folder that the command line, the environment or the system names.
pub(crate) fn data_folder() -> Option<PathBuf> {
    places::data_folder(argument("--data"), variable(places::DATA_VARIABLE))
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

/// The value after `name` on the command line.
fn argument(name: &str) -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip_while(|argument| argument != name);
    arguments.next()?;
    arguments.next().map(PathBuf::from)
}

fn finish_start(ancre: &Ancre) {
    ancre.warm_up();
    if !ancre.is_read_only() {
        ancre.compact_when_worthwhile();
    }
}
