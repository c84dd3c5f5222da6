//! The program behind its window: whether it goes on without it, how it is found again, and when
//! it ends by itself.
//!
//! It joins what decides (`closing.rs`, `work.rs`), the tray, and the doorbell. One thread looks
//! after all of it four times a second: a call of a second start, news of the jobs, the end of
//! the wait. It does no work of its own: jobs are done by the opened Ancre, whether or not there
//! is a window.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ancre_app::Ancre;
use ancre_app::operations::{rag, settings};
use ancre_app::wire::{Event, JobRef, JobSummary, ListJobs, WhenClosed, WireError};
use ancre_domain::{JobState, Language, PageRequest};
use serde::Serialize;
use tauri::{AppHandle, Emitter as _, Manager as _, Runtime, WebviewWindow};

use crate::Opened;
use crate::closing::{Circumstances, Closing, Vigil, closing};
use crate::doorbell::Doorbell;
use crate::tray::{Tray, Wish, Words};
use crate::work::Work;

/// The event that asks the interface to say what closing the window means.
const CLOSING: &str = "ancre://closing";
/// The only window.
const WINDOW: &str = "main";
/// How often a call of a second start is looked for.
const BEAT: Duration = Duration::from_millis(250);
/// How often the menu follows the jobs at most.
const LOOK: Duration = Duration::from_secs(1);
/// How many jobs are read at once.
const PAGE: u32 = 100;

/// What the interface has to tell before the window goes.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct ClosingNotice {
    /// Whether the program is found in the tray; else its window becomes small.
    has_tray: bool,
}

/// The program behind its window.
pub struct Background<R: Runtime> {
    app: AppHandle<R>,
    bell: Option<Doorbell>,
    tray: Option<Tray<R>>,
    language: Mutex<Language>,
    is_hidden: AtomicBool,
    is_telling: AtomicBool,
    /// Whether the jobs that rest were paused from the tray, where alone they can be resumed.
    is_paused_here: AtomicBool,
    is_ending: AtomicBool,
    has_news: AtomicBool,
}

impl<R: Runtime> Background<R> {
    /// Puts the icon in the tray and begins to look after the window; to be called once, on the
    /// main thread. Without a `bell` the window cannot be called back and never hides.
    pub fn begin(app: &AppHandle<R>, bell: Option<Doorbell>) {
        // Until the interface says which language it speaks nobody has seen the menu.
        let language = Language::En;
        let words = Words::of(language, &Work::default());
        let told = app.clone();
        let tray = Tray::build(app, &words, move |wish| {
            if let Some(background) = Self::of(&told) {
                background.fulfil(wish);
            }
        });
        let background = Arc::new(Self {
            app: app.clone(),
            bell,
            tray,
            language: Mutex::new(language),
            is_hidden: AtomicBool::new(false),
            is_telling: AtomicBool::new(false),
            is_paused_here: AtomicBool::new(false),
            is_ending: AtomicBool::new(false),
            has_news: AtomicBool::new(true),
        });
        app.manage(Arc::clone(&background));
        let thread = std::thread::Builder::new().name("ancre-background".to_owned());
        if let Err(error) = thread.spawn(move || background.look_after()) {
            tracing::error!(%error, "nobody looks after the program in the background");
        }
    }

    /// That of the program, once it was begun.
    pub fn of(app: &AppHandle<R>) -> Option<Arc<Self>> {
        app.try_state::<Arc<Self>>().map(|state| Arc::clone(&state))
    }

    /// Notes what may change the menu or the need to stay.
    pub fn note(&self, event: &Event) {
        if matches!(event, Event::JobChanged { .. } | Event::JobsChanged | Event::SettingsChanged) {
            self.has_news.store(true, Ordering::Release);
        }
    }

    /// Lets the menu speak the interface's language.
    pub fn set_language(&self, language: Language) {
        *self.language.lock().unwrap_or_else(PoisonError::into_inner) = language;
        self.has_news.store(true, Ordering::Release);
    }

    /// Answers a window that is asked to close: whether it stays, hidden or not. When it does not,
    /// the program ends with it.
    pub fn keeps(&self) -> bool {
        let Some(window) = self.app.get_webview_window(WINDOW) else { return false };
        let done = match closing(self.circumstances()) {
            Closing::Quit => return false,
            Closing::Tell => self.tell(&window),
            Closing::Hide => self.hide(&window),
            Closing::Minimise => window.minimize(),
        };
        done.inspect_err(|error| tracing::warn!(%error, "the window closes after all")).is_ok()
    }

    /// Shows the window, from wherever it is.
    pub fn show(&self) {
        self.is_telling.store(false, Ordering::Release);
        self.is_hidden.store(false, Ordering::Release);
        self.has_news.store(true, Ordering::Release);
        if let Some(window) = self.app.get_webview_window(WINDOW)
            && let Err(error) = bring(&window)
        {
            tracing::warn!(%error, "the window does not show itself");
        }
    }

    /// Ends the program as closing its window does.
    pub fn quit(&self) {
        match self.app.get_webview_window(WINDOW).map(|window| window.destroy()) {
            Some(Ok(())) => {}
            _ => self.app.exit(0),
        }
    }

    /// Notes that the program is about to end: who starts it now is not shown this one.
    pub fn end(&self) {
        self.is_ending.store(true, Ordering::Release);
    }

    fn circumstances(&self) -> Circumstances {
        let ancre = self.working();
        let known = ancre.as_deref().map(|ancre| {
            let work = Work::of(&open_jobs(ancre)?);
            Ok::<_, WireError>((
                settings::when_closed(ancre)?,
                settings::has_seen_closing_notice(ancre)?,
                self.has_work(&work),
            ))
        });
        let (choice, was_told, has_work) = match known {
            Some(Ok(known)) => known,
            Some(Err(error)) => {
                tracing::warn!(message = %error.message, "what runs cannot be read");
                (WhenClosed::Quit, true, false)
            }
            // What cannot be opened, or only read, has nothing to go on with.
            None => (WhenClosed::Quit, true, false),
        };
        Circumstances {
            choice,
            has_work,
            is_told: was_told || self.is_telling.load(Ordering::Acquire),
            has_tray: self.tray.is_some(),
            can_be_called: self.bell.is_some(),
        }
    }

    fn tell(&self, window: &WebviewWindow<R>) -> tauri::Result<()> {
        self.is_telling.store(true, Ordering::Release);
        bring(window)?;
        window.emit(CLOSING, ClosingNotice { has_tray: self.tray.is_some() })
    }

    fn hide(&self, window: &WebviewWindow<R>) -> tauri::Result<()> {
        window.hide()?;
        self.is_telling.store(false, Ordering::Release);
        self.is_hidden.store(true, Ordering::Release);
        self.has_news.store(true, Ordering::Release);
        Ok(())
    }

    fn fulfil(self: Arc<Self>, wish: Wish) {
        match wish {
            Wish::Open => self.show(),
            Wish::Quit => self.quit(),
            Wish::Toggle => drop(std::thread::spawn(move || self.toggle())),
        }
    }

    /// Pauses everything that runs or waits; when nothing does, resumes what is paused.
    fn toggle(&self) {
        let Some(ancre) = self.working() else { return };
        let jobs = match open_jobs(&ancre) {
            Ok(jobs) => jobs,
            Err(error) => {
                tracing::warn!(message = %error.message, "the jobs cannot be read");
                return;
            }
        };
        let pauses = Work::of(&jobs).active > 0;
        self.is_paused_here.store(pauses, Ordering::Release);
        for job in jobs {
            let of = JobRef { job_id: job.id };
            let outcome = match (pauses, job.state) {
                (true, JobState::Paused) => continue,
                (true, _) => rag::pause_job(&ancre, of, &|_| {}),
                (false, _) => rag::resume_job(&ancre, of, &|_| {}),
            };
            if let Err(error) = outcome {
                // It has ended meanwhile.
                tracing::debug!(message = %error.message, "a job stays as it is");
            }
        }
    }

    fn look_after(&self) {
        let mut vigil = Vigil::default();
        let mut choice = WhenClosed::default();
        let mut work = Work::default();
        let mut looked: Option<Instant> = None;
        while !self.is_ending.load(Ordering::Acquire) {
            if self.bell.as_ref().is_some_and(Doorbell::is_rung) {
                self.show();
            }
            let now = Instant::now();
            let is_due = looked.is_none_or(|looked| now.duration_since(looked) >= LOOK);
            if is_due && self.has_news.swap(false, Ordering::AcqRel) {
                looked = Some(now);
                if let Some(found) = self.look() {
                    (choice, work) = found;
                }
            }
            let is_needed = !self.is_hidden.load(Ordering::Acquire)
                || choice == WhenClosed::StayInTray
                || self.has_work(&work);
            if vigil.is_over(now, is_needed) {
                tracing::info!("the work is done and the window closed: the program ends");
                self.quit();
                return;
            }
            std::thread::sleep(BEAT);
        }
    }

    /// Reads what there is to do and lets the menu say it.
    fn look(&self) -> Option<(WhenClosed, Work)> {
        let ancre = self.working();
        let found = match ancre.as_deref().map(|ancre| {
            Ok::<_, WireError>((settings::when_closed(ancre)?, Work::of(&open_jobs(ancre)?)))
        }) {
            Some(Ok(found)) => found,
            Some(Err(error)) => {
                tracing::warn!(message = %error.message, "the jobs cannot be read");
                self.has_news.store(true, Ordering::Release);
                return None;
            }
            None => (WhenClosed::Quit, Work::default()),
        };
        let (choice, work) = &found;
        let language = *self.language.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tray) = &self.tray {
            tray.show(Words::of(language, work), *choice != WhenClosed::Quit);
        }
        Some(found)
    }

    fn has_work(&self, work: &Work) -> bool {
        work.active > 0 || (work.paused > 0 && self.is_paused_here.load(Ordering::Acquire))
    }

    /// The Ancre whose jobs are done in this process.
    fn working(&self) -> Option<Arc<Ancre>> {
        let opened = self.app.try_state::<Opened>()?;
        opened.current().filter(|ancre| !ancre.is_read_only())
    }
}

fn bring<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<()> {
    window.show()?;
    window.unminimize()?;
    window.set_focus()
}

/// The jobs that have not ended, which stand before those that have.
fn open_jobs(ancre: &Ancre) -> Result<Vec<JobSummary>, WireError> {
    let mut open = Vec::new();
    for offset in (0..).step_by(PAGE as usize) {
        let page = PageRequest { offset, limit: PAGE };
        let found = rag::list_jobs(ancre, ListJobs { page }, &|_| {})?.items;
        let is_last = found.len() < PAGE as usize || found.iter().any(|job| job.state.is_ended());
        open.extend(found.into_iter().filter(|job| !job.state.is_ended()));
        if is_last {
            break;
        }
    }
    Ok(open)
}
