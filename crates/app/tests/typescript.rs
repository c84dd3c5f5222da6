//! The interface's generated files are those that the wire types and the table make today.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::path::Path;

use ancre_app::typescript;

#[test]
fn typescript_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/backend");
    let files =
        [("wire.ts", typescript::wire_types()), ("operations.ts", typescript::operations())];
    for (name, expected) in files {
        let path = folder.join(name);
        if std::env::var_os("ANCRE_UPDATE").is_some() {
            std::fs::write(&path, &expected).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == expected, "{name} is stale; “make fix” writes it again");
    }
}
