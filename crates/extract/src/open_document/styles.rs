//! What styles say: headings, page breaks, the marks of lists.

use std::collections::HashMap;

use crate::office::headings::level_of_name;
use crate::office::numerals::{Label, Numerals};
use crate::package::xml::{Element, Tree};

/// Styles may be based on each other in a circle.
const MAX_CHAIN: usize = 20;

/// Lists have ten levels.
const LEVELS: usize = 10;

/// The longest words around a number, in characters: `Article 1 –`.
const MAX_AFFIX: usize = 40;

/// The list that the headings of a document are, as if it were one of its styles.
pub(super) const OUTLINE: &str = "";

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    paragraphs: HashMap<String, ParagraphStyle>,
    lists: HashMap<String, HashMap<usize, Level>>,
}

#[derive(Debug, Default)]
struct ParagraphStyle {
    /// The level of a heading that its names say.
    named_level: Option<u8>,
    parent: Option<String>,
    outline_level: Option<u8>,
    begins_page: Option<bool>,
    ends_page: bool,
}

/// How a level of a list is marked.
#[derive(Debug, Clone)]
pub(super) enum Level {
    Bullet,
    /// Nothing stands before its items.
    Unmarked,
    Number {
        numerals: Numerals,
        prefix: String,
        suffix: String,
        /// The first number.
        start: u32,
        /// How many levels are shown, this one included.
        shown: usize,
    },
}

impl Styles {
    /// The styles of several parts; later ones win.
    pub(super) fn of<'t>(trees: impl IntoIterator<Item = &'t Tree<'t>>) -> Self {
        let mut styles = Self::default();
        for root in trees.into_iter().filter_map(Tree::root) {
            let groups =
                root.children().filter(|it| matches!(it.name(), "styles" | "automatic-styles"));
            for style in groups.flat_map(Element::children) {
                if style.name() == "outline-style" {
                    styles.lists.insert(OUTLINE.to_owned(), levels(style));
                }
                let Some(name) = style.attribute("name") else { continue };
                match style.name() {
                    "style" if style.attribute("family").as_deref() == Some("paragraph") => {
                        let paragraph = paragraph_style(style, &name);
                        styles.paragraphs.insert(name, paragraph);
                    }
                    "list-style" => {
                        styles.lists.insert(name, levels(style));
                    }
                    _ => {}
                }
            }
        }
        styles
    }

    /// The level of a paragraph whose style is one of a heading.
    pub(super) fn heading_level(&self, style: Option<&str>) -> Option<u8> {
        let named = style?;
        let by_style =
            self.chain(named).find_map(|style| style.outline_level.or(style.named_level));
        by_style.or_else(|| level_of_name(named))
    }

    /// Whether a paragraph of this style begins a page, as somebody wants.
    pub(super) fn begins_page(&self, style: Option<&str>) -> bool {
        let mut chain = style.into_iter().flat_map(|style| self.chain(style));
        chain.find_map(|style| style.begins_page).unwrap_or(false)
    }

    /// Whether a page ends after a paragraph of this style.
    pub(super) fn ends_page(&self, style: Option<&str>) -> bool {
        style.and_then(|style| self.paragraphs.get(style)).is_some_and(|style| style.ends_page)
    }

    /// How a list of this style marks its items at a depth, 0 for the outermost.
    pub(super) fn level(&self, list: Option<&str>, depth: usize) -> Level {
        let levels = list.and_then(|list| self.lists.get(list));
        levels.and_then(|levels| levels.get(&depth)).cloned().unwrap_or(Level::Bullet)
    }

    /// What a document shows before an item, by how far each level of its list has counted.
    pub(super) fn label(&self, list: Option<&str>, depth: usize, counts: &[u32]) -> Label {
        match self.level(list, depth) {
            Level::Bullet => Label::Bullet,
            Level::Unmarked => Label::Number(String::new()),
            Level::Number { prefix, suffix, shown, .. } => {
                let first = (depth + 1).saturating_sub(shown);
                let numbers: Vec<String> = (first..=depth)
                    .filter_map(|at| match self.level(list, at) {
                        Level::Number { numerals, start, .. } => {
                            Some(numerals.write(counts.get(at).copied().unwrap_or(start)))
                        }
                        Level::Bullet | Level::Unmarked => None,
                    })
                    .collect();
                Label::Number(format!("{prefix}{}{suffix}", numbers.join(".")))
            }
        }
    }

    fn chain(&self, name: &str) -> impl Iterator<Item = &ParagraphStyle> {
        let next = |style: &&ParagraphStyle| self.paragraphs.get(style.parent.as_deref()?);
        std::iter::successors(self.paragraphs.get(name), next).take(MAX_CHAIN)
    }
}

fn paragraph_style(style: Element<'_>, name: &str) -> ParagraphStyle {
    let properties = style.child("paragraph-properties");
    let is_page = |value: &String| matches!(value.as_str(), "page" | "even-page" | "odd-page");
    let breaks = |name| properties.and_then(|it| it.attribute(name));
    let has_master = style.attribute("master-page-name").is_some_and(|name| !name.is_empty());
    let begins_page = breaks("break-before").map(|value| is_page(&value));
    let parent = style.attribute("parent-style-name");
    let display_name = style.attribute("display-name");
    // A document may leave out the definitions of styles that every program has, so the parent's
    // name counts too.
    let mut names = [Some(name), display_name.as_deref(), parent.as_deref()].into_iter().flatten();
    ParagraphStyle {
        named_level: names.find_map(level_of_name),
        parent: parent.clone(),
        outline_level: style
            .attribute("default-outline-level")
            .and_then(|level| level.parse().ok())
            .filter(|level| *level > 0),
        begins_page: if has_master { Some(true) } else { begins_page },
        ends_page: breaks("break-after").is_some_and(|value| is_page(&value)),
    }
}

fn levels(style: Element<'_>) -> HashMap<usize, Level> {
    style.children().filter_map(level).collect()
}

fn level(element: Element<'_>) -> Option<(usize, Level)> {
    let depth = element.attribute("level")?.parse::<usize>().ok()?.checked_sub(1)?;
    if depth >= LEVELS {
        return None;
    }
    let number = |name| element.attribute(name).and_then(|it| it.parse().ok());
    let affix = |name| -> String {
        element.attribute(name).unwrap_or_default().chars().take(MAX_AFFIX).collect()
    };
    let level = match element.name() {
        "list-level-style-number" | "outline-level-style" => {
            let numerals = match element.attribute("num-format").as_deref() {
                None | Some("") => return Some((depth, Level::Unmarked)),
                Some("a") => Numerals::LowerLetter,
                Some("A") => Numerals::UpperLetter,
                Some("i") => Numerals::LowerRoman,
                Some("I") => Numerals::UpperRoman,
                Some(_) => Numerals::Decimal,
            };
            Level::Number {
                numerals,
                prefix: affix("num-prefix"),
                suffix: affix("num-suffix"),
                start: number("start-value").unwrap_or(1),
                shown: number("display-levels").unwrap_or(1) as usize,
            }
        }
        _ => Level::Bullet,
    };
    Some((depth, level))
}
