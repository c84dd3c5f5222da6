//! The paragraphs of a shape on a slide: DrawingML text with its bullets and numbers.

use crate::content::Block;
use crate::office::numerals::Numerals;
use crate::package::xml::Element;

use super::inline::chosen;

/// What a shape's text is on its slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The slide's title.
    Title,
    /// The slide's main text, whose paragraphs are bullets unless they say otherwise.
    Body,
    /// Anything else: paragraphs unless they have bullets.
    Free,
}

/// PowerPoint has nine.
const LEVELS: usize = 9;

/// The blocks of a shape's text.
pub(super) fn blocks(body: Element<'_>, role: Role) -> Vec<Block> {
    let paragraphs: Vec<(Element<'_>, String)> = body
        .children_named("p")
        .map(|paragraph| (paragraph, line(paragraph)))
        .filter(|(_, text)| !text.trim().is_empty())
        .collect();
    if role == Role::Title {
        let lines: Vec<String> = paragraphs.into_iter().map(|(_, text)| text).collect();
        let text = lines.join(" ");
        let is_blank = text.trim().is_empty();
        return if is_blank { Vec::new() } else { vec![Block::Heading { level: 1, text }] };
    }
    // One paragraph alone is a sentence, whatever the template puts before it.
    let are_bullets = role == Role::Body && paragraphs.len() > 1;
    let mut counters = Counters::default();
    paragraphs
        .into_iter()
        .map(|(paragraph, text)| {
            let properties = paragraph.child("pPr");
            let depth = properties
                .and_then(|it| it.attribute("lvl")?.parse::<usize>().ok())
                .unwrap_or(0)
                .min(LEVELS - 1);
            match mark(properties, depth, are_bullets, &mut counters) {
                Some(mark) => {
                    Block::Item { depth: u8::try_from(depth).unwrap_or_default(), mark, text }
                }
                None => Block::Paragraph(text),
            }
        })
        .collect()
}

/// The words of a paragraph on one line or more; numbers of slides and dates that change by
/// themselves are left out.
pub(super) fn line(paragraph: Element<'_>) -> String {
    let mut text = String::new();
    add_line(paragraph, &mut text);
    text.replace('\u{b}', "\n")
}

fn add_line(element: Element<'_>, text: &mut String) {
    for child in chosen(element).children() {
        match child.name() {
            "t" => text.push_str(&child.text()),
            "br" => text.push('\n'),
            "tab" => text.push('\t'),
            "p" | "pPr" | "rPr" | "endParaRPr" => {}
            "fld" if is_of_the_slide(child) => {}
            _ => add_line(child, text),
        }
    }
}

fn is_of_the_slide(field: Element<'_>) -> bool {
    let kind = field.attribute("type").unwrap_or_default();
    kind == "slidenum" || kind.starts_with("datetime")
}

/// How far each level of a shape has counted.
#[derive(Default)]
struct Counters {
    numbers: [u32; LEVELS],
}

impl Counters {
    fn advance(&mut self, depth: usize, start: u32) -> u32 {
        self.end_below(depth + 1);
        let Some(counter) = self.numbers.get_mut(depth) else { return start };
        *counter = if *counter == 0 { start } else { counter.saturating_add(1) };
        *counter
    }

    /// Levels from this one on begin anew.
    fn end_below(&mut self, depth: usize) {
        self.numbers.iter_mut().skip(depth).for_each(|counter| *counter = 0);
    }
}

fn mark(
    properties: Option<Element<'_>>,
    depth: usize,
    are_bullets: bool,
    counters: &mut Counters,
) -> Option<String> {
    let has = |name| properties.is_some_and(|it| it.child(name).is_some());
    if let Some(numbered) = properties.and_then(|it| it.child("buAutoNum")) {
        let start = numbered.attribute("startAt").and_then(|it| it.parse().ok()).unwrap_or(1);
        let number = counters.advance(depth, start);
        return Some(number_mark(&numbered.attribute("type").unwrap_or_default(), number));
    }
    counters.end_below(depth);
    let is_bullet = if has("buNone") {
        false
    } else {
        has("buChar") || has("buBlip") || are_bullets || depth > 0
    };
    is_bullet.then(|| "-".to_owned())
}

/// A mark of the kinds of ECMA-376, part 1, 20.1.10.61: `arabicPeriod`, `alphaLcParenBoth`.
fn number_mark(kind: &str, number: u32) -> String {
    let numerals = if kind.starts_with("alphaLc") {
        Numerals::LowerLetter
    } else if kind.starts_with("alphaUc") {
        Numerals::UpperLetter
    } else if kind.starts_with("romanLc") {
        Numerals::LowerRoman
    } else if kind.starts_with("romanUc") {
        Numerals::UpperRoman
    } else {
        Numerals::Decimal
    };
    let number = numerals.write(number);
    if kind.ends_with("ParenBoth") {
        format!("({number})")
    } else if kind.ends_with("ParenR") {
        format!("{number})")
    } else {
        format!("{number}.")
    }
}
