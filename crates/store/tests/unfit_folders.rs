//! Folders and files that cannot be a store: each is refused with words, and left as it was.
#![allow(clippy::expect_used, reason = "a test")]

use std::fs;
use std::path::Path;

use ancre_domain::{ErrorCode, Explain, KnowledgeBaseId, Timestamp};
use ancre_store::traits::{SettingsStore, SourceStore};
use ancre_store::{SqliteStore, StoreError};
use rusqlite::Connection;

fn refusal(folder: &Path) -> StoreError {
    SqliteStore::open(folder).expect_err("it cannot be opened")
}

#[test]
fn a_file_in_the_place_of_the_folder_is_read_only() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let file = ground.path().join("data");
    fs::write(&file, "not a folder").expect("a file");
    for folder in [file.clone(), file.join("deeper")] {
        let error = refusal(&folder);
        assert_eq!(error.code(), ErrorCode::DataReadOnly, "{error:?}");
        assert!(error.to_string().contains("data"), "it names the folder: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_read_only() {
    use std::os::unix::fs::PermissionsExt;

    let ground = tempfile::tempdir().expect("a temporary folder");
    let (fresh, used) = (ground.path().join("fresh"), ground.path().join("used"));
    fs::create_dir(&fresh).expect("an empty folder");
    drop(SqliteStore::open(&used).expect("a fresh folder opens"));
    for folder in [&fresh, &used] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).expect("its permissions");
    }
    if fs::write(fresh.join("probe"), "").is_ok() {
        println!("not checked: permissions do not bind the user who runs this");
        return;
    }
    let refusals = [refusal(&fresh), refusal(&used), refusal(&fresh.join("deeper"))];
    for folder in [&fresh, &used] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("its permissions");
    }
    for error in refusals {
        assert_eq!(error.code(), ErrorCode::DataReadOnly, "{error:?}");
    }

    let file = used.join("ancre.db");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("its permissions");
    assert_eq!(refusal(&used).code(), ErrorCode::DataReadOnly, "the file alone is read-only");
}

#[test]
fn a_folder_in_the_place_of_the_database_is_refused() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(ground.path().join("ancre.db")).expect("a folder");
    assert_eq!(refusal(ground.path()).code(), ErrorCode::DataReadOnly);
}

#[test]
fn a_file_that_is_no_database_is_damaged_and_stays() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let path = ground.path().join("ancre.db");
    let noise = "nothing that a database begins with. ".repeat(1_000);
    fs::write(&path, &noise).expect("a file");
    let error = refusal(ground.path());
    assert_eq!(error.code(), ErrorCode::DatabaseDamaged, "{error:?}");
    let hint = error.hint().expect("what to do");
    assert!(!hint.contains("backups"), "there are none: {hint}");
    assert!(!error.to_string().contains("not a database"), "SQLite's words are details: {error}");
    assert!(error.details().is_some_and(|details| details["detail"].is_string()));
    fs::create_dir(ground.path().join("backups")).expect("a folder");
    fs::write(ground.path().join("backups/ancre-20261130T101010123Z-v2.db"), "x").expect("a copy");
    assert!(refusal(ground.path()).hint().is_some_and(|hint| hint.contains("backups")));
    assert_eq!(fs::read_to_string(&path).expect("it is still there"), noise);
}

#[test]
fn an_emptied_database_is_not_taken_for_a_new_one() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    drop(SqliteStore::open(ground.path()).expect("a fresh folder opens"));
    fs::write(ground.path().join("ancre.db"), "").expect("the damage");
    assert_eq!(refusal(ground.path()).code(), ErrorCode::DatabaseDamaged);
    assert_eq!(fs::metadata(ground.path().join("ancre.db")).expect("it stays").len(), 0);

    // One that was never written to is as good as none.
    let fresh = tempfile::tempdir().expect("a temporary folder");
    fs::write(fresh.path().join("ancre.db"), "").expect("a file");
    drop(SqliteStore::open(fresh.path()).expect("it is new"));
}

#[test]
fn a_database_damaged_in_the_middle_says_so_when_it_is_met() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let store = SqliteStore::open(ground.path()).expect("a fresh folder opens");
    for number in 0..2_000 {
        store.set_setting(&format!("key {number}"), "value").expect("a setting");
    }
    drop(store);
    let path = ground.path().join("ancre.db");
    let mut bytes = fs::read(&path).expect("the database");
    // The first page, which says what the file is, stays.
    for byte in &mut bytes[8_192..] {
        *byte = 0xa5;
    }
    fs::write(&path, bytes).expect("the damage");

    let store = SqliteStore::open(ground.path());
    let error = match store {
        Err(error) => error,
        Ok(store) => (0..2_000)
            .find_map(|number| store.setting(&format!("key {number}")).err())
            .expect("some page is met"),
    };
    assert_eq!(error.code(), ErrorCode::DatabaseDamaged, "{error:?}");
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    drop(SqliteStore::open(ground.path()).expect("a fresh folder opens"));
    let database = Connection::open(ground.path().join("ancre.db")).expect("the database");
    database.pragma_update(None, "user_version", 999).expect("a later version");
    let error = refusal(ground.path());
    assert!(matches!(error, StoreError::Newer { found: 999, .. }), "{error:?}");
}

#[test]
fn a_word_that_nobody_wrote_is_damage_not_a_panic() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let store = SqliteStore::open(ground.path()).expect("a fresh folder opens");
    Connection::open(ground.path().join("ancre.db"))
        .and_then(|database| {
            database.execute("INSERT INTO projects VALUES ('; DROP TABLE projects', 'x', 1)", [])
        })
        .expect("a row with an id that is none");
    let error = store.default_project(Timestamp::from_millis(1)).expect_err("it is no id");
    assert_eq!(error.code(), ErrorCode::DatabaseDamaged, "{error:?}");
}

#[test]
fn sql_cannot_become_part_of_a_table_name() {
    for text in ["x; DROP TABLE sources", "0 USING", "'", "ABCDEF0123456789ABCDEF0123456789"] {
        assert!(text.parse::<KnowledgeBaseId>().is_err(), "{text:?}");
    }
}
