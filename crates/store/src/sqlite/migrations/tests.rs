mod before_generations;
mod first_version;
mod third_version;

use std::path::Path;

use ancre_domain::{ErrorCode, Explain};
use sha2::{Digest, Sha256};

use super::*;
use crate::sqlite::connections::open_writer;

/// The SHA-256 of each landed file. Lines are added here, never changed.
const LANDED: &[(&str, &str)] = &[
    ("0001_initial.sql", "9b393a355c82f874859b148b800f051736c9f6384f50fd7732d95d345ef49ad5"),
    (
        "0002_pages_and_warnings.sql",
        "2667943fc087242da5668d9ac18ca02aada2fc8fc2b59ebdc2bf83d676fc959f",
    ),
    (
        "0003_library_jobs_and_text_search.sql",
        "86c56a30a91b902944be88c4540fc8d4b47d97f2651e09a4990f267dfeb8f889",
    ),
    (
        "0004_how_it_was_searched.sql",
        "bc7ace2e3b3cc8d1b5ac2c776cab28530ec8c058d88fed4d56267dc7b9b5960a",
    ),
];

const FIRST: Migration =
    Migration { version: 1, sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, words TEXT)" };
const SECOND: Migration = Migration { version: 2, sql: "ALTER TABLE notes ADD COLUMN mood TEXT" };
const BROKEN: Migration = Migration {
    version: 2,
    sql: "INSERT INTO notes (words) VALUES ('half'); CREATE TABLE notes (id INTEGER)",
};
const DANGLING: Migration = Migration {
    version: 2,
    sql: "CREATE TABLE replies (note INTEGER REFERENCES notes (id));
          INSERT INTO replies (note) VALUES (99)",
};

/// A data folder, and a connection to its database.
struct Ground {
    folder: tempfile::TempDir,
    writer: Connection,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let writer = open_writer(&Place::new(folder.path()).database()).unwrap();
        Self { folder, writer }
    }

    fn place(&self) -> Place {
        Place::new(self.folder.path())
    }

    fn migrate(&mut self, migrations: &[Migration]) -> Result<(), StoreError> {
        let place = self.place();
        migrate(&mut self.writer, &place, migrations).map_err(|trouble| place.explain(trouble))
    }

    fn version(&self) -> u32 {
        self.writer.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    }

    fn notes(&self) -> Vec<String> {
        let mut statement = self.writer.prepare("SELECT words FROM notes ORDER BY id").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn copies(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.place().backups()) else { return Vec::new() };
        let mut copies: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        copies.sort();
        copies
    }
}

#[test]
fn landed_files_never_change_and_are_all_applied() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".sql"))
        .collect();
    names.sort();
    let landed: Vec<&str> = LANDED.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, landed, "each file has its line in LANDED");
    assert_eq!(MIGRATIONS.len(), LANDED.len(), "each file has its line in MIGRATIONS");

    for (at, (migration, (name, sha256))) in MIGRATIONS.iter().zip(LANDED).enumerate() {
        assert_eq!(migration.version as usize, at + 1, "numbers have no gaps");
        assert!(name.starts_with(&format!("{:04}_", migration.version)), "{name}");
        // Whatever line ends the checkout made.
        let file = fs::read_to_string(folder.join(name)).unwrap().replace("\r\n", "\n");
        assert_eq!(migration.sql.replace("\r\n", "\n"), file, "{name} is what is embedded");
        let digest: String =
            Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, *sha256, "{name} has landed: add a new file instead of editing it");
    }
}

#[test]
fn a_fresh_database_needs_no_copy() {
    let mut ground = Ground::new();
    ground.migrate(&[FIRST, SECOND]).unwrap();
    assert_eq!(ground.version(), 2);
    assert_eq!(ground.copies(), [] as [PathBuf; 0]);
    ground.migrate(&[FIRST, SECOND]).unwrap();
    assert_eq!(ground.copies(), [] as [PathBuf; 0], "there was nothing to do");
}

#[test]
fn a_copy_as_it_was_is_made_before_an_upgrade() {
    let mut ground = Ground::new();
    ground.migrate(&[FIRST]).unwrap();
    ground.writer.execute("INSERT INTO notes (words) VALUES ('gardé')", []).unwrap();
    ground.migrate(&[FIRST, SECOND]).unwrap();
    assert_eq!((ground.version(), ground.notes()), (2, vec!["gardé".to_owned()]));

    let [copy] = &ground.copies()[..] else { panic!("one copy: {:?}", ground.copies()) };
    let copy = Connection::open(copy).unwrap();
    let words: String = copy.query_row("SELECT words FROM notes", [], |row| row.get(0)).unwrap();
    assert_eq!(words, "gardé");
    assert!(copy.prepare("SELECT mood FROM notes").is_err(), "it is from before");
}

#[test]
fn the_last_five_copies_stay_and_so_does_what_is_not_ours() {
    let mut ground = Ground::new();
    fs::create_dir_all(ground.place().backups()).unwrap();
    let own = ground.place().backups().join("ancre-avant-vacances.db");
    fs::write(&own, "à moi").unwrap();
    let step = |version| Migration { version, sql: "INSERT INTO notes (words) VALUES ('pas')" };
    let steps = [FIRST, step(2), step(3), step(4), step(5), step(6), step(7), step(8)];
    for count in 1..=steps.len() {
        ground.migrate(&steps[..count]).unwrap();
    }
    let names: Vec<String> = ground
        .copies()
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    let versions: Vec<&str> =
        names.iter().filter_map(|name| name.split_once("Z-v")).map(|(_, end)| end).collect();
    assert_eq!(versions, ["3.db", "4.db", "5.db", "6.db", "7.db"]);
    assert!(own.exists(), "a file that a person put there");
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    for failing in [BROKEN, DANGLING] {
        let mut ground = Ground::new();
        ground.migrate(&[FIRST]).unwrap();
        let failed = ground.migrate(&[FIRST, failing]);
        assert_eq!(failed.unwrap_err().code(), ErrorCode::Internal);
        assert_eq!((ground.version(), ground.notes()), (1, vec![]));

        let is_on: bool =
            ground.writer.pragma_query_value(None, "foreign_keys", |row| row.get(0)).unwrap();
        assert!(is_on, "references are watched again");
        ground.migrate(&[FIRST, SECOND]).unwrap();
    }
}

#[test]
fn a_newer_database_is_left_alone() {
    let mut ground = Ground::new();
    ground.migrate(&[FIRST, SECOND]).unwrap();
    let refused = ground.migrate(&[FIRST]);
    assert!(matches!(refused, Err(StoreError::Newer { found: 2, supported: 1 })), "{refused:?}");
    assert_eq!(ground.version(), 2);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let mut ground = Ground::new();
    ground.writer.execute_batch("CREATE TABLE theirs (id INTEGER)").unwrap();
    assert_eq!(ground.migrate(&[FIRST]).unwrap_err().code(), ErrorCode::DatabaseDamaged);
    assert_eq!(ground.version(), 0);
    assert!(ground.writer.prepare("SELECT * FROM notes").is_err());
}
