//! The thread from file to draft in a terminal: the built `ancre`, real storage, the real model.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

struct Terminal {
    folder: tempfile::TempDir,
}

impl Terminal {
    fn open() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ancre"));
        let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        command
            .env("ANCRE_RUNTIME", clone.join("runtime"))
            .arg("--data")
            .arg(self.folder.path().join("data"))
            .args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed and reads its one JSON document.
    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn a_file_becomes_a_cited_draft() {
    let terminal = Terminal::open();
    let base = terminal.json(&["kb", "create", "Help"]);
    assert_eq!(base["name"], "Help");
    let file = terminal.file(
        "refunds.md",
        "# Refunds\n\nA refund takes 5 working days once the parcel is back.\n",
    );

    let ingested = terminal.run(&["ingest", "--kb", "help", file.to_str().unwrap(), "--json"]);
    assert_eq!(code(&ingested), Some(0), "{ingested:?}");
    let lines: Vec<Value> = String::from_utf8(ingested.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() > 1, "progress comes before the report");
    assert_eq!(lines.last().unwrap()["ready"], 1);

    let found = terminal.json(&["search", "--kb", "Help", "how long until I get my money back?"]);
    assert_eq!(found["hits"][0]["documentTitle"], "Refunds");
    assert!(found["hits"][0]["distance"].as_f64().unwrap() < 0.5);

    terminal.json(&["agent", "create", "Robin", "--kb", "Help"]);
    let ticket = terminal.json(&[
        "ticket",
        "new",
        "--subject",
        "Refund",
        "--body",
        "How long does a refund take?",
        "--agent",
        "robin",
    ]);
    let draft = terminal.json(&["ticket", "draft", ticket["id"].as_str().unwrap()]);
    assert_eq!(draft["status"], "drafted", "{draft}");
    assert!(draft["text"].as_str().unwrap().contains("5 working days"), "{draft}");
    assert_eq!(draft["citations"][0]["number"], 1);
    assert_eq!(draft["citations"][0]["documentTitle"], "Refunds");
    let shown = terminal.json(&["ticket", "show", ticket["id"].as_str().unwrap()]);
    assert_eq!(shown["draft"]["runId"], draft["runId"]);
}

#[test]
fn standard_input_is_a_document_and_a_message() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Help"]);
    let pipe = |arguments: &[&str], text: &str| {
        let mut child = terminal
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let ingested =
        pipe(&["ingest", "--kb", "Help", "--title", "Parking", "-"], "The car park closes at ten.");
    assert_eq!(code(&ingested), Some(0), "{ingested:?}");
    let ticket = pipe(&["ticket", "new", "--json", "-"], "When does the car park close?");
    let ticket: Value = serde_json::from_slice(&ticket.stdout).unwrap();
    assert_eq!(ticket["subject"], "When does the car park close?");
}

#[test]
fn exit_codes_tell_what_happened() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Help"]);
    let good = terminal.file("good.txt", "Some text about parking.");
    let empty = terminal.file("empty.txt", "");
    let (good, empty) = (good.to_str().unwrap(), empty.to_str().unwrap());

    let cases: &[(&[&str], i32, &str)] = &[
        (&["ingest", "--kb", "Help", good, empty], 1, "one of two files failed"),
        (&["kb", "frobnicate"], 2, "there is no such command"),
        (&["kb", "create", "  "], 2, "a name needs a letter"),
        (&["search", "--kb", "Help", "--top-k", "0", "parking"], 2, "no passage was asked for"),
        (&["kb", "create", "help"], 3, "the name is taken, whatever its case"),
        (&["search", "--kb", "Nowhere", "parking"], 4, "there is no such base"),
        (&["ticket", "show", "x'; DROP TABLE tickets"], 4, "that is no ticket"),
        (&["extract", "/nowhere/at/all.md"], 4, "there is no such file"),
    ];
    for (arguments, expected, reason) in cases {
        let output = terminal.run(arguments);
        assert_eq!(code(&output), Some(*expected), "{reason}: {output:?}");
        assert!(!output.stderr.is_empty() || *expected == 1, "{reason}: it says so");
    }
}

/// ONNX Runtime queues reports to its maker under the home folder, unless they are forbidden.
#[test]
fn the_model_reports_to_nobody() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Help"]);
    let file = terminal.file("page.md", "The car park closes at ten.");
    let home = terminal.folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let ingested = terminal
        .command(&["ingest", "--kb", "Help", file.to_str().unwrap()])
        .env("HOME", &home)
        .env_remove("XDG_CACHE_HOME")
        .env_remove("ORT_DISABLE_TELEMETRY")
        .output()
        .unwrap();
    assert_eq!(code(&ingested), Some(0), "{ingested:?}");
    let left: Vec<_> = std::fs::read_dir(&home).unwrap().flatten().map(|it| it.path()).collect();
    assert!(left.is_empty(), "the home folder is untouched: {left:?}");
}

#[test]
fn a_killed_ingestion_leaves_nothing_half_visible_and_is_taken_up_again() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Help", "--chunk-size", "300"]);
    let paragraph =
        |number| format!("Rule {number}: the car park closes at ten. {}\n\n", "x ".repeat(100));
    let text: String = (0..80).map(paragraph).collect();
    let file = terminal.file("rules.md", text);
    let ingest = ["ingest", "--kb", "Help", file.to_str().unwrap(), "--json"];

    let mut child = terminal.command(&ingest).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let is_half_done = |line: &Value| {
        let done = line["chunksDone"].as_u64().unwrap_or(0);
        done > 0 && done < line["chunksTotal"].as_u64().unwrap_or(0)
    };
    lines
        .find(|line| is_half_done(&serde_json::from_str(line.as_ref().unwrap()).unwrap()))
        .expect("progress is told between batches")
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();

    let found = terminal.json(&["search", "--kb", "Help", "when does the car park close?"]);
    assert_eq!(found["hits"], Value::Array(Vec::new()), "half a document is not seen");
    let shown = terminal.json(&["kb", "show", "Help"]);
    assert_eq!(shown["counts"]["ready"], 0, "{shown}");
    assert_eq!(shown["documents"][0]["status"], "queued", "{shown}");
    let again = terminal.run(&["ingest", "--resume"]);
    assert_eq!(code(&again), Some(0), "{again:?}");
    let shown = terminal.json(&["kb", "show", "Help"]);
    assert_eq!(shown["documents"][0]["status"], "ready", "{shown}");
    assert_eq!(shown["counts"]["chunks"], shown["documents"][0]["chunkCount"]);
}

#[test]
fn a_refusal_is_one_json_document_too() {
    let terminal = Terminal::open();
    let output = terminal.run(&["kb", "show", "Nowhere", "--json"]);
    let refusal: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(refusal["error"]["code"], "not_found");
    assert_eq!(code(&output), Some(4));
    let output = terminal.run(&["kb", "frobnicate", "--json"]);
    let refusal: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(refusal["error"]["code"], "invalid_input");
}

#[test]
fn extract_shows_what_ingestion_would_read_and_makes_no_data_folder() {
    let terminal = Terminal::open();
    let file = terminal.file("page.md", "# Title\n\nBody.\n");
    let read = terminal.json(&["extract", file.to_str().unwrap()]);
    assert_eq!(read["title"], "Title");
    assert_eq!(read["outline"][0]["title"], "Title");
    assert_eq!(read["pages"], Value::Array(Vec::new()), "Markdown has no pages");
    assert!(read["pageKind"].is_null() && read["entries"].is_null());
    assert!(!terminal.folder.path().join("data").exists());
}

#[test]
fn extract_says_beside_the_text_what_was_wrong_with_it() {
    let terminal = Terminal::open();
    let cut = ["Déjà réglé à l'été, répété, préféré.".as_bytes(), b"\xC3"].concat();
    let file = terminal.file("cut.log", cut);
    let read = terminal.run(&["extract", file.to_str().unwrap()]);
    assert_eq!(code(&read), Some(0));
    let said = String::from_utf8(read.stderr).unwrap();
    assert!(said.contains("warning: Some bytes are not UTF-8"), "{said}");
    assert!(!String::from_utf8(read.stdout).unwrap().contains("warning"));
    let read = terminal.json(&["extract", file.to_str().unwrap()]);
    assert_eq!(read["warnings"][0]["code"], "replaced_characters");
}

/// An archive of one file, `help/a.md`, that another program wrote.
const ARCHIVE: &[u8] =
    b"PK\x03\x04\x14\0\0\0\0\0\0\0!\0q\x80\xc5\xb6\n\0\0\0\n\0\0\0\x09\0\0\0help/a.md# A t\
      itle\nPK\x01\x02\x14\x03\x14\0\0\0\0\0\0\0!\0q\x80\xc5\xb6\n\0\0\0\n\0\0\0\x09\0\0\0\
      \0\0\0\0\0\0\0\0\x80\x01\0\0\0\0help/a.mdPK\x05\x06\0\0\0\0\x01\0\x01\x007\0\0\x001\0\0\
      \0\0\0";

#[test]
fn extract_lists_an_archive_and_reads_a_file_of_it() {
    let terminal = Terminal::open();
    let file = terminal.file("help.zip", ARCHIVE);
    let path = file.to_str().unwrap();
    let listed = terminal.run(&["extract", path]);
    assert_eq!(code(&listed), Some(0), "{listed:?}");
    assert!(String::from_utf8(listed.stdout).unwrap().contains("10     yes   help/a.md"));
    let listed = terminal.json(&["extract", path]);
    assert_eq!(listed["entries"][0]["name"], "help/a.md");
    let read = terminal.json(&["extract", path, "--entry", "help/a.md"]);
    assert_eq!((&read["title"], &read["entries"]), (&Value::from("A title"), &Value::Null));
    let missing = terminal.run(&["extract", path, "--entry", "b.md"]);
    assert_eq!(code(&missing), Some(4), "there is no such file in it");
}

#[test]
fn a_base_gets_a_new_index_and_its_old_one_back() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Help"]);
    let file = terminal.file("refunds.md", "# Refunds\n\nA refund takes 5 working days.\n");
    assert_eq!(code(&terminal.run(&["ingest", "--kb", "help", file.to_str().unwrap()])), Some(0));

    let cost = terminal.json(&["kb", "reindex", "Help", "--chunk-size", "500", "--estimate"]);
    assert_eq!((&cost["documents"], &cost["chunks"]), (&1.into(), &1.into()), "{cost}");
    assert_eq!(cost["cachedChunks"], 1, "the same window was embedded before");

    let built = terminal.run(&["kb", "reindex", "Help", "--chunk-size", "500"]);
    assert_eq!(code(&built), Some(0), "{built:?}");
    let base = terminal.json(&["kb", "show", "Help"]);
    assert_eq!((&base["index"]["generation"], &base["chunking"]["size"]), (&2.into(), &500.into()));
    let base = terminal.json(&["kb", "reindex", "Help", "--restore"]);
    assert_eq!(base["index"]["generation"], 1);
    let base = terminal.json(&["kb", "reindex", "Help", "--discard"]);
    assert!(base["index"]["previous"].is_null());

    let nothing = terminal.run(&["kb", "reindex", "Help", "--restore"]);
    assert_eq!(code(&nothing), Some(4));
    let said = String::from_utf8(nothing.stderr).unwrap();
    assert!(said.contains("“Help” has no previous index"), "{said}");
    assert_eq!(code(&terminal.run(&["kb", "reindex", "Help", "--cancel"])), Some(4));
    assert_eq!(code(&terminal.run(&["kb", "reindex", "Help", "--model", "absent"])), Some(3));

    let changed = terminal.run(&["kb", "update", "Help", "--chunk-size", "300"]);
    let said = String::from_utf8(changed.stdout).unwrap();
    for change in
        ["characters per chunk: 2000 → 300", "shared: 200 → 30", "ancre kb reindex 'Help'"]
    {
        assert!(said.contains(change), "{said}");
    }
}

#[test]
fn a_reranker_is_imported_used_and_removed() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Aide"]);
    let file = terminal.file("acces.md", "Pour choisir un nouveau mot de passe, ouvrez le profil.");
    assert_eq!(code(&terminal.run(&["ingest", "--kb", "Aide", file.to_str().unwrap()])), Some(0));
    let search = ["search", "--kb", "Aide", "--rerank", "nouveau mot de passe"];
    let refused = terminal.run(&search);
    assert_eq!(code(&refused), Some(3), "{refused:?}");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("no reranker is installed") && said.contains("ancre models import"));

    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../models/tests/cross_encoder/two_logits")
        .display()
        .to_string();
    let unlicensed = terminal.run(&["models", "import", &folder]);
    assert_eq!(code(&unlicensed), Some(2), "{unlicensed:?}");
    let listed = terminal.json(&["models", "import", &folder, "--license", "MIT"]);
    assert_eq!(listed[0]["id"], "two_logits");
    assert_eq!(terminal.json(&search)["isReranked"], true);
    let listed = terminal.json(&["models", "list"]);
    assert_eq!(listed["embedders"][0]["isDefault"], true);
    assert_eq!(listed["rerankers"][0]["isUsed"], true);
    terminal.json(&["models", "remove", "two_logits"]);
    assert_eq!(code(&terminal.run(&search)), Some(3));
}

#[test]
fn beside_an_open_window_the_terminal_reads_and_refuses_to_write() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Help"]);
    let path = terminal.folder.path().join("data/ancre.lock");
    let window = std::fs::File::options().write(true).open(path).unwrap();
    window.try_lock().expect("no command holds it any more");
    let listed = terminal.json(&["kb", "list"]);
    assert_eq!(listed[0]["name"], "Help");
    assert_eq!(terminal.json(&["source", "list"]), serde_json::json!([]));
    let refused = terminal.run(&["kb", "create", "More", "--json"]);
    assert_eq!(code(&refused), Some(3), "{refused:?}");
    let refused: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(refused["error"]["code"], "data_in_use");
    drop(window);
    terminal.json(&["kb", "create", "More"]);
}

#[test]
fn a_source_is_managed_by_its_title() {
    let terminal = Terminal::open();
    terminal.json(&["kb", "create", "Help"]);
    terminal.json(&["kb", "create", "More"]);
    let file = terminal.file("refunds.md", "# Refunds\n\nA refund takes 5 working days.\n");
    let added = terminal.run(&["ingest", "--kb", "Help", file.to_str().unwrap()]);
    assert_eq!(code(&added), Some(0), "{added:?}");
    let listed = terminal.json(&["source", "list", "refunds"]);
    assert_eq!(listed[0]["attachments"][0]["kbName"], "Help");
    assert_eq!(code(&terminal.run(&["source", "attach", "refunds", "--kb", "More"])), Some(0));
    terminal.json(&["source", "rename", "Refunds", "Money back"]);
    let newer = terminal.file("newer.md", "# Money back\n\nA refund takes 2 working days.\n");
    let replaced = terminal.run(&["source", "replace", "money back", newer.to_str().unwrap()]);
    assert_eq!(code(&replaced), Some(0), "{replaced:?}");
    let shown = terminal.json(&["source", "show", "money back"]);
    assert_eq!(shown["source"]["version"], 2, "{shown}");
    assert_eq!(shown["source"]["attachments"].as_array().map(Vec::len), Some(2));
    terminal.json(&["source", "detach", "money back", "--kb", "More"]);
    let gone = terminal.run(&["source", "delete", "money back"]);
    let said = String::from_utf8(gone.stdout).unwrap();
    assert!(said.contains("1 passage left Help"), "{said}");
    assert_eq!(code(&terminal.run(&["source", "show", "money back"])), Some(4));
    let storage = terminal.json(&["kb", "storage", "--compact"]);
    assert_eq!(storage["reclaimableBytes"], 0);
}
