//! The package document of a book: its title, its files, the order of its chapters.

use std::collections::HashMap;

use crate::ExtractError;
use crate::package::Package;
use crate::package::xml::{Element, Tree, decode};

/// What a package document says.
#[derive(Debug, Default)]
pub(super) struct PackageDocument {
    pub(super) title: Option<String>,
    /// In the order of reading; those beside the reading (`linear="no"`) at the end.
    pub(super) chapters: Vec<Chapter>,
    /// The paths of the contents: EPUB 3's page, EPUB 2's list.
    pub(super) navigation: Option<String>,
    pub(super) contents_list: Option<String>,
    pub(super) is_damaged: bool,
}

/// A chapter.
#[derive(Debug)]
pub(super) struct Chapter {
    /// Its path in the package.
    pub(super) path: String,
}

/// The path of the package document: what the container says, else the file that looks like it.
pub(super) fn path(package: &Package<'_>) -> Result<Option<String>, ExtractError> {
    if let Some(text) = package.read("META-INF/container.xml")? {
        let text = decode(&text);
        let tree = Tree::of(&text);
        let named = tree
            .root()
            .and_then(|root| root.descendant("rootfile"))
            .and_then(|file| file.attribute("full-path"))
            .map(|path| resolved("", &path))
            .filter(|path| package.has(path));
        if named.is_some() {
            return Ok(named);
        }
    }
    Ok(package.names().find(|name| name.ends_with(".opf")).map(str::to_owned))
}

struct Item {
    path: String,
    is_page: bool,
    is_navigation: bool,
    is_contents_list: bool,
}

impl PackageDocument {
    /// Reads the document that lies at `path`.
    pub(super) fn of(text: &str, path: &str) -> Self {
        let tree = Tree::of(text);
        let mut document = Self { is_damaged: tree.damage().is_some(), ..Self::default() };
        let Some(root) = tree.root() else { return document };
        document.title = root
            .child("metadata")
            .and_then(|metadata| metadata.descendants().find(|it| it.name() == "title"))
            .map(Element::text);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let items: HashMap<String, Item> = root
            .descendants()
            .filter(|element| element.name() == "item")
            .filter_map(|element| Some((element.attribute("id")?, item_of(element, folder)?)))
            .collect();
        let navigation = items.values().find(|item| item.is_navigation);
        document.navigation = navigation.map(|item| item.path.clone());
        let contents_list = items.values().find(|item| item.is_contents_list);
        document.contents_list = contents_list.map(|item| item.path.clone());

        let mut beside = Vec::new();
        for reference in root.descendants().filter(|element| element.name() == "itemref") {
            let item = reference.attribute("idref").and_then(|id| items.get(&id));
            let Some(item) = item.filter(|item| item.is_page && !item.is_navigation) else {
                continue;
            };
            let chapter = Chapter { path: item.path.clone() };
            if reference.attribute("linear").as_deref() == Some("no") {
                beside.push(chapter);
            } else {
                document.chapters.push(chapter);
            }
        }
        document.chapters.append(&mut beside);
        document
    }
}

fn item_of(element: Element<'_>, folder: &str) -> Option<Item> {
    let media_type = element.attribute("media-type").unwrap_or_default().to_ascii_lowercase();
    let properties = element.attribute("properties").unwrap_or_default();
    Some(Item {
        path: resolved(folder, &element.attribute("href")?),
        is_page: matches!(
            media_type.as_str(),
            "application/xhtml+xml" | "text/html" | "text/x-oeb1-document"
        ),
        is_navigation: properties.split_ascii_whitespace().any(|property| property == "nav"),
        is_contents_list: media_type == "application/x-dtbncx+xml",
    })
}

/// The path in the package of what `href` names from `folder`: without fragment, decoded, with its
/// dots resolved. It cannot leave the package.
pub(super) fn resolved(folder: &str, href: &str) -> String {
    let href = href.split(['#', '?']).next().unwrap_or_default();
    let href = percent_decoded(href);
    let base = if href.starts_with('/') { "" } else { folder };
    let mut path: Vec<&str> = Vec::new();
    for component in base.split('/').chain(href.split('/')) {
        match component {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            component => path.push(component),
        }
    }
    path.join("/")
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'%')
            .then(|| after.get(..2).and_then(|it| std::str::from_utf8(it).ok()))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
