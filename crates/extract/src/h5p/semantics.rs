//! What the libraries in a package say of their fields (H5P's `semantics.json`).

use std::collections::HashMap;
use std::rc::Rc;

use super::json::Value;
use crate::package::Package;

/// The fields of a library, or of a group, by their names. Copies share them.
#[derive(Debug, Clone)]
pub(super) struct Fields(Rc<[(String, Field)]>);

/// What a field holds.
#[derive(Debug, Clone)]
pub(super) enum Field {
    /// Words.
    Text,
    /// Other fields. A group of one field is stored as that field.
    Group(Fields),
    /// Values of one kind.
    List(Rc<Field>),
    /// The content of another library.
    Library,
    /// What is no text of the author: settings, media, and all that is marked `common`.
    NoWords,
}

impl Fields {
    /// Of a list of definitions; its nesting is bounded as that of all JSON here.
    fn of(definitions: &Value) -> Self {
        let named = definitions.as_list().iter().filter_map(|definition| {
            let name = definition.get("name").and_then(Value::as_text)?;
            Some((name.to_owned(), Field::of(definition)))
        });
        Self(named.collect())
    }

    /// What the field of this name holds; `None` when the library does not know it.
    pub(super) fn field(&self, name: &str) -> Option<Field> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, field)| field.clone())
    }

    /// The one field there is.
    pub(super) fn only(&self) -> Option<Field> {
        match self.0.as_ref() {
            [(_, field)] => Some(field.clone()),
            _ => None,
        }
    }
}

impl Field {
    fn of(definition: &Value) -> Self {
        if definition.get("common").is_some_and(Value::is_true) {
            return Self::NoWords;
        }
        match definition.get("type").and_then(Value::as_text) {
            Some("text") => Self::Text,
            Some("group") => {
                let fields = definition.get("fields").map(Fields::of);
                Self::Group(fields.unwrap_or_else(|| Fields(Rc::new([]))))
            }
            Some("list") => match definition.get("field") {
                Some(field) => Self::List(Rc::new(Self::of(field))),
                None => Self::NoWords,
            },
            Some("library") => Self::Library,
            _ => Self::NoWords,
        }
    }
}

/// The libraries of a package; each description is read once.
pub(super) struct Libraries<'p> {
    package: &'p Package<'p>,
    /// Names of libraries and their folders, newest version first.
    folders: Vec<Folder>,
    read: HashMap<String, Option<Fields>>,
}

struct Folder {
    library: String,
    version: (u32, u32),
    path: String,
}

impl<'p> Libraries<'p> {
    pub(super) fn of(package: &'p Package<'p>) -> Self {
        let mut folders: Vec<Folder> = package
            .names()
            .filter_map(|name| folder_of(name.strip_suffix("/semantics.json")?))
            .collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.version));
        Self { package, folders, read: HashMap::new() }
    }

    /// The fields of the newest version of a library.
    pub(super) fn newest(&mut self, library: &str) -> Option<Fields> {
        let folder = self.folders.iter().find(|folder| folder.library == library)?;
        let path = folder.path.clone();
        self.fields_in(path)
    }

    /// The fields of a library as content names it: `H5P.MultiChoice 1.16`.
    pub(super) fn named(&mut self, library: &str) -> Option<Fields> {
        let (name, version) = library.split_once(' ')?;
        let exact = format!("{name}-{version}");
        if self.folders.iter().any(|folder| folder.path == exact) {
            self.fields_in(exact)
        } else {
            self.newest(name)
        }
    }

    fn fields_in(&mut self, folder: String) -> Option<Fields> {
        if let Some(known) = self.read.get(&folder) {
            return known.clone();
        }
        let text = self.package.read(&format!("{folder}/semantics.json")).ok().flatten();
        let description = text.and_then(|text| super::parsed(&text).ok());
        let fields = description.as_ref().map(Fields::of);
        self.read.insert(folder, fields.clone());
        fields
    }
}

/// `H5P.MultiChoice-1.16`.
fn folder_of(path: &str) -> Option<Folder> {
    let (library, version) = path.rsplit_once('-')?;
    let (major, minor) = version.split_once('.')?;
    let version = (major.parse().ok()?, minor.parse().ok()?);
    Some(Folder { library: library.to_owned(), version, path: path.to_owned() })
}
