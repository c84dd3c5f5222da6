use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::mutation::mutations;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        if name.ends_with('/') {
            writer.add_directory(*name, SimpleFileOptions::default()).unwrap();
        } else {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

fn unpacked(bytes: &[u8]) -> Vec<ArchivedFile> {
    let mut files = Vec::new();
    unpack(bytes, &mut |file| files.push(file)).unwrap();
    files
}

fn names_in(bytes: &[u8]) -> Vec<String> {
    unpacked(bytes).into_iter().map(|file| file.name).collect()
}

/// Writes other bytes over every occurrence of a name.
fn renamed(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
    bytes
}

#[test]
fn what_somebody_put_there_is_given_in_order() {
    let bytes = archive(&[
        ("b/", b""),
        ("b/Été.md", b"# A"),
        ("a.txt", b"a"),
        ("__MACOSX/._a.txt", b"x"),
        (".git/config.txt", b"x"),
        ("b/.hidden.txt", b"x"),
        ("Thumbs.db", b"x"),
        ("~$a.docx", b"x"),
        ("in.zip", b"PK"),
    ]);
    assert_eq!(names_in(&bytes), ["b/Été.md", "a.txt", "in.zip"]);
    assert_eq!(unpacked(&bytes)[1].bytes.as_deref(), Ok(&b"a"[..]));
}

#[test]
fn what_no_reader_reads_is_named_and_not_unpacked() {
    let files = unpacked(&archive(&[("photo.png", b"x"), ("a.txt", b"a")]));
    assert_eq!(files[0].bytes, Err(ExtractError::Unsupported { format: ".png".to_owned() }));
    assert!(files[1].bytes.is_ok());
}

#[test]
fn names_of_other_systems_are_read_in_their_letters() {
    let plain = archive(&[("R_gl_s __ No_l.txt", b"x")]);
    for (name, what) in [
        (&b"R\x82gl\x82s _\xEA No\x89l.txt"[..], "Réglés _Û Noël.txt"),
        (b"R\xE9gl\xE9s __ No\xEBl.txt", "Réglés __ Noël.txt"),
        ("R_gl_s Çé.txt".as_bytes(), ""),
    ] {
        if name.len() == "R_gl_s __ No_l.txt".len() {
            assert_eq!(names_in(&renamed(plain.clone(), b"R_gl_s __ No_l.txt", name)), [what]);
        }
    }
    let linux = renamed(archive(&[("__t__.txt", b"x")]), b"__t__.txt", "été.txt".as_bytes());
    assert_eq!(names_in(&linux), ["été.txt"]);
}

#[test]
fn a_damaged_entry_costs_itself() {
    let mut bytes = archive(&[("a.txt", &[b'a'; 400]), ("b.txt", b"b"), ("c.txt", &[b'c'; 400])]);
    for name in [b"a.txt", b"c.txt"] {
        let at = bytes.windows(5).position(|window| window == name).unwrap();
        bytes[at + 5..at + 8].fill(0xFF);
    }
    let files = unpacked(&bytes);
    let are_read: Vec<bool> = files.iter().map(|file| file.bytes.is_ok()).collect();
    assert_eq!(are_read, [false, true, false]);
}

#[test]
fn an_encrypted_entry_costs_itself() {
    let mut bytes = archive(&[("a.txt", b"a"), ("b.txt", b"b")]);
    let local = bytes.windows(4).position(|window| window == b"PK\x03\x04").unwrap();
    bytes[local + 6] |= 1;
    let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[central + 8] |= 1;
    let files = unpacked(&bytes);
    assert_eq!(files[0].bytes, Err(ExtractError::Password { can_unlock: false }));
    assert_eq!(files[1].bytes.as_deref(), Ok(&b"b"[..]));
}

#[test]
fn no_damage_stops_the_unpacking() {
    let bytes = archive(&[("a.txt", &[b'a'; 100]), ("dossier/Été.md", b"b"), ("c.png", b"c")]);
    for damaged in mutations(&bytes, 500) {
        let mut count = 0;
        // Either way is right; what matters is that it ends.
        let _ = unpack(&damaged, &mut |_| count += 1);
        assert!(count <= 10);
    }
}
