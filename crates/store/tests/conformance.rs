//! The stories of the conformance suite, told on `SqliteStore`.

use ancre_domain::{ProjectId, Timestamp};
use ancre_store::SqliteStore;
use ancre_store::conformance::Subject;
use ancre_store::traits::SourceStore;

fn subject() -> Subject {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let folder = ground.path().to_owned();
    let store = SqliteStore::open(&folder).expect("a fresh folder opens");
    store.default_project(Timestamp::from_millis(1)).expect("the first project is the default one");
    // There is no way yet to make a second project by the traits.
    let other_project = ProjectId::generate(Timestamp::from_millis(9_000));
    rusqlite::Connection::open(folder.join("ancre.db"))
        .and_then(|database| {
            database.execute(
                "INSERT INTO projects (id, name, created_at) VALUES (?1, 'Autre', 9000)",
                [other_project.as_str()],
            )
        })
        .expect("a second project");
    Subject {
        store: Box::new(store),
        open_another: Box::new(move || Ok(Box::new(SqliteStore::open(&folder)?))),
        other_project,
        ground: Box::new(ground),
    }
}

ancre_store::conformance_stories!(subject);
