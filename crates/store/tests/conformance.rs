//! The stories of the conformance suite, told on `SqliteStore`.
#![allow(clippy::expect_used, reason = "a test")]

use ancre_domain::Timestamp;
use ancre_store::SqliteStore;
use ancre_store::conformance::Subject;
use ancre_store::traits::SourceStore;

fn subject() -> Subject {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let folder = ground.path().to_owned();
    let store = SqliteStore::open(&folder).expect("a fresh folder opens");
    store.default_project(Timestamp::from_millis(1)).expect("the first project is the default one");
    let other_project = store.create_project("Autre", Timestamp::from_millis(9_000));
    let other_project = other_project.expect("a second project").id;
    Subject {
        store: Box::new(store),
        open_another: Box::new(move || Ok(Box::new(SqliteStore::open(&folder)?))),
        other_project,
        ground: Box::new(ground),
    }
}

ancre_store::conformance_stories!(subject);
