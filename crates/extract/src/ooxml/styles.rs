//! Which paragraphs are headings, and which are items of a list, by their styles.
//!
//! A style says so by its outline level, by its name, or by the style it is based on. Names are
//! stored in English by Word and in the user's language by other programs.

use std::collections::HashMap;

use crate::office::headings::{is_contents_entry, level_of_name};
use crate::package::xml::{Element, Tree};

/// Styles may be based on each other in a circle.
const MAX_CHAIN: usize = 20;

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    all: HashMap<String, Style>,
    /// What a paragraph has that names none.
    default: Option<String>,
}

#[derive(Debug, Default)]
struct Style {
    /// The level of a heading that its name says.
    named_level: Option<u8>,
    based_on: Option<String>,
    outline_level: Option<u8>,
    numbering: Option<NumberingReference>,
    breaks_page: Option<bool>,
    is_contents_entry: bool,
}

/// How a paragraph or a style says that it is an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NumberingReference {
    /// The list; `0` takes a paragraph out of the list of its style.
    pub(super) list: Option<String>,
    /// 0 for the outermost.
    pub(super) level: Option<u8>,
}

/// What a paragraph's properties or its style say of its rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    Heading(u8),
    Body,
}

impl Styles {
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let mut styles = Self::default();
        for style in tree.root().into_iter().flat_map(|root| root.children_named("style")) {
            let Some(id) = style.attribute("styleId") else { continue };
            if style
                .attribute("type")
                .is_some_and(|kind| kind != "paragraph" && kind != "numbering")
            {
                continue;
            }
            let value = |name| style.child(name).and_then(|it| it.attribute("val"));
            let properties = style.child("pPr");
            if style.attribute("default").is_some_and(|it| is_on(Some(&it)))
                && style.attribute("type").is_some_and(|it| it == "paragraph")
            {
                styles.default = Some(id.clone());
            }
            styles.all.insert(
                id,
                Style {
                    named_level: value("name").as_deref().and_then(level_of_name),
                    based_on: value("basedOn"),
                    outline_level: properties.and_then(outline_level),
                    numbering: properties.and_then(numbering_reference),
                    breaks_page: properties.and_then(|it| flag(it, "pageBreakBefore")),
                    is_contents_entry: value("name").as_deref().is_some_and(is_contents_entry),
                },
            );
        }
        styles
    }

    /// The level of a heading; `None` for body text.
    pub(super) fn heading_level(&self, properties: Option<Element<'_>>) -> Option<u8> {
        if let Some(level) = properties.and_then(outline_level) {
            return heading(level);
        }
        let id = self.style_of(properties)?;
        let rank = self.chain(&id).find_map(|style| {
            // An outline level beats the name: a style may be called a heading and be none.
            style
                .outline_level
                .map(|level| heading(level).map_or(Rank::Body, Rank::Heading))
                .or_else(|| style.named_level.map(Rank::Heading))
        });
        match rank {
            Some(Rank::Heading(level)) => Some(level),
            Some(Rank::Body) => None,
            None if self.all.contains_key(&id) => None,
            // Without its definition, an id is all that is known of a style.
            None => level_of_name(&id),
        }
    }

    /// The list a paragraph belongs to by itself or by its style, and the id of that style.
    pub(super) fn numbering(
        &self,
        properties: Option<Element<'_>>,
    ) -> (NumberingReference, Option<String>) {
        let mut found = properties.and_then(numbering_reference).unwrap_or_default();
        let id = self.style_of(properties);
        let mut style_of_list = None;
        if let Some(id) = &id {
            let mut at = Some(id.clone());
            for _ in 0..MAX_CHAIN {
                let Some(style) = at.as_ref().and_then(|at| self.all.get(at)) else { break };
                if let Some(numbering) = &style.numbering {
                    if found.list.is_none() && numbering.list.is_some() {
                        found.list.clone_from(&numbering.list);
                        style_of_list.clone_from(&at);
                    }
                    found.level = found.level.or(numbering.level);
                }
                at.clone_from(&style.based_on);
            }
        }
        (found, style_of_list)
    }

    /// The list that a numbering style stands for.
    pub(super) fn list_of_style(&self, id: &str) -> Option<&str> {
        self.all.get(id)?.numbering.as_ref()?.list.as_deref()
    }

    /// Whether the paragraph begins a page.
    pub(super) fn breaks_page(&self, properties: Option<Element<'_>>) -> bool {
        if let Some(breaks) = properties.and_then(|it| flag(it, "pageBreakBefore")) {
            return breaks;
        }
        let id = self.style_of(properties);
        id.and_then(|id| self.chain(&id).find_map(|style| style.breaks_page)).unwrap_or(false)
    }

    /// Whether the paragraph is an entry of a table of contents.
    pub(super) fn is_contents_entry(&self, properties: Option<Element<'_>>) -> bool {
        let Some(id) = self.style_of(properties) else { return false };
        if self.all.contains_key(&id) {
            self.chain(&id).any(|style| style.is_contents_entry)
        } else {
            is_contents_entry(&id)
        }
    }

    fn style_of(&self, properties: Option<Element<'_>>) -> Option<String> {
        let named = properties.and_then(|it| it.child("pStyle")).and_then(|it| it.attribute("val"));
        named.or_else(|| self.default.clone())
    }

    fn chain(&self, id: &str) -> impl Iterator<Item = &Style> {
        let next = |style: &&Style| self.all.get(style.based_on.as_deref()?);
        std::iter::successors(self.all.get(id), next).take(MAX_CHAIN)
    }
}

/// Whether a property that is on by being there is on.
pub(super) fn flag(properties: Element<'_>, name: &str) -> Option<bool> {
    properties.child(name).map(|it| is_on(it.attribute("val").as_deref()))
}

fn is_on(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "off" | "none"))
}

fn outline_level(properties: Element<'_>) -> Option<u8> {
    properties.child("outlineLvl")?.attribute("val")?.parse().ok()
}

fn numbering_reference(properties: Element<'_>) -> Option<NumberingReference> {
    let numbering = properties.child("numPr")?;
    let value = |name| numbering.child(name).and_then(|it| it.attribute("val"));
    Some(NumberingReference {
        list: value("numId"),
        level: value("ilvl").and_then(|level| level.parse().ok()),
    })
}

/// Levels count from 0 in the file; 9 is body text.
fn heading(outline_level: u8) -> Option<u8> {
    (outline_level < 9).then_some(outline_level + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_based_on_each_other_in_a_circle_end() {
        let tree = Tree::of(
            "<styles><style styleId='a'><basedOn val='b'/></style><style styleId='b'>\
             <basedOn val='a'/></style><p><pPr><pStyle val='a'/></pPr></p></styles>",
        );
        let styles = Styles::of(&tree);
        let properties = tree.root().unwrap().descendant("pPr");
        assert_eq!(styles.heading_level(properties), None);
        assert_eq!(styles.numbering(properties), (NumberingReference::default(), None));
        assert!(!styles.breaks_page(properties));
    }
}
