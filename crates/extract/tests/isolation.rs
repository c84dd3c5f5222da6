//! Stories of documents that are read by worker processes: what one may cost, and that it costs
//! nothing else. The workers are real; where one has to misbehave, it is stopped or killed from
//! outside, or a shell stands in its place.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // Tests may.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use ancre_domain::Cancellation;
use ancre_extract::{
    ExtractError, Libraries, Limits, Parsed, ReadFile, ReadOptions, Reader, WORKER_ARGUMENT,
    WorkerCommand,
};

const WORKER: &str = env!("CARGO_BIN_EXE_ancre-extract-worker");

/// A reader, and the process numbers of the workers it has started.
struct Readers {
    reader: Reader,
    pids: PathBuf,
    _folder: tempfile::TempDir,
}

impl Readers {
    fn new(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pids = folder.path().join("pids");
        let text = format!("echo $$ >> '{}'; exec '{WORKER}' {WORKER_ARGUMENT}", pids.display());
        let reader = Reader::isolated(shell(&text), Libraries::default()).with_limits(limits);
        Self { reader, pids, _folder: folder }
    }

    fn one() -> Self {
        Self::new(Limits { workers: 1, ..Limits::default() })
    }

    fn read(&self, word: &str) -> Result<Parsed, ExtractError> {
        self.reader.read_bytes(&page(word), "page.html", ReadOptions::default())
    }

    fn started(&self) -> Vec<String> {
        let pids = fs::read_to_string(&self.pids).unwrap_or_default();
        pids.lines().map(str::to_owned).collect()
    }

    fn last_started(&self) -> String {
        self.started().pop().unwrap()
    }
}

fn shell(text: &str) -> WorkerCommand {
    WorkerCommand { program: "/bin/sh".into(), arguments: vec!["-c".to_owned(), text.to_owned()] }
}

fn page(word: &str) -> Vec<u8> {
    format!("<!doctype html><title>t</title><p>{word}</p>").into_bytes()
}

/// A document that takes some seconds.
fn long_page() -> Vec<u8> {
    page(&"<p>Vous avez <b>trente</b> jours.</p>".repeat(200_000))
}

fn read_html(reader: &Reader, bytes: &[u8]) -> Result<Parsed, ExtractError> {
    reader.read_bytes(bytes, "page.html", ReadOptions::default())
}

fn sentence(read: Result<Parsed, ExtractError>) -> String {
    read.map(|parsed| parsed.text).unwrap_err().to_string()
}

fn signal(name: &str, pid: &str) -> bool {
    Command::new("kill").args([name, pid]).stderr(Stdio::null()).status().unwrap().success()
}

/// Stops a process and waits until it has stopped: the signal is sent before it takes effect.
fn stop(pid: &str) -> bool {
    let has_stopped = || {
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
        state.first() == Some(&b'T')
    };
    signal("-STOP", pid) && wait_until(has_stopped)
}

fn is_running(pid: &str) -> bool {
    signal("-0", pid)
}

fn wait_until(mut is_so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

#[test]
fn a_plain_text_needs_no_worker() {
    let nowhere = WorkerCommand { program: "/no/such/program".into(), arguments: Vec::new() };
    let reader = Reader::isolated(nowhere, Libraries::default());
    let read = |name: &str| reader.read_bytes(b"# Bonjour", name, ReadOptions::default());
    assert_eq!(read("a.md").unwrap().title, "Bonjour");
    let refused = sentence(read("a.html"));
    assert!(refused.contains("it could not be started"), "{refused}");
}

#[test]
fn a_worker_serves_many_documents_and_is_replaced_in_time() {
    let readers = Readers::new(Limits { workers: 1, documents_per_worker: 4, ..Limits::default() });
    for number in 0..9 {
        let word = format!("mot{number}");
        assert!(readers.read(&word).unwrap().text.contains(&word));
    }
    assert_eq!(readers.started().len(), 3);
}

#[test]
fn a_worker_that_is_heavy_after_a_document_is_replaced() {
    let readers = Readers::new(Limits { workers: 1, resting_bytes: 1, ..Limits::default() });
    readers.read("un").unwrap();
    readers.read("deux").unwrap();
    // Where the system does not say how heavy it is, it stays.
    let expected = if cfg!(target_os = "linux") { 2 } else { 1 };
    assert_eq!(readers.started().len(), expected);
}

#[test]
fn a_worker_killed_in_the_middle_costs_that_document_only() {
    let readers = Readers::one();
    let killed = thread::scope(|scope| {
        let reading = scope.spawn(|| read_html(&readers.reader, &long_page()));
        assert!(wait_until(|| !readers.started().is_empty()));
        thread::sleep(Duration::from_millis(300));
        assert!(signal("-KILL", &readers.last_started()));
        reading.join().unwrap()
    });
    assert_eq!(
        sentence(killed),
        "the reader ended while it read this document: \
         something else ended it (signal 9), perhaps for want of memory"
    );
    assert!(readers.read("ensuite").unwrap().text.contains("ensuite"));
}

#[test]
fn a_worker_killed_while_it_waits_costs_nothing() {
    let readers = Readers::one();
    readers.read("avant").unwrap();
    assert!(signal("-KILL", &readers.last_started()));
    assert!(readers.read("ensuite").unwrap().text.contains("ensuite"));
}

#[test]
fn a_worker_that_hangs_is_stopped_and_the_next_document_is_read() {
    let short = Duration::from_secs(1);
    let readers = Readers::new(Limits { workers: 1, document: short, ..Limits::default() });
    readers.read("avant").unwrap();
    let stuck = readers.last_started();
    assert!(stop(&stuck));
    let begun = Instant::now();
    assert_eq!(readers.read("pendant").unwrap_err(), ExtractError::Timeout { seconds: 1 });
    assert!(begun.elapsed() >= short);
    assert!(!is_running(&stuck));
    assert!(readers.read("ensuite").unwrap().text.contains("ensuite"));
}

#[test]
fn a_worker_that_never_starts_is_stopped_too() {
    let limits = Limits { document: Duration::from_millis(200), ..Limits::default() };
    let reader =
        Reader::isolated(shell("sleep 60; exit"), Libraries::default()).with_limits(limits);
    let begun = Instant::now();
    let refused = read_html(&reader, &page("rien"));
    assert_eq!(refused, Err(ExtractError::Timeout { seconds: 0 }));
    assert!(begun.elapsed() < Duration::from_secs(20), "nor is waited for what it started");
}

#[test]
fn rubbish_is_no_answer() {
    let reader = Reader::isolated(shell("echo Hello; sleep 60"), Libraries::default());
    let begun = Instant::now();
    assert_eq!(
        sentence(read_html(&reader, &page("rien"))),
        "the reader ended while it read this document: its answer makes no sense"
    );
    assert!(begun.elapsed() < Duration::from_secs(20), "it is seen at once");
}

#[test]
fn a_worker_that_exits_at_once_says_how() {
    let reader = Reader::isolated(shell("exit 3"), Libraries::default());
    assert_eq!(
        sentence(read_html(&reader, &page("rien"))),
        "the reader ended while it read this document: it stopped (exit code 3)"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_document_that_needs_too_much_memory_is_told_so() {
    let readers = Readers::new(Limits { memory_bytes: 100 << 20, ..Limits::default() });
    let large = page(&" ".repeat(150 << 20));
    assert_eq!(
        sentence(read_html(&readers.reader, &large)),
        "it is too large: the memory that reading it takes is more; the limit is 100 MiB"
    );
    assert!(readers.read("ensuite").unwrap().text.contains("ensuite"));
}

#[test]
fn a_document_that_takes_too_much_of_the_processor_is_stopped() {
    let readers = Readers::new(Limits { cpu_seconds: 0, ..Limits::default() });
    let refused = read_html(&readers.reader, &long_page()).unwrap_err();
    assert_eq!(refused, ExtractError::Timeout { seconds: 0 });
}

#[test]
fn an_answer_beyond_the_limit_is_not_taken() {
    let readers = Readers::new(Limits { output_bytes: 1 << 20, ..Limits::default() });
    let refused = read_html(&readers.reader, &page(&"Bonjour. ".repeat(400_000)));
    assert_eq!(sentence(refused), "it is too large: what is in it is more; the limit is 1 MiB");
    assert!(readers.read("ensuite").unwrap().text.contains("ensuite"));
}

#[test]
fn who_cancels_need_not_wait() {
    let readers = Readers::one();
    readers.read("avant").unwrap();
    let stuck = readers.last_started();
    assert!(stop(&stuck));
    let cancellation = Cancellation::new();
    let (read, waited) = thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let options =
                ReadOptions { cancellation: Some(&cancellation), ..ReadOptions::default() };
            let read = readers.reader.read_bytes(&page("un"), "page.html", options);
            (read, Instant::now())
        });
        thread::sleep(Duration::from_millis(200));
        cancellation.cancel();
        let cancelled = Instant::now();
        let (read, ended) = reading.join().unwrap();
        (read, ended - cancelled)
    });
    assert_eq!(read, Err(ExtractError::Cancelled));
    assert!(waited < Duration::from_millis(500), "{waited:?}");
    assert!(!is_running(&stuck));
    assert!(readers.read("ensuite").unwrap().text.contains("ensuite"));
}

#[test]
fn who_waits_for_a_worker_can_cancel_too() {
    let readers = Readers::one();
    readers.read("avant").unwrap();
    assert!(stop(&readers.last_started()));
    let cancellation = Cancellation::new();
    thread::scope(|scope| {
        let read = || {
            let options =
                ReadOptions { cancellation: Some(&cancellation), ..ReadOptions::default() };
            readers.reader.read_bytes(&page("un"), "page.html", options)
        };
        let readings = [scope.spawn(read), scope.spawn(read)];
        thread::sleep(Duration::from_millis(100));
        cancellation.cancel();
        for reading in readings {
            assert_eq!(reading.join().unwrap(), Err(ExtractError::Cancelled));
        }
    });
}

#[test]
fn two_hundred_files_at_once_are_all_read() {
    let readers = Readers::new(Limits { workers: 3, ..Limits::default() });
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> =
        (0..200).map(|number| folder.path().join(format!("{number}.html"))).collect();
    for (number, path) in paths.iter().enumerate() {
        fs::write(path, page(&format!("numéro {number}."))).unwrap();
    }
    thread::scope(|scope| {
        for first in 0..8 {
            let (readers, paths) = (&readers, &paths);
            scope.spawn(move || {
                for number in (first..paths.len()).step_by(8) {
                    let text = text_of(&readers.reader, &paths[number]);
                    assert!(text.contains(&format!("numéro {number}.")), "{text}");
                }
            });
        }
    });
    assert!((1..=3).contains(&readers.started().len()), "{:?}", readers.started());
}

#[test]
fn an_archive_is_unpacked_by_a_worker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dossier.zip");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for name in ["guide.md", "pages/un.html"] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(name.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    let readers = Readers::one();
    let read = readers.reader.read_path(&path, ReadOptions::default()).unwrap();
    let ReadFile::Archive(files) = read else { panic!("it is an archive") };
    let unpacked: Vec<(&str, &[u8])> =
        files.iter().map(|file| (&*file.name, &**file.bytes.as_ref().unwrap())).collect();
    assert_eq!(
        unpacked,
        [("guide.md", &b"guide.md"[..]), ("pages/un.html", &b"pages/un.html"[..])]
    );
    assert_eq!(readers.started().len(), 1);
}

fn text_of(reader: &Reader, path: &Path) -> String {
    match reader.read_path(path, ReadOptions::default()).unwrap() {
        ReadFile::Document(file) => file.parsed.text,
        ReadFile::Archive(_) => panic!("{} is an archive", path.display()),
    }
}

#[test]
fn a_reader_that_is_dropped_leaves_no_process() {
    let readers = Readers::one();
    readers.read("un").unwrap();
    let pid = readers.last_started();
    assert!(is_running(&pid));
    drop(readers);
    assert!(!is_running(&pid));
}

#[test]
fn a_worker_outlives_the_thread_that_needed_it_first() {
    let readers = Readers::one();
    thread::scope(|scope| scope.spawn(|| readers.read("un").map(drop)).join().unwrap()).unwrap();
    thread::sleep(Duration::from_millis(50));
    readers.read("deux").unwrap();
    assert_eq!(readers.started().len(), 1);
}

#[test]
fn a_worker_whose_application_is_gone_ends() {
    let ended = Command::new(WORKER).arg(WORKER_ARGUMENT).stdin(Stdio::null()).output().unwrap();
    assert!(ended.status.success());
    let misused = Command::new(WORKER).output().unwrap();
    assert_eq!(misused.status.code(), Some(2));
}

/// Not a story of its own: see the next one, which starts it.
#[test]
#[ignore = "ends its own process"]
fn an_application_that_is_killed_while_a_worker_is_busy() {
    let readers = Readers::one();
    readers.read("un").unwrap();
    let pid = readers.last_started();
    assert!(stop(&pid));
    fs::write(std::env::var("ANCRE_TEST_PID").unwrap(), pid).unwrap();
    std::process::abort();
}

#[cfg(target_os = "linux")]
#[test]
fn a_busy_worker_ends_with_its_application() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let application = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "an_application_that_is_killed_while_a_worker_is_busy", "--ignored"])
        .env("ANCRE_TEST_PID", &pid)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(!application.success());
    let pid = fs::read_to_string(pid).unwrap();
    // Whoever inherits the dead may take his time to bury them.
    let is_dead = || {
        fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| stat.contains(") Z "))
    };
    assert!(wait_until(is_dead), "the worker {pid} is still there");
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_is_under_all_its_limits() {
    let readers = Readers::one();
    readers.read("un").unwrap();
    let read = |what: &str| {
        fs::read_to_string(format!("/proc/{}/{what}", readers.last_started())).unwrap()
    };
    let status = read("status");
    assert!(status.contains("Seccomp:\t2"), "{status}");
    assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    let limits = read("limits");
    let soft = |name: &str| -> Option<u64> {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..].split_whitespace().next().unwrap().parse().ok()
    };
    assert_eq!(soft("Max core file size"), Some(0));
    assert_eq!(soft("Max file size"), Some(0));
    assert!(soft("Max open files").unwrap() <= 64);
    assert!((60..=62).contains(&soft("Max cpu time").unwrap()));
    let memory = soft("Max address space").unwrap();
    assert!((1 << 30..2 << 30).contains(&memory), "{memory}");
}

#[test]
#[ignore = "a measurement: cargo test -p ancre-extract --test isolation -- --ignored warm --nocapture"]
fn a_warm_worker_costs_little() {
    let readers = Readers::one();
    let bytes = page("Bonjour.");
    let measure = |reader: &Reader| {
        let mut times: Vec<Duration> = (0..190)
            .map(|_| {
                let begun = Instant::now();
                read_html(reader, &bytes).unwrap();
                begun.elapsed()
            })
            .collect();
        times.sort();
        (times[95], times[180])
    };
    let begun = Instant::now();
    readers.read("un").unwrap();
    println!("first document, with the start of the worker: {:?}", begun.elapsed());
    println!("in a worker, p50 and p95: {:?}", measure(&readers.reader));
    println!("in process, p50 and p95: {:?}", measure(&Reader::in_process(Libraries::default())));
}
