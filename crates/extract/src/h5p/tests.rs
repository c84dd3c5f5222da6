use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::input::Libraries as NativeLibraries;
use crate::mutation::mutations;
use crate::{Parsed, read};

const ABOUT: &str = r#"{"title":"Caf&eacute; &amp; th&eacute;","mainLibrary":"H5P.Column"}"#;

fn package(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn parsed(bytes: &[u8]) -> Result<Parsed, ExtractError> {
    read::parse(&Input {
        bytes,
        file_name: "exercice.h5p",
        password: None,
        recognise: false,
        libraries: &NativeLibraries::default(),
        depth: 0,
        progress: &|_| (),
    })
}

fn text_of(content: &str, more: &[(&str, &str)]) -> String {
    let mut files = vec![("h5p.json", ABOUT), ("content/content.json", content)];
    files.extend(more);
    parsed(&package(&files)).unwrap().text.trim_end().to_owned()
}

#[test]
fn without_a_description_the_names_of_fields_tell_words_from_labels() {
    let content = r##"{"media":{"type":{"params":{"contentName":"Image"}},"disableImageZooming":false},
        "question":"<p>Combien&nbsp;?</p>","answers":[
        {"correct":false,"text":"<div>Deux</div>","tipsAndFeedback":{"tip":"","chosenFeedback":"Non."}},
        {"correct":true,"text":"<div>Trois</div>"}],
        "overallFeedback":[{"from":0,"to":100,"feedback":"Bien."}],
        "behaviour":{"type":"auto","note":"x"},"UI":{"checkAnswerButton":"Vérifier"},
        "submitAnswerButton":"Soumettre","backgroundColor":"#ff0000","intro":"images/a.png",
        "link":"https://example.com"}"##;
    let text = text_of(content, &[]);
    assert_eq!(text, "# Café & thé\n\nCombien\u{a0}?\n\n- Deux\nNon.\n- Trois ✓\n\nBien.");
}

#[test]
fn parts_are_read_by_the_description_of_their_library() {
    let column = r#"[{"name":"content","type":"list","field":{"name":"content","type":"group","fields":[
        {"name":"content","type":"library"},{"name":"useSeparator","type":"select"}]}}]"#;
    let text_library = r#"[{"name":"text","type":"text","widget":"html"},
        {"name":"close","type":"text","common":true},{"name":"kind","type":"select"}]"#;
    let content = r#"{"content":[
        {"content":{"library":"H5P.AdvancedText 1.1","params":{"close":"Fermer","kind":"vue","text":
        "<h3>Titre</h3><ul><li>un</li></ul>"},"metadata":{"title":"Sans titre"}},"useSeparator":"auto"},
        {"content":{"library":"H5P.Image 1.1","params":{"alt":"Une ruche ouverte","title":"survol",
        "file":{"path":"images/x.png","mime":"image/png"}}}}]}"#;
    let text = text_of(
        content,
        &[
            ("H5P.Column-1.16/semantics.json", column),
            ("H5P.AdvancedText-1.1/semantics.json", text_library),
        ],
    );
    assert_eq!(text, "# Café & thé\n\n### Titre\n\n- un\n\nUne ruche ouverte");
}

#[test]
fn a_statement_is_answered_in_the_words_of_its_buttons() {
    let content = r#"{"question":"<p>La Terre est ronde.</p>","correct":"true",
        "l10n":{"trueText":"Vrai","falseText":"Faux"}}"#;
    assert!(text_of(content, &[]).ends_with("La Terre est ronde.\n\n- Vrai ✓"));
}

#[test]
fn a_single_choice_stores_its_right_answer_first() {
    let content = r#"{"choices":[{"question":"Qui&nbsp;?","answers":["Anne","Luc"]}]}"#;
    assert!(text_of(content, &[]).ends_with("Qui\u{a0}?\n\n- Anne ✓\n- Luc"));
}

#[test]
fn chapters_are_headings() {
    let content = r#"{"chapters":[{"library":"H5P.Column 1.16","metadata":{"title":"Les bases"},
        "params":{"content":[{"text":"Un."}]}}],"panels":[{"title":"Foire","content":{"text":"Deux."}}]}"#;
    assert!(text_of(content, &[]).ends_with("## Les bases\n\nUn.\n\n## Foire\n\nDeux."));
}

#[test]
fn an_exercise_without_words_is_empty_and_one_without_content_damaged() {
    let empty = package(&[("h5p.json", ABOUT), ("content/content.json", "{}")]);
    assert_eq!(parsed(&empty), Err(ExtractError::Empty));
    let without = package(&[("h5p.json", ABOUT)]);
    assert!(matches!(parsed(&without), Err(ExtractError::Corrupt { .. })));
}

#[test]
fn nesting_without_end_is_refused() {
    let content = format!("{}{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let bytes = package(&[("h5p.json", ABOUT), ("content/content.json", &content)]);
    assert!(matches!(parsed(&bytes), Err(ExtractError::Corrupt { .. })));
}

#[test]
fn no_damage_stops_the_reader() {
    let semantics = r#"[{"name":"question","type":"text"},{"name":"answers","type":"list",
        "field":{"type":"group","fields":[{"name":"text","type":"text"}]}}]"#;
    let content = r#"{"question":"<p>a</p>","answers":[{"text":"b","correct":true}]}"#;
    let bytes = package(&[
        ("h5p.json", ABOUT),
        ("content/content.json", content),
        ("H5P.Column-1.16/semantics.json", semantics),
    ]);
    assert!(parsed(&bytes).is_ok());
    for damaged in mutations(&bytes, 500) {
        if let Ok(exercise) = parsed(&damaged) {
            assert!(!exercise.text.is_empty());
        }
    }
}
