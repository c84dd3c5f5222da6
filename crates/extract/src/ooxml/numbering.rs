//! The marks of list items: bullets, and the numbers that the document shows but does not store.
//!
//! A list (`num`) takes its levels from an abstract list (`abstractNum`) and may replace some; lists
//! of one abstract list count on together unless one restarts (ECMA-376, part 1, 17.9).

use std::collections::{HashMap, HashSet};

use crate::office::numerals::{Label, Numerals};
use crate::package::xml::{Element, Tree};

use super::styles::{NumberingReference, Styles};

const LEVELS: usize = 9;

/// The lists of a document, with how far each has counted.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    lists: HashMap<String, List>,
    abstract_lists: HashMap<String, AbstractList>,
    counters: HashMap<String, [Option<u32>; LEVELS]>,
    /// Lists that have begun: each restarts once.
    begun: HashSet<(String, usize)>,
}

#[derive(Debug, Default)]
struct List {
    abstract_list: String,
    /// Levels of its own.
    levels: HashMap<usize, Level>,
    restarts: HashMap<usize, u32>,
}

#[derive(Debug, Default)]
struct AbstractList {
    levels: HashMap<usize, Level>,
    /// The numbering style that has the levels instead.
    style: Option<String>,
}

#[derive(Debug, Clone, Default)]
struct Level {
    start: u32,
    kind: Kind,
    /// `%1.%2.`, where numbers stand for levels from 1.
    label: String,
    /// The level, from 1, after which it restarts; 0 for never.
    restarts_after: Option<u32>,
    /// The paragraph style that stands for it.
    style: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Bullet,
    /// A list that shows nothing before its items.
    Unmarked,
    Numbers(Numerals),
    /// `01`, `02`.
    Padded,
}

/// What stands before an item.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// 0 for the outermost.
    pub(super) depth: u8,
    pub(super) label: Label,
}

impl Numbering {
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let mut numbering = Self::default();
        for element in tree.root().into_iter().flat_map(Element::children) {
            match element.name() {
                "abstractNum" => {
                    let Some(id) = element.attribute("abstractNumId") else { continue };
                    let style = element.child("numStyleLink").and_then(|it| it.attribute("val"));
                    let levels = element.children_named("lvl").filter_map(level).collect();
                    numbering.abstract_lists.insert(id, AbstractList { levels, style });
                }
                "num" => {
                    let Some(id) = element.attribute("numId") else { continue };
                    numbering.lists.insert(id, list(element));
                }
                _ => {}
            }
        }
        numbering
    }

    /// Counts an item and gives its mark; `None` when the paragraph is no item.
    pub(super) fn count(
        &mut self,
        reference: &NumberingReference,
        style: Option<&str>,
        styles: &Styles,
    ) -> Option<Mark> {
        let id = reference.list.as_deref().filter(|id| *id != "0")?;
        let list = self.lists.get(id)?;
        let abstract_id = self.abstract_id(list, styles);
        let level_number = reference
            .level
            .map(usize::from)
            .or_else(|| self.level_of_style(&abstract_id, style?))
            .unwrap_or(0)
            .min(LEVELS - 1);
        let levels: [Level; LEVELS] = std::array::from_fn(|at| {
            self.level(list, &abstract_id, at).cloned().unwrap_or_default()
        });
        let restart = list.restarts.get(&level_number).copied();

        let counters = self.counters.entry(abstract_id).or_default();
        if self.begun.insert((id.to_owned(), level_number))
            && let Some(start) = restart
            && let Some(counter) = counters.get_mut(level_number)
        {
            *counter = Some(start.saturating_sub(1));
            // A restart at 0 has no number before it.
            if start == 0 {
                *counter = None;
            }
        }
        advance(counters, &levels, level_number);
        let level = levels.get(level_number)?;
        let label = match level.kind {
            Kind::Bullet => Label::Bullet,
            Kind::Unmarked => Label::Number(String::new()),
            Kind::Numbers(_) | Kind::Padded => Label::Number(label(level, &levels, counters)),
        };
        Some(Mark { depth: u8::try_from(level_number).unwrap_or_default(), label })
    }

    /// The abstract list that has the levels: a list may lead to it by a numbering style.
    fn abstract_id(&self, list: &List, styles: &Styles) -> String {
        let by_style = || {
            let style = self.abstract_lists.get(&list.abstract_list)?.style.as_deref()?;
            Some(self.lists.get(styles.list_of_style(style)?)?.abstract_list.clone())
        };
        by_style().unwrap_or_else(|| list.abstract_list.clone())
    }

    fn level<'a>(&'a self, list: &'a List, abstract_id: &str, at: usize) -> Option<&'a Level> {
        let of_abstract = || self.abstract_lists.get(abstract_id)?.levels.get(&at);
        list.levels.get(&at).or_else(of_abstract)
    }

    fn level_of_style(&self, abstract_id: &str, style: &str) -> Option<usize> {
        let levels = &self.abstract_lists.get(abstract_id)?.levels;
        levels.iter().find(|(_, it)| it.style.as_deref() == Some(style)).map(|(at, _)| *at)
    }
}

fn advance(counters: &mut [Option<u32>; LEVELS], levels: &[Level; LEVELS], level_number: usize) {
    for (at, (counter, level)) in counters.iter_mut().zip(levels).enumerate() {
        if at < level_number {
            // A deeper item may come first; what is above it has then begun.
            counter.get_or_insert(level.start);
        } else if at == level_number {
            *counter = Some(counter.map_or(level.start, |last| last.saturating_add(1)));
        } else {
            let after = level.restarts_after.map_or(at, |after| after as usize);
            if after > level_number {
                *counter = None;
            }
        }
    }
}

fn label(level: &Level, levels: &[Level; LEVELS], counters: &[Option<u32>; LEVELS]) -> String {
    let mut label = String::new();
    let mut rest = level.label.chars().peekable();
    while let Some(character) = rest.next() {
        let digit = (character == '%').then(|| rest.peek()?.to_digit(10)).flatten();
        let Some(number) = digit.filter(|number| *number > 0) else {
            label.push(character);
            continue;
        };
        rest.next();
        let at = number as usize - 1;
        let (Some(level), Some(counter)) = (levels.get(at), counters.get(at)) else { continue };
        let number = counter.unwrap_or(level.start);
        match level.kind {
            Kind::Numbers(numerals) => label.push_str(&numerals.write(number)),
            Kind::Padded => label.push_str(&format!("{number:02}")),
            Kind::Bullet | Kind::Unmarked => {}
        }
    }
    label
}

fn list(element: Element<'_>) -> List {
    let mut list = List::default();
    if let Some(id) = element.child("abstractNumId").and_then(|it| it.attribute("val")) {
        list.abstract_list = id;
    }
    for replaced in element.children_named("lvlOverride") {
        let at = replaced.attribute("ilvl").and_then(|at| at.parse().ok()).unwrap_or(0);
        if let Some(start) = number(replaced, "startOverride") {
            list.restarts.insert(at, start);
        }
        if let Some((at, level)) = replaced.child("lvl").and_then(level) {
            list.levels.insert(at, level);
        }
    }
    list
}

fn level(element: Element<'_>) -> Option<(usize, Level)> {
    let at: usize = element.attribute("ilvl")?.parse().ok().filter(|at| *at < LEVELS)?;
    let value = |name| element.child(name).and_then(|it| it.attribute("val"));
    let kind = match value("numFmt").as_deref() {
        Some("bullet") => Kind::Bullet,
        Some("none") => Kind::Unmarked,
        Some("lowerLetter") => Kind::Numbers(Numerals::LowerLetter),
        Some("upperLetter") => Kind::Numbers(Numerals::UpperLetter),
        Some("lowerRoman") => Kind::Numbers(Numerals::LowerRoman),
        Some("upperRoman") => Kind::Numbers(Numerals::UpperRoman),
        Some("decimalZero") => Kind::Padded,
        // Numerals of other scripts, and numbers in words.
        _ => Kind::Numbers(Numerals::Decimal),
    };
    let level = Level {
        start: number(element, "start").unwrap_or(0),
        kind,
        label: value("lvlText").unwrap_or_default().chars().take(100).collect(),
        restarts_after: number(element, "lvlRestart"),
        style: value("pStyle"),
    };
    Some((at, level))
}

fn number(element: Element<'_>, name: &str) -> Option<u32> {
    element.child(name)?.attribute("val")?.parse().ok()
}
