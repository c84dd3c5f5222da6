//! The life of a worker from its start to its end, on a thread of its own.
//!
//! That thread starts the process, hands on what it answers and at last reaps it. Linux ends a
//! worker with the *thread* that started it, not with the process: so that thread must live as
//! long as the worker, whichever thread first wanted one.

use std::io::{self, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::WorkerCommand;
use super::death::Death;
use super::process::Answers;
use super::protocol::{self, Frame, NoFrame};

/// How long a worker that closed its output may take to be gone.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// How much of the error output is kept.
const LAST_WORDS_BYTES: usize = 8 << 10;

/// What a worker may say beside its answers.
pub(super) const SMALL_TALK_BYTES: u64 = 1 << 20;

/// The environment variables that a worker gets: what finding libraries takes. All others are none
/// of its business, since some hold secrets.
const ENVIRONMENT: [&str; 7] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "SystemRoot",
    "windir",
    "TEMP",
];

/// What is heard of a worker.
pub(super) enum Event {
    Answered(Frame),
    /// It has been killed for it.
    Unreadable(NoFrame),
    /// The last event.
    Ended(Death),
}

/// Starts a worker, says so, and stays until it has ended.
pub(super) fn supervise(
    command: &WorkerCommand,
    started: &Sender<io::Result<(ChildStdin, Answers)>>,
) {
    let mut child = match spawn(command) {
        Ok(child) => child,
        Err(error) => {
            let _ = started.send(Err(error));
            return;
        }
    };
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let process = Arc::new(Process(Mutex::new(Some(child))));
    let last_words = stderr.and_then(listen);
    let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
        process.kill();
        process.reap();
        let _ = started.send(Err(io::ErrorKind::BrokenPipe.into()));
        return;
    };
    let (heard, events) = mpsc::channel();
    let allowance = Arc::new(AtomicU64::new(SMALL_TALK_BYTES));
    let answers =
        Answers { events, allowance: Arc::clone(&allowance), process: Arc::clone(&process) };
    if started.send(Ok((stdin, answers))).is_err() {
        process.kill();
    }
    let mut stdout = BufReader::new(stdout);
    loop {
        match protocol::read_frame(&mut stdout, &allowance) {
            // When nobody listens any more, the worker has been killed.
            Ok(frame) => drop(heard.send(Event::Answered(frame))),
            Err(NoFrame::Ended) => break,
            Err(unreadable) => {
                process.kill();
                let _ = heard.send(Event::Unreadable(unreadable));
                break;
            }
        }
    }
    let status = process.reap();
    // What the worker started may hold its error output open.
    let last_words = last_words.and_then(|words| words.recv_timeout(LAST_BREATH).ok());
    let _ = heard.send(Event::Ended(Death { status, last_words: last_words.unwrap_or_default() }));
}

/// The process, which one thread may kill while another reaps it.
pub(super) struct Process(Mutex<Option<Child>>);

impl Process {
    /// Ends the process, unless it has ended.
    pub(super) fn kill(&self) {
        // Once it is reaped, its number may be another's.
        if let Some(child) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            kill(child);
        }
    }

    /// Waits for the end of a process that has closed its output, and ends it if none comes.
    fn reap(&self) -> Option<ExitStatus> {
        let deadline = Instant::now() + LAST_BREATH;
        loop {
            let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let process = child.as_mut()?;
            match process.try_wait() {
                Ok(Some(status)) => {
                    *child = None;
                    return Some(status);
                }
                Ok(None) if Instant::now() < deadline => {}
                Ok(None) | Err(_) => {
                    kill(process);
                    let _ = process.wait();
                    *child = None;
                    return None;
                }
            }
            drop(child);
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// With whatever it has started, where the system can say that.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        // SAFETY: no memory is involved. The group is the child's own, since it leads it and has
        // not been reaped.
        #[allow(unsafe_code)]
        unsafe {
            libc::kill(-id, libc::SIGKILL);
        }
    }
    // An error means that it has ended.
    let _ = child.kill();
}

fn spawn(command: &WorkerCommand) -> io::Result<Child> {
    let mut process = Command::new(&command.program);
    process
        .args(&command.arguments)
        .env_clear()
        .envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
        // As many threads as workers would be more than there are processors.
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    {
        // Of a group of its own, so that a keystroke in the terminal is not for it, and what it
        // starts ends with it.
        use std::os::unix::process::CommandExt as _;
        process.process_group(0);
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        process.creation_flags(CREATE_NO_WINDOW);
    }
    process.spawn()
}

/// Hears the error output to its end, on a thread of its own, and then gives the last of it.
fn listen(mut stderr: ChildStderr) -> Option<Receiver<String>> {
    let (said, words) = mpsc::channel();
    let listening = thread::Builder::new().name("extract-words".to_owned()).spawn(move || {
        let mut last = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = stderr.read(&mut piece) {
            let piece = &piece[..length];
            tracing::debug!("a reader of documents: {}", String::from_utf8_lossy(piece).trim_end());
            last.extend_from_slice(piece);
            last.drain(..last.len().saturating_sub(LAST_WORDS_BYTES));
        }
        let _ = said.send(String::from_utf8_lossy(&last).into_owned());
    });
    listening.ok().map(|_| words)
}
