//! What a person does with names, sources, questions, agents and settings from a terminal: the
//! built `ancre`, real storage, the real model.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

struct Terminal {
    folder: tempfile::TempDir,
}

impl Terminal {
    /// A data folder with these bases.
    fn with_bases(names: &[&str]) -> Self {
        let terminal = Self { folder: tempfile::tempdir().unwrap() };
        for name in names {
            terminal.json(&["kb", "create", name]);
        }
        terminal
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Command::new(env!("CARGO_BIN_EXE_ancre"))
            .env("ANCRE_RUNTIME", clone.join("runtime"))
            .arg("--data")
            .arg(self.folder.path().join("data"))
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Runs a command that must succeed and reads its one JSON document.
    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs a command that must succeed and gives what it says on both outputs.
    fn said(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        both(&output)
    }

    /// Runs a command that must be refused, and reads the error.
    fn refused(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(!output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"].clone()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn add(&self, kb: &str, name: &str, content: &str) {
        std::fs::write(self.path(name), content).unwrap();
        self.said(&["ingest", "--kb", kb, self.path(name).to_str().unwrap()]);
    }
}

fn both(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it)).concat()
}

fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

#[test]
fn a_base_that_is_called_like_the_id_of_another_does_not_stand_in_its_way() {
    let terminal = Terminal::with_bases(&["Help"]);
    let help = terminal.json(&["kb", "show", "Help"]);
    terminal.json(&["kb", "create", id(&help)]);
    assert_eq!(terminal.json(&["kb", "show", id(&help)])["name"], "Help");
    let shown = terminal.json(&["kb", "show", "h\u{200b}elp "]);
    assert_eq!(id(&shown), id(&help));
}

#[test]
fn two_forms_of_an_apostrophe_are_one_name() {
    let terminal = Terminal::with_bases(&["Centre d’aide"]);
    let typed = terminal.json(&["kb", "show", "centre d'aide"]);
    assert_eq!(typed["name"], "Centre d’aide");
    for alike in ["Centre d'aide", "CENTRE\u{200b}  d‘aide"] {
        let refused = terminal.refused(&["kb", "create", alike]);
        assert_eq!(refused["code"], "name_taken", "{alike}");
    }
}

#[test]
fn a_new_version_that_is_another_source_already_is_refused() {
    let terminal = Terminal::with_bases(&["Help"]);
    terminal.add("Help", "refunds.md", "# Refunds\n\nA refund takes 5 days.\n");
    terminal.add("Help", "parking.md", "# Parking\n\nThe car park closes at ten.\n");
    let copy = terminal.path("refunds.md");
    let refused = terminal.refused(&["source", "replace", "Parking", copy.to_str().unwrap()]);
    assert_eq!(refused["code"], "already_in_library");
    assert!(refused["message"].as_str().unwrap().contains("“Refunds”"), "{refused}");
    assert!(!refused["hint"].is_null());
    assert_eq!(terminal.json(&["source", "list"]).as_array().unwrap().len(), 2);
}

#[test]
fn a_file_of_what_nobody_sees_is_empty() {
    let terminal = Terminal::with_bases(&["Help"]);
    let file = terminal.path("seen.txt");
    std::fs::write(&file, "\u{feff}\u{200b}\u{2060}\u{ad} \n\u{202e}").unwrap();
    let read = terminal.refused(&["extract", file.to_str().unwrap()]);
    assert_eq!(read["code"], "empty");
    let ingested = terminal.run(&["ingest", "--kb", "Help", file.to_str().unwrap()]);
    assert_eq!(ingested.status.code(), Some(1), "{ingested:?}");
    assert!(both(&ingested).contains("there is no text in it"), "{ingested:?}");
}

#[test]
#[cfg(unix)]
fn what_cannot_be_looked_into_is_named_with_its_reason() {
    let terminal = Terminal::with_bases(&["Help"]);
    let folder = terminal.path("files");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("good.md"), "The car park closes at ten.").unwrap();
    // Nobody can follow it, not even who may read everything.
    std::os::unix::fs::symlink("circle", folder.join("circle")).unwrap();
    let ingested = terminal.run(&["ingest", "--kb", "Help", folder.to_str().unwrap()]);
    assert_eq!(ingested.status.code(), Some(1), "{ingested:?}");
    let said = both(&ingested);
    let line = said.lines().find(|line| line.starts_with("failed ")).expect("it is named");
    let (name, reason) = line.split_once("circle: ").expect("with its path");
    assert!(name.ends_with("files/") && reason.contains("could not be read"), "{line}");
    assert!(said.contains("good.md (1 chunk)"), "{said}");
    assert_eq!(said.matches("failed  ").count(), 1, "once: {said}");
}

#[test]
fn a_title_breaks_no_table_and_steers_no_terminal() {
    let terminal = Terminal::with_bases(&["Help"]);
    let name = "two\nlines\t\u{1b}[31m\u{202e}fdp.md";
    std::fs::write(terminal.path(name), "The car park closes at ten.").unwrap();
    let added = terminal.said(&["ingest", "--kb", "Help", terminal.path(name).to_str().unwrap()]);
    let shown = terminal.said(&["kb", "show", "Help"]);
    let listed = terminal.said(&["source", "list"]);
    let found = terminal.said(&["search", "--kb", "Help", "car park"]);
    for said in [&added, &shown, &listed, &found] {
        assert!(!said.contains(['\u{1b}', '\u{202e}', '\t']), "{said:?}");
        assert!(said.contains("\\u{202e}fdp"), "it shows: {said:?}");
    }
    assert_eq!(listed.lines().count(), 2, "a heading and a row: {listed:?}");
    let json = terminal.run(&["source", "list", "--json"]);
    assert!(!both(&json).contains('\u{202e}'), "{json:?}");
}

#[test]
fn a_wrong_use_names_what_is_missing_in_json_too() {
    let terminal = Terminal::with_bases(&[]);
    let refused = terminal.refused(&["ingest"]);
    let sentence = refused["message"].as_str().unwrap();
    assert!(sentence.contains("--kb <NAME>") && sentence.contains("<PATHS>"), "{sentence}");
}

#[test]
fn a_source_is_switched_off_and_on_and_indexed_again_in_a_base() {
    let terminal = Terminal::with_bases(&["Help"]);
    terminal.add("Help", "parking.md", "# Parking\n\nThe car park closes at ten.\n");
    let found = || terminal.json(&["search", "--kb", "Help", "car park"])["hits"].clone();
    let off = terminal.json(&["source", "disable", "parking", "--kb", "Help"]);
    assert_eq!((&off["isEnabled"], found()), (&json!(false), json!([])));
    assert!(terminal.said(&["kb", "show", "Help"]).contains("\noff "));
    terminal.json(&["source", "enable", "parking", "--kb", "Help"]);
    assert_eq!(found().as_array().unwrap().len(), 1);
    let again = terminal.said(&["source", "retry", "parking", "--kb", "Help"]);
    assert!(again.contains("1 already here") || again.contains("1 ready"), "{again}");
    assert_eq!(
        terminal.refused(&["source", "retry", "tariffs", "--kb", "Help"])["code"],
        "not_found"
    );
    let recognised = terminal.run(&["source", "recognise", "parking", "--kb", "Help"]);
    assert_ne!(recognised.status.code(), Some(2), "{recognised:?}");
}

#[test]
fn a_passage_is_shown_with_its_neighbours() {
    let terminal = Terminal::with_bases(&[]);
    terminal.json(&["kb", "create", "Help", "--chunk-size", "200"]);
    let rule =
        |number| format!("Rule {number}: gate {number} closes at ten. {}\n\n", "x ".repeat(70));
    terminal.add("Help", "rules.md", &(1..=5).map(rule).collect::<String>());
    let hits =
        terminal.json(&["search", "--kb", "Help", "--mode", "text", "gate 3"])["hits"].clone();
    let passage = hits[0]["chunkId"].as_str().unwrap();
    let explained =
        terminal.said(&["search", "--kb", "Help", "--mode", "text", "--explain", "gate 3"]);
    assert!(explained.contains(&format!("passage {passage}")), "{explained}");
    let around = terminal.json(&["around", passage, "--before", "2", "--after", "1"]);
    let positions: Vec<_> = around.as_array().unwrap().iter().map(|it| &it["position"]).collect();
    assert!(positions.len() > 1 && positions.is_sorted_by_key(|it| it.as_u64()), "{around}");
    assert!(terminal.said(&["around", passage]).contains(" *\n"));
    assert_eq!(terminal.refused(&["around", "nothing"])["code"], "not_found");
}

#[test]
fn questions_are_made_changed_and_removed_and_a_measurement_needs_no_base_to_be_shown() {
    let terminal = Terminal::with_bases(&["Help"]);
    terminal.add("Help", "parking.md", "# Parking\n\nThe car park closes at ten.\n");
    let add = ["bench", "add", "--kb", "Help", "When does it close?"];
    assert_eq!(terminal.refused(&add)["code"], "invalid_input", "it expects nothing");
    let made = terminal.json(&[&add[..], &["--expect", "parking"]].concat());
    assert_eq!(made["expected"][0]["title"], "Parking");
    let changed = terminal.json(&["bench", "change", id(&made), "--question", "Until when?"]);
    assert_eq!((id(&changed), &changed["text"]), (id(&made), &json!("Until when?")));
    assert_eq!(changed["expected"], made["expected"], "what was not said stays");
    let changed = terminal.json(&["bench", "change", id(&made), "--refuse"]);
    assert_eq!((&changed["mustRefuse"], &changed["expected"]), (&json!(true), &json!([])));
    terminal.json(&["bench", "change", id(&made), "--expect", "Parking"]);

    assert_eq!(terminal.refused(&["bench", "show"])["code"], "not_found");
    terminal.said(&["bench", "run", "--kb", "Help", "--mode", "text"]);
    let shown = terminal.json(&["bench", "show"]);
    assert_eq!(shown["figures"]["questions"], 1);
    assert_eq!(terminal.json(&["bench", "show", id(&shown)])["id"], shown["id"]);
    assert_eq!(terminal.json(&["bench", "show", "--kb", "help"])["id"], shown["id"]);
    terminal.json(&["bench", "delete", id(&shown)]);
    terminal.json(&["bench", "remove", id(&made)]);
    let listed = terminal.json(&["bench", "list", "--kb", "Help"]);
    assert_eq!(listed, json!({ "questions": [], "runs": [] }));
    assert_eq!(terminal.refused(&["bench", "remove", id(&made)])["code"], "not_found");
}

#[test]
fn an_agent_is_changed_and_what_is_not_said_stays() {
    let terminal = Terminal::with_bases(&["Help", "Shop"]);
    let made = terminal.json(&[
        "agent",
        "create",
        "Robin",
        "--kb",
        "Help",
        "--signature",
        "Robin",
        "--max-distance",
        "0.5",
    ]);
    let update = ["agent", "update", "robin", "--name", "Camille", "--kb", "Help,Shop"];
    let changed = terminal.json(&update);
    assert_eq!((id(&changed), &changed["name"]), (id(&made), &json!("Camille")));
    assert_eq!(changed["kbIds"].as_array().unwrap().len(), 2);
    assert_eq!((&changed["signature"], &changed["maxDistance"]), (&json!("Robin"), &json!(0.5)));
    let changed = terminal.json(&["agent", "update", "Camille", "--any-distance", "--top-k", "9"]);
    assert_eq!((&changed["maxDistance"], &changed["topK"]), (&Value::Null, &json!(9)));
}

#[test]
fn settings_are_shown_and_set() {
    let terminal = Terminal::with_bases(&[]);
    let shown = terminal.json(&["settings", "show"]);
    assert_eq!((&shown["language"], &shown["isEmpty"]), (&Value::Null, &json!(true)));
    let set = ["settings", "set", "--language", "fr", "--theme", "dark", "--when-closed", "quit"];
    let shown = terminal.json(&set);
    let chosen = (&shown["language"], &shown["theme"], &shown["whenClosed"]);
    assert_eq!(chosen, (&json!("fr"), &json!("dark"), &json!("quit")));
    let shown = terminal.json(&["settings", "set", "--language", "system"]);
    assert_eq!((&shown["language"], &shown["theme"]), (&Value::Null, &json!("dark")));
    assert!(terminal.said(&["settings", "show"]).contains("when closed"));
    assert_eq!(terminal.refused(&["settings", "set"])["code"], "invalid_input");
}

#[test]
fn the_samples_come_with_a_ticket_whose_passages_can_be_read() {
    let terminal = Terminal::with_bases(&[]);
    let installed = terminal.run(&["samples", "--language", "fr", "--json"]);
    assert!(installed.status.success(), "{installed:?}");
    let said = String::from_utf8(installed.stdout).unwrap();
    let last: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    let ticket = last["ticketId"].as_str().unwrap();
    assert_eq!(terminal.refused(&["ticket", "passage", ticket, "1"])["code"], "not_found");
    let draft = terminal.json(&["ticket", "draft", ticket]);
    let passage = terminal.json(&["ticket", "passage", ticket, "1"]);
    assert_eq!(passage["documentTitle"], draft["citations"][0]["documentTitle"]);
    assert!(terminal.json(&["formats"])["extensions"].as_array().unwrap().contains(&json!("pdf")));
}
