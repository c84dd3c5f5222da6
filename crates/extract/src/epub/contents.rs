//! The titles that a book's contents give its chapters.

use std::collections::HashMap;

use super::package_document::{PackageDocument, resolved};
use crate::ExtractError;
use crate::content::one_line;
use crate::package::Package;
use crate::package::xml::{Element, Tree, decode};

/// The titles of chapters, by their paths.
#[derive(Debug, Default)]
pub(super) struct Titles {
    by_path: HashMap<String, String>,
}

impl Titles {
    /// Reads the contents of a book: EPUB 3's navigation page, else EPUB 2's list.
    pub(super) fn of(package: &Package<'_>, book: &PackageDocument) -> Result<Self, ExtractError> {
        let mut titles = Self::default();
        if let Some(path) = &book.navigation
            && let Some(text) = package.read(path)?
        {
            titles.add_navigation(&decode(&text), path);
        }
        if let Some(path) = &book.contents_list
            && let Some(text) = package.read(path)?
        {
            titles.add_contents_list(&decode(&text), path);
        }
        Ok(titles)
    }

    /// The title of the chapter at a path.
    pub(super) fn of_chapter(&self, path: &str) -> Option<&str> {
        self.by_path.get(path).map(String::as_str)
    }

    fn add_navigation(&mut self, text: &str, path: &str) {
        let tree = Tree::of(text);
        let lists = tree.root().into_iter().flat_map(Element::descendants);
        // The lists of pages and of landmarks are others.
        let is_contents = |it: &Element<'_>| {
            it.name() == "nav" && it.attribute("type").is_none_or(|kind| kind.contains("toc"))
        };
        for link in lists.filter(is_contents).flat_map(Element::descendants) {
            if link.name() == "a"
                && let Some(target) = link.attribute("href")
            {
                self.add(path, &target, &link.text());
            }
        }
    }

    fn add_contents_list(&mut self, text: &str, path: &str) {
        let tree = Tree::of(text);
        let points = tree.root().into_iter().flat_map(Element::descendants);
        for point in points.filter(|element| element.name() == "navPoint") {
            let target = point.child("content").and_then(|content| content.attribute("src"));
            let label = point.child("navLabel").map(Element::text);
            if let (Some(target), Some(label)) = (target, label) {
                self.add(path, &target, &label);
            }
        }
    }

    /// The first entry that leads to a chapter titles it; later ones lead into it.
    fn add(&mut self, contents_path: &str, target: &str, title: &str) {
        let folder = contents_path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let title = one_line(title);
        if !title.is_empty() {
            self.by_path.entry(resolved(folder, target)).or_insert(title);
        }
    }
}
