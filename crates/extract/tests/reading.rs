//! Stories of reading documents: what comes out, and what each bad file is told.
#![allow(clippy::unwrap_used, clippy::panic)] // Tests may.

use std::fs;
use std::path::Path;

use ancre_domain::Language;
use ancre_extract::{
    ExtractError, Libraries, ParsedFile, ReadFile, ReadOptions, Reader, is_supported, parse_text,
    supported_extensions,
};
use proptest::prelude::*;

fn parse_file(path: &Path) -> Result<ParsedFile, ExtractError> {
    match Reader::in_process(Libraries::default()).read_path(path, ReadOptions::default())? {
        ReadFile::Document(file) => Ok(file),
        ReadFile::Archive(_) => panic!("{} is an archive", path.display()),
    }
}

#[test]
fn a_markdown_file_comes_out_with_its_outline_and_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("retours.MD");
    let bytes = "# Retours\r\n\r\nVous avez trente jours pour renvoyer un article.\r\n".as_bytes();
    fs::write(&path, bytes).unwrap();

    let file = parse_file(&path).unwrap();

    assert_eq!(file.bytes, bytes);
    assert_eq!(file.parsed.text, "# Retours\n\nVous avez trente jours pour renvoyer un article.\n");
    assert_eq!(file.parsed.title, "Retours");
    assert_eq!(file.parsed.mime, "text/markdown");
    assert_eq!(file.parsed.language, Some(Language::Fr));
    assert_eq!(file.parsed.encoding.as_deref(), Some("UTF-8"));
    assert_eq!(file.parsed.outline.len(), 1);
}

#[test]
fn texts_and_logs_are_titled_by_their_names() {
    for (name, mime) in [("notes.txt", "text/plain"), ("serveur.log", "text/plain")] {
        let parsed = parse_text("# not a heading; a;b".as_bytes(), name).unwrap();
        assert_eq!(parsed.title, name.split('.').next().unwrap());
        assert_eq!(parsed.mime, mime);
        assert!(parsed.outline.is_empty(), "{name}");
    }
}

#[test]
fn compressed_bytes_without_a_known_mark_are_refused() {
    // A linear congruential generator stands for compressed data.
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(4096)
    .collect();
    let error = parse_text(&noise, "bruit.txt").unwrap_err();
    assert!(matches!(error, ExtractError::Binary { .. }), "{error}");
}

#[test]
fn nothing_and_only_blanks_are_empty() {
    for bytes in [&b""[..], b" \r\n\t ", b"\xEF\xBB\xBF", "\u{A0}\u{2003}".as_bytes()] {
        let error = parse_text(bytes, "vide.txt").unwrap_err();
        assert!(matches!(error, ExtractError::Empty), "{error}");
    }
}

#[test]
fn a_file_beyond_the_limit_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("immense.txt");
    // Sparse: a thousand times the limit takes no room on the disk.
    fs::File::create(&path).unwrap().set_len(50_000 << 20).unwrap();
    let error = parse_file(&path).unwrap_err();
    assert_eq!(error.to_string(), "it is too large: the file is 50000 MiB; the limit is 50 MiB");
}

#[test]
fn a_missing_file_and_a_folder_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let missing = parse_file(&folder.path().join("absent.txt")).unwrap_err();
    assert!(matches!(missing, ExtractError::FileNotFound { .. }), "{missing}");
    let named_like_text = folder.path().join("dossier.txt");
    fs::create_dir(&named_like_text).unwrap();
    let error = parse_file(&named_like_text).unwrap_err();
    assert!(matches!(error, ExtractError::NotAFile { .. }), "{error}");
}

#[test]
fn a_document_that_is_not_what_it_is_called_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tableau.docx");
    fs::write(&path, "anything").unwrap();
    let error = parse_file(&path).unwrap_err();
    assert_eq!(error.to_string(), "it is damaged: it does not begin as a .docx file does");
}

#[cfg(unix)]
#[test]
fn a_pipe_and_a_device_do_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("tuyau.txt");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let device = folder.path().join("infini.txt");
    std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
    for path in [pipe, device] {
        let error = parse_file(&path).unwrap_err();
        assert!(matches!(error, ExtractError::NotAFile { .. }), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_unicode_is_read() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"\xE9t\xE9.txt"));
    fs::write(&path, "Bonjour").unwrap();
    assert_eq!(parse_file(&path).unwrap().parsed.title, "\u{FFFD}t\u{FFFD}");
}

#[test]
fn every_listed_extension_is_supported() {
    for extension in supported_extensions() {
        assert!(is_supported(Path::new(&format!("a.{extension}"))), "{extension}");
    }
}

proptest! {
    #[test]
    fn whatever_comes_in_nothing_panics_and_texts_are_clean(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        name in ".{0,12}(\\.md|\\.txt|\\.csv|\\.tsv|\\.json|\\.xml|)",
    ) {
        if let Ok(parsed) = parse_text(&bytes, &name) {
            prop_assert!(!parsed.text.trim().is_empty());
            prop_assert!(!parsed.text.contains(
                |character: char| character.is_control() && !matches!(character, '\n' | '\t')
            ));
        }
    }

    #[test]
    fn every_heading_begins_at_the_start_of_a_line(
        lines in proptest::collection::vec("(#{1,3} |> # |- |    |```|---|===|title: )?[é œ*`a]{0,6}", 1..30),
    ) {
        let source = lines.join("\r\n");
        if let Ok(parsed) = parse_text(source.as_bytes(), "a.md") {
            let characters: Vec<char> = parsed.text.chars().collect();
            let mut previous = None;
            for heading in &parsed.outline {
                let start = heading.start as usize;
                prop_assert!(start == 0 || characters[start - 1] == '\n');
                prop_assert!(previous < Some(heading.start), "headings are in order");
                prop_assert!(!heading.title.is_empty());
                previous = Some(heading.start);
            }
        }
    }

    #[test]
    fn reading_the_read_text_again_changes_nothing(text in "[a-zé\u{301}œ€\r\n\t#\u{FEFF} ]{1,200}") {
        if let Ok(once) = parse_text(text.as_bytes(), "a.md") {
            let twice = parse_text(once.text.as_bytes(), "a.md").unwrap();
            prop_assert_eq!(once.text, twice.text);
            prop_assert_eq!(once.outline, twice.outline);
        }
    }
}
