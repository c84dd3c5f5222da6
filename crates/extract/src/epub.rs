//! EPUB: the chapters of an electronic book, in the order of reading.
//!
//! Follows EPUB 3.3 (and 2.0.1, which most books still are): the container names the package
//! document, its spine orders the chapters, each an XHTML page. A chapter that does not say its own
//! title takes the one that the book's contents give it. Fixed layouts are read like any other;
//! scripts, media overlays and fonts are not.

mod contents;
mod package_document;

use std::collections::HashSet;

use ancre_domain::Warning;

use crate::ExtractError;
use crate::content::{Block, Content};
use crate::html;
use crate::input::Input;
use crate::package::Package;
use crate::package::xml::{Tree, decode};
use contents::Titles;
use package_document::PackageDocument;

/// Reads the document.
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let package = Package::open(input.bytes)?;
    let path = package_document::path(&package)?
        .ok_or_else(|| ExtractError::corrupt("it does not say what its chapters are"))?;
    let text =
        package.read(&path)?.ok_or_else(|| ExtractError::corrupt(format!("{path} is missing")))?;
    let book = PackageDocument::of(&decode(&text), &path);
    refuse_encrypted(&package, &book)?;
    let titles = Titles::of(&package, &book)?;

    let mut content = Content { title: book.title.clone(), ..Content::default() };
    let mut is_partial = book.is_damaged || book.chapters.is_empty();
    let mut read_so_far = HashSet::new();
    for chapter in &book.chapters {
        if !read_so_far.insert(chapter.path.as_str()) {
            continue;
        }
        match package.read(&chapter.path)? {
            Some(bytes) => write_chapter(&bytes, titles.of_chapter(&chapter.path), &mut content),
            None => is_partial = true,
        }
    }
    if content.blocks.is_empty() {
        return Err(if is_partial {
            ExtractError::corrupt("none of its chapters can be read")
        } else {
            ExtractError::Empty
        });
    }
    if is_partial || package.is_damaged() {
        content.warnings.push(Warning::Partial { pages: Vec::new() });
    }
    Ok(content)
}

fn write_chapter(bytes: &[u8], title: Option<&str>, content: &mut Content) {
    let chapter = html::read_xhtml(bytes);
    let has_heading = chapter.blocks.iter().any(|block| matches!(block, Block::Heading { .. }));
    if !has_heading
        && !chapter.blocks.is_empty()
        && let Some(title) = title
    {
        content.heading(1, title);
    }
    content.blocks.extend(chapter.blocks);
}

/// Refuses a book whose chapters are encrypted. Obfuscated fonts are no protection of the text.
fn refuse_encrypted(package: &Package<'_>, book: &PackageDocument) -> Result<(), ExtractError> {
    let Some(text) = package.read("META-INF/encryption.xml")? else { return Ok(()) };
    let text = decode(&text);
    let tree = Tree::of(&text);
    let Some(root) = tree.root() else { return Ok(()) };
    let encrypted: HashSet<String> = root
        .descendants()
        .filter(|element| element.name() == "CipherReference")
        .filter_map(|reference| reference.attribute("URI"))
        .map(|uri| package_document::resolved("", &uri))
        .collect();
    let is_encrypted = book.chapters.iter().any(|chapter| encrypted.contains(&chapter.path));
    if is_encrypted { Err(ExtractError::Password { can_unlock: false }) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
