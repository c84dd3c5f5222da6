//! The dependency rule of the design, read from `cargo metadata`.
//!
//! `{ src-tauri, cli } → app → desk → knowledge → { extract, models, store } → domain`: a crate
//! uses those to its right, never those to its left, and the three in braces do not know each
//! other. What only one room may contain (SQL, Tauri, ONNX) is a dependency of that room alone.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// Who may use whom. A crate that is not here has not been given its place.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ancre-domain", &[]),
    ("ancre-extract", &["ancre-domain"]),
    ("ancre-models", &["ancre-domain"]),
    ("ancre-store", &["ancre-domain"]),
    ("ancre-knowledge", &["ancre-domain", "ancre-extract", "ancre-models", "ancre-store"]),
    (
        "ancre-desk",
        &["ancre-domain", "ancre-extract", "ancre-knowledge", "ancre-models", "ancre-store"],
    ),
    (
        "ancre-app",
        &[
            "ancre-desk",
            "ancre-domain",
            "ancre-extract",
            "ancre-knowledge",
            "ancre-models",
            "ancre-store",
        ],
    ),
    ("ancre-cli", &["ancre-app", "ancre-domain"]),
    ("ancre-desktop", &["ancre-app", "ancre-domain"]),
    // Only ever a dev-dependency, so it may know what it makes.
    ("ancre-testkit", &["ancre-domain", "ancre-models", "ancre-store"]),
];

/// Libraries that only one crate may use.
const CONFINED: &[(&str, &str)] = &[
    ("rusqlite", "ancre-store"),
    ("sqlite-vec", "ancre-store"),
    ("fastembed", "ancre-models"),
    ("ort", "ancre-models"),
    ("tauri", "ancre-desktop"),
    ("clap", "ancre-cli"),
    // What reads untrusted bytes stays where it runs apart.
    ("calamine", "ancre-extract"),
    ("libloading", "ancre-extract"),
    ("mail-parser", "ancre-extract"),
    ("pdf-extract", "ancre-extract"),
    ("pdfium-render", "ancre-extract"),
    ("png", "ancre-extract"),
    ("pulldown-cmark", "ancre-extract"),
    ("quick-xml", "ancre-extract"),
    ("scraper", "ancre-extract"),
    ("seccompiler", "ancre-extract"),
    ("zip", "ancre-extract"),
];

fn workspace() -> Metadata {
    MetadataCommand::new().no_deps().exec().expect("cargo describes its own workspace")
}

fn uses<'a>(package: &'a Package, kinds: &[DependencyKind]) -> BTreeSet<&'a str> {
    let dependencies = package.dependencies.iter();
    dependencies.filter(|it| kinds.contains(&it.kind)).map(|it| it.name.as_str()).collect()
}

#[test]
fn every_crate_uses_only_what_the_design_allows() {
    for package in &workspace().packages {
        let name = package.name.as_str();
        let allowed = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{name} has no place in the design"));
        for used in uses(package, &[DependencyKind::Normal, DependencyKind::Build]) {
            assert!(
                !used.starts_with("ancre-") || allowed.contains(&used),
                "{name} may not use {used}"
            );
        }
    }
}

#[test]
fn the_testkit_is_used_by_tests_only() {
    for package in &workspace().packages {
        let used = uses(package, &[DependencyKind::Normal, DependencyKind::Build]);
        assert!(!used.contains("ancre-testkit"), "{} ships the testkit", package.name);
    }
}

#[test]
fn sql_tauri_onnx_and_parsers_each_have_one_room() {
    for package in &workspace().packages {
        let used = uses(package, &[DependencyKind::Normal, DependencyKind::Build]);
        for (library, home) in CONFINED {
            assert!(
                package.name.as_str() == *home || !used.contains(library),
                "{} uses {library}, which belongs to {home}",
                package.name
            );
        }
    }
}

/// Nothing leaves the machine: no library that opens connections is linked into the product yet.
/// (The desktop's own libraries are Tauri's; the capability gives its window no network.)
#[test]
fn no_network_library_is_linked() {
    let metadata = MetadataCommand::new().exec().expect("cargo resolves its own workspace");
    let resolve = metadata.resolve.as_ref().expect("a resolved workspace has a graph");
    let of_name = |name: &str| {
        metadata.packages.iter().find(|it| it.name.as_str() == name).map(|it| it.id.clone())
    };
    let mut open: Vec<_> = of_name("ancre-cli").into_iter().collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = open.pop() {
        let node = resolve.nodes.iter().find(|node| node.id == id).expect("a node for each id");
        for dependency in &node.deps {
            let is_linked =
                dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            if is_linked && linked.insert(dependency.pkg.clone()) {
                open.push(dependency.pkg.clone());
            }
        }
    }
    let names: BTreeSet<&str> = metadata
        .packages
        .iter()
        .filter(|package| linked.contains(&package.id))
        .map(|package| package.name.as_str())
        .collect();
    assert!(names.contains("ancre-store"), "the walk reaches the product's own crates");
    for library in ["reqwest", "hyper", "ureq", "curl", "isahc", "attohttpc", "hf-hub", "tonic"] {
        assert!(!names.contains(library), "{library} is linked");
    }
}

#[test]
fn the_store_is_the_only_room_with_sql() {
    let root = workspace().workspace_root;
    let statements = ["SELECT ", "INSERT INTO", "DELETE FROM", "CREATE TABLE", "PRAGMA "];
    for package in &workspace().packages {
        if package.name.as_str() == "ancre-store" {
            continue;
        }
        let mut folders = vec![package.manifest_path.with_file_name("src")];
        if package.name.as_str() == "ancre-desktop" {
            folders = vec![root.join("src-tauri")];
        }
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a source folder can be read").flatten()
            {
                let path = cargo_metadata::camino::Utf8PathBuf::try_from(entry.path())
                    .expect("our own files have Unicode names");
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension() == Some("rs") {
                    let text = std::fs::read_to_string(&path).expect("our own sources are text");
                    for statement in statements {
                        assert!(!text.contains(statement), "{path} contains SQL: {statement}");
                    }
                }
            }
        }
    }
}
