//! One worker process, as the application sees it: given a document, waited for, stopped.
//!
//! Its answers are heard by another thread (`supervision`), so that the one here can look at the
//! clock and at the person's wish to stop.

use std::io;
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ancre_domain::Cancellation;

use super::WorkerCommand;
use super::limits::{Limits, in_words};
use super::protocol::{self, Frame, Kind, NoFrame, Ready, Request, Resting, VERSION};
use super::supervision::{Event, Process, SMALL_TALK_BYTES, supervise};
use crate::operation::Reply;
use crate::{ExtractError, Parsed, ReadProgress};

/// How often the wish to stop is looked at.
const TICK: Duration = Duration::from_millis(15);

/// How long a worker may take to give back the memory of a document; the answer is there by then.
const SETTLING: Duration = Duration::from_secs(5);

/// What to heed while a document is read.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) cancellation: Option<&'a Cancellation>,
    pub(crate) progress: Option<&'a dyn Fn(ReadProgress)>,
}

/// A running worker. Dropped, it is ended and gone.
pub(super) struct Worker {
    stdin: ChildStdin,
    answers: Answers,
    supervisor: Option<JoinHandle<()>>,
    /// How many documents it has been given.
    documents: u32,
}

/// What came of giving a worker a document.
pub(super) struct Served {
    pub(super) result: Result<Reply, ExtractError>,
    /// Whether it can be given another.
    pub(super) is_reusable: bool,
    /// Whether it had the whole document; what happens to it before is not the document's doing.
    pub(super) was_accepted: bool,
}

impl Worker {
    /// Starts a worker and waits until it has limited itself.
    pub(super) fn start(command: &WorkerCommand, watch: Watch<'_>) -> Result<Self, ExtractError> {
        let (started, starting) = mpsc::channel();
        let command = command.clone();
        let supervisor = thread::Builder::new()
            .name("extract-worker".to_owned())
            .spawn(move || supervise(&command, &started))
            .map_err(|error| not_started(&error))?;
        let (stdin, answers) = match starting.recv() {
            Ok(Ok(parts)) => parts,
            Ok(Err(error)) => return Err(not_started(&error)),
            Err(mpsc::RecvError) => return Err(not_started(&io::ErrorKind::Other.into())),
        };
        let worker = Self { stdin, answers, supervisor: Some(supervisor), documents: 0 };
        let frame = worker.answers.next(Deadline::after(watch.limits.document), watch)?;
        let ready = (frame.kind == Kind::Ready).then(|| decode::<Ready>(&frame)).transpose()?;
        match ready {
            Some(ready) if ready.version == VERSION => {
                for unlimited in ready.unlimited {
                    tracing::warn!("a reader of documents works with a limit less: {unlimited}");
                }
                Ok(worker)
            }
            Some(_) => Err(died("it is of another version of Ancre; start Ancre again")),
            None => Err(rubbish()),
        }
    }

    /// Whether it waits quietly, as a worker without a document does.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.answers.events.try_recv(), Err(TryRecvError::Empty))
    }

    /// Whether it has been given a document before.
    pub(super) fn is_experienced(&self) -> bool {
        self.documents > 0
    }

    /// Has a document read.
    pub(super) fn read(&mut self, request: &Request, document: &[u8], watch: Watch<'_>) -> Served {
        self.documents += 1;
        let is_last = self.documents >= watch.limits.documents_per_worker;
        let allowance = watch.limits.output_bytes.saturating_add(SMALL_TALK_BYTES);
        self.answers.allowance.store(allowance, Ordering::Relaxed);
        let (stdin, answers) = (&mut self.stdin, &self.answers);
        thread::scope(|scope| {
            // A worker that does not listen must not keep us from looking at the clock. An error
            // here means that it has ended, which its answers tell with the reason.
            let asking = thread::Builder::new()
                .spawn_scoped(scope, move || protocol::write_request(stdin, request, document));
            let mut served = match asking {
                Ok(_) => answers.receive(request.recognise, watch),
                Err(error) => Served::failed(not_started(&error), false),
            };
            if !served.is_reusable {
                answers.process.kill();
            }
            served.is_reusable &= !is_last;
            served
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.answers.process.kill();
        if let Some(supervisor) = self.supervisor.take() {
            // It ends with the process; a panic in it has nothing more to say.
            let _ = supervisor.join();
        }
    }
}

impl Served {
    fn failed(error: ExtractError, was_accepted: bool) -> Self {
        Self { result: Err(error), is_reusable: false, was_accepted }
    }
}

/// The receiving end of a worker. Its events are never more than the allowance, so the queue needs
/// no bound of its own.
pub(super) struct Answers {
    pub(super) events: Receiver<Event>,
    pub(super) allowance: Arc<AtomicU64>,
    pub(super) process: Arc<Process>,
}

impl Answers {
    /// All frames about one document.
    fn receive(&self, recognise: bool, watch: Watch<'_>) -> Served {
        let mut was_accepted = false;
        let result = self.receive_reply(recognise, watch, &mut was_accepted);
        let is_sound = match &result {
            Ok(_) | Err(Refusal::OfDocument(_)) => true,
            Err(Refusal::OfWorker(_)) => false,
        };
        let result = result.map_err(|refusal| match refusal {
            Refusal::OfDocument(error) | Refusal::OfWorker(error) => error,
        });
        Served { result, is_reusable: is_sound && self.comes_to_rest(watch), was_accepted }
    }

    fn receive_reply(
        &self,
        recognise: bool,
        watch: Watch<'_>,
        was_accepted: &mut bool,
    ) -> Result<Reply, Refusal> {
        let patience = watch.limits.patience(recognise);
        let mut deadline = Deadline::after(patience);
        let mut pages_done = 0;
        let mut files = Vec::new();
        loop {
            let frame = self.next(deadline, watch)?;
            match frame.kind {
                Kind::Accepted if !*was_accepted => *was_accepted = true,
                Kind::Progress => {
                    let progress: ReadProgress = decode(&frame)?;
                    if recognise && progress.pages_done > pages_done {
                        pages_done = progress.pages_done;
                        deadline = Deadline::after(patience);
                    }
                    if let Some(hear) = watch.progress {
                        hear(progress);
                    }
                }
                Kind::File => {
                    files.push(protocol::decode_file(&frame.content).ok_or_else(rubbish)?);
                }
                Kind::Parsed => {
                    let parsed: Parsed = decode(&frame)?;
                    refuse_impossible(&parsed)?;
                    return Ok(Reply::Parsed(Box::new(parsed)));
                }
                Kind::Unpacked => return Ok(Reply::Files(files)),
                Kind::Picture => return Ok(Reply::Picture(frame.content)),
                Kind::Failed => return Err(Refusal::OfDocument(decode(&frame)?)),
                Kind::Accepted | Kind::Ready | Kind::Resting => return Err(rubbish().into()),
            }
        }
    }

    /// Whether the worker says that it waits for the next document, and is none too fat.
    fn comes_to_rest(&self, watch: Watch<'_>) -> bool {
        // The answer is here already; the person's wish to stop it comes too late.
        let watch = Watch { cancellation: None, ..watch };
        let rest = self.next(Deadline::after(SETTLING), watch);
        let is_light = rest.is_ok_and(|frame| {
            frame.kind == Kind::Resting
                && decode::<Resting>(&frame).is_ok_and(|resting| {
                    resting.resident_bytes.unwrap_or(0) <= watch.limits.resting_bytes
                })
        });
        // Whatever else it says, nobody asked.
        self.allowance.store(0, Ordering::Relaxed);
        is_light
    }

    /// The next frame; after every error the worker is dead or dying.
    fn next(&self, deadline: Deadline, watch: Watch<'_>) -> Result<Frame, ExtractError> {
        loop {
            let left = deadline.at.saturating_duration_since(Instant::now());
            let wait = if watch.cancellation.is_some() { left.min(TICK) } else { left };
            match self.events.recv_timeout(wait) {
                Ok(Event::Answered(frame)) => return Ok(frame),
                Ok(Event::Unreadable(NoFrame::TooMuch)) => {
                    return Err(ExtractError::TooLarge {
                        what: "what is in it".to_owned(),
                        size: "more".to_owned(),
                        limit: in_words(watch.limits.output_bytes),
                    });
                }
                Ok(Event::Unreadable(_)) => return Err(rubbish()),
                Ok(Event::Ended(death)) => return Err(death.error(watch.limits)),
                Err(RecvTimeoutError::Disconnected) => return Err(died("it stopped answering")),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if watch.cancellation.is_some_and(Cancellation::is_cancelled) {
                self.process.kill();
                return Err(ExtractError::Cancelled);
            }
            if Instant::now() >= deadline.at {
                self.process.kill();
                return Err(ExtractError::Timeout { seconds: deadline.patience.as_secs() });
            }
        }
    }
}

/// Until when is waited, and how long that was.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    patience: Duration,
}

impl Deadline {
    fn after(patience: Duration) -> Self {
        Self { at: Instant::now() + patience, patience }
    }
}

/// Whose an error is: the worker goes on after one of the document.
enum Refusal {
    OfDocument(ExtractError),
    OfWorker(ExtractError),
}

impl From<ExtractError> for Refusal {
    fn from(error: ExtractError) -> Self {
        Self::OfWorker(error)
    }
}

fn decode<'a, T: serde::Deserialize<'a>>(frame: &'a Frame) -> Result<T, ExtractError> {
    serde_json::from_slice(&frame.content).map_err(|_| rubbish())
}

/// Headings and pages lie in the text, whoever wrote the answer.
fn refuse_impossible(parsed: &Parsed) -> Result<(), ExtractError> {
    let length = parsed.text.chars().count();
    let is_inside = |start: u32| usize::try_from(start).is_ok_and(|start| start <= length);
    let pages = parsed.pagination.iter().flat_map(|pagination| &pagination.pages);
    let is_possible = parsed.outline.iter().all(|heading| is_inside(heading.start))
        && pages.into_iter().all(|page| is_inside(page.start));
    if is_possible { Ok(()) } else { Err(rubbish()) }
}

fn rubbish() -> ExtractError {
    died("its answer makes no sense")
}

fn died(detail: &str) -> ExtractError {
    ExtractError::WorkerDied { detail: detail.to_owned() }
}

fn not_started(error: &io::Error) -> ExtractError {
    died(&format!("it could not be started: {error}"))
}
