//! Jobs that outlive the process that works on them: the built `ancre`, killed and interrupted.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

struct Terminal {
    folder: tempfile::TempDir,
}

impl Terminal {
    /// A data folder with the base “Help”, and a folder of so many files.
    fn with_files(count: usize) -> (Self, PathBuf) {
        let terminal = Self { folder: tempfile::tempdir().unwrap() };
        terminal.json(&["kb", "create", "Help"]);
        let files = terminal.folder.path().join("files");
        std::fs::create_dir(&files).unwrap();
        for number in 0..count {
            let text = format!("# Rule {number}\n\nRule {number}: gate {number} closes at ten.\n");
            std::fs::write(files.join(format!("{number:03}.md")), text).unwrap();
        }
        (terminal, files)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ancre"));
        let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        command
            .env("ANCRE_RUNTIME", clone.join("runtime"))
            .arg("--data")
            .arg(self.folder.path().join("data"))
            .arg("--json")
            .args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Begins an ingestion and waits until so many items are done.
    fn begin(&self, files: &Path, done: u64) -> (Child, Lines<BufReader<ChildStdout>>) {
        self.follow(&["ingest", "--kb", "Help", files.to_str().unwrap()], done)
    }

    /// Begins something and waits until it tells of so many items that are done.
    fn follow(&self, arguments: &[&str], done: u64) -> (Child, Lines<BufReader<ChildStdout>>) {
        let mut child = self.command(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let is_far = |line: Value| line["itemsDone"].as_u64().is_some_and(|items| items >= done);
        lines
            .find(|line| is_far(serde_json::from_str(line.as_ref().unwrap()).unwrap()))
            .expect("progress is told")
            .unwrap();
        (child, lines)
    }

    fn index(&self) -> Value {
        self.json(&["kb", "show", "Help"])["index"].clone()
    }

    fn job(&self) -> Value {
        self.json(&["jobs", "list"])[0].clone()
    }
}

#[test]
fn a_killed_ingestion_of_many_files_is_taken_up_and_each_comes_once() {
    const FILES: usize = 200;
    let (terminal, files) = Terminal::with_files(FILES);
    for done in [20, 60] {
        let (mut child, _lines) = if done == 20 {
            terminal.begin(&files, done)
        } else {
            terminal.follow(&["ingest", "--resume"], done)
        };
        child.kill().unwrap();
        child.wait().unwrap();
        let job = terminal.job();
        assert_eq!(job["state"], "queued", "{job}");
        let finished = job["itemsDone"].as_u64().unwrap();
        assert!((done..FILES as u64).contains(&finished), "{job}");
        let base = terminal.json(&["kb", "show", "Help"]);
        let ready = base["counts"]["ready"].as_u64().unwrap();
        // A document may have become ready in the moment before its item could say so.
        assert!(ready >= finished && ready <= finished + 3, "{finished} and {ready}");
    }

    let resumed = terminal.run(&["ingest", "--resume"]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    let job = terminal.job();
    assert_eq!((&job["state"], &job["itemsDone"]), (&"done".into(), &FILES.into()), "{job}");
    let shown = terminal.json(&["jobs", "show", job["id"].as_str().unwrap()]);
    let items = shown["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["state"] == "ready"), "{items:?}");
    let base = terminal.json(&["kb", "show", "Help"]);
    let documents = base["documents"].as_array().unwrap();
    let uris: BTreeSet<&str> =
        documents.iter().map(|it| it["sourceUri"].as_str().unwrap()).collect();
    assert_eq!((documents.len(), uris.len()), (FILES, FILES), "nothing is there twice");
    assert_eq!(base["counts"]["ready"], FILES);
    assert_eq!(base["counts"]["chunks"], FILES, "each has its one passage once");
}

#[test]
fn an_interrupted_ingestion_is_cancelled_and_reports_what_it_did() {
    let (terminal, files) = Terminal::with_files(200);
    let (mut child, lines) = terminal.begin(&files, 5);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    let last = lines.map_while(Result::ok).last().expect("a last line");
    let report: Value = serde_json::from_str(&last).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let count = |name: &str| report[name].as_u64().unwrap();
    assert!(count("ready") >= 5 && count("cancelled") > 0, "{last}");
    assert_eq!(count("ready") + count("cancelled"), 200, "{last}");

    let job = terminal.job();
    assert_eq!(job["state"], "cancelled");
    let id = job["id"].as_str().unwrap();
    let refused = terminal.run(&["jobs", "pause", id]);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    let again = terminal.run(&["jobs", "retry", id]);
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    assert_eq!(terminal.json(&["kb", "show", "Help"])["counts"]["ready"], 200);
    terminal.json(&["jobs", "clear"]);
    assert_eq!(terminal.json(&["jobs", "list"]), Value::Array(Vec::new()));
}

/// A base of long files, and a re-index of it that has built so many of them.
fn reindexing(done: u64) -> (Terminal, Child, Lines<BufReader<ChildStdout>>) {
    let (terminal, files) = Terminal::with_files(0);
    for number in 0..LONG_FILES {
        let sentences: String = (0..40)
            .map(|at| format!("Sentence {at} of rule {number} says that gate {at} closes late. "))
            .collect();
        std::fs::write(files.join(format!("{number:03}.md")), sentences).unwrap();
    }
    let ingested = terminal.run(&["ingest", "--kb", "Help", files.to_str().unwrap()]);
    assert_eq!(ingested.status.code(), Some(0), "{ingested:?}");
    let (child, lines) = terminal.follow(&["kb", "reindex", "Help", "--chunk-size", "300"], done);
    (terminal, child, lines)
}

const LONG_FILES: u64 = 40;

/// The old index answers while the new one is not whole.
fn answers_from_the_old_index(terminal: &Terminal) {
    let base = terminal.json(&["kb", "show", "Help"]);
    assert_eq!(base["index"]["generation"], 1, "{base}");
    let built = base["index"]["building"]["documents"].as_u64().unwrap();
    assert!((1..LONG_FILES).contains(&built), "{built}");
    let found = terminal.json(&["search", "--kb", "Help", "sentence of rule 7"]);
    assert!(!found["hits"].as_array().unwrap().is_empty());
}

#[test]
fn a_killed_reindex_is_taken_up_and_the_old_index_answers_meanwhile() {
    let (terminal, mut child, _lines) = reindexing(3);
    child.kill().unwrap();
    child.wait().unwrap();
    let job = terminal.job();
    assert_eq!((&job["kind"], &job["state"]), (&"reindex".into(), &"queued".into()), "{job}");
    answers_from_the_old_index(&terminal);

    let resumed = terminal.run(&["ingest", "--resume"]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    let said = String::from_utf8(resumed.stdout).unwrap();
    let end: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!((&end["indexesBuilt"], &end["indexesWaiting"]), (&1.into(), &0.into()), "{end}");
    assert_eq!((&end["ready"], &end["waiting"]), (&0.into(), &0.into()), "no document came");
    let base = terminal.json(&["kb", "show", "Help"]);
    assert_eq!(base["index"]["generation"], 2);
    assert!(base["index"]["building"].is_null());
    assert_eq!(base["counts"]["ready"], LONG_FILES);
}

#[test]
fn an_interrupted_reindex_is_paused_and_goes_on_where_it_was() {
    let (terminal, mut child, lines) = reindexing(3);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    let last = lines.map_while(Result::ok).last().expect("a last line");
    assert_eq!(serde_json::from_str::<Value>(&last).unwrap()["state"], "paused", "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    answers_from_the_old_index(&terminal);

    let resumed = terminal.run(&["jobs", "resume", terminal.job()["id"].as_str().unwrap()]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert_eq!(terminal.json(&["kb", "show", "Help"])["index"]["generation"], 2);
}

#[test]
fn jobs_are_steered_from_the_terminal() {
    let (terminal, files) = Terminal::with_files(3);
    std::fs::write(files.join("empty.md"), "").unwrap();
    let ingested = terminal.run(&["ingest", "--kb", "Help", files.to_str().unwrap()]);
    assert_eq!(ingested.status.code(), Some(1), "one file is empty");
    let job = terminal.job();
    assert_eq!((&job["title"], &job["itemsFailed"]), (&"files".into(), &1.into()), "{job}");
    let id = job["id"].as_str().unwrap();
    let shown = terminal.json(&["jobs", "show", id, "--state", "failed"]);
    assert_eq!(shown["items"][0]["error"]["code"], "empty");
    let wrong = terminal.run(&["jobs", "show", id, "--state", "lost"]);
    assert_eq!(wrong.status.code(), Some(2));
    let missing = terminal.run(&["jobs", "show", "nothing"]);
    assert_eq!(missing.status.code(), Some(4));
    std::fs::write(files.join("empty.md"), "It has words now.").unwrap();
    let again = terminal.run(&["jobs", "retry", id]);
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    assert_eq!(terminal.json(&["kb", "show", "Help"])["counts"]["ready"], 4);
}

#[test]
fn an_index_that_is_brought_back_has_what_came_since() {
    let (terminal, files) = Terminal::with_files(3);
    let path = |name: &str| files.join(name).to_str().unwrap().to_owned();
    let ingest = |file: &str| terminal.run(&["ingest", "--kb", "Help", file]).status.success();
    assert!(ingest(files.to_str().unwrap()));
    let built = terminal.run(&["kb", "reindex", "Help", "--chunk-size", "500"]);
    assert!(built.status.success(), "{built:?}");
    std::fs::write(path("late.md"), "The bridge to the island opens at noon.").unwrap();
    assert!(ingest(&path("late.md")));

    let restored = terminal.run(&["kb", "reindex", "Help", "--restore"]);
    assert_eq!(restored.status.code(), Some(0), "{restored:?}");
    assert_eq!(terminal.index()["generation"], 1);
    for mode in ["vector", "text"] {
        let asked = ["search", "--kb", "Help", "--mode", mode, "bridge to the island"];
        let found = terminal.json(&asked);
        assert_eq!(found["hits"][0]["documentTitle"], "late", "by {mode}: {found}");
    }
}
