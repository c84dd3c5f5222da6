//! What text documents and slides draw alike: charts, diagrams, descriptions of pictures
//! (DrawingML; ECMA-376, part 1, 20 and 21).

use std::collections::BTreeMap;

use crate::ExtractError;
use crate::content::{Block, one_line};
use crate::office::parts::Parts;
use crate::office::wording::description;
use crate::package::xml::Element;

use super::relations::Relations;

/// The most values of one chart: what more there is was data, and no chart shows it.
const MAX_VALUES: usize = 50_000;

/// What a person wrote to describe a picture, when `element` holds its properties.
pub(super) fn described(element: Element<'_>) -> Option<Block> {
    let text = match element.name() {
        "docPr" | "cNvPr" => element.attribute("descr"),
        // Pictures of old documents (VML).
        "shape" => element.attribute("alt"),
        // Words bent into a picture.
        "textpath" => return element.attribute("string").map(Block::Paragraph),
        _ => None,
    };
    text.and_then(|text| description(&text)).map(Block::Paragraph)
}

/// Adds the chart or diagram that `element` refers to, if it does.
///
/// # Errors
///
/// Those of [`Parts::text`].
pub(super) fn linked(
    parts: &Parts<'_>,
    relations: &Relations,
    element: Element<'_>,
    out: &mut Vec<Block>,
) -> Result<(), ExtractError> {
    let (id, read): (_, fn(Element<'_>, &mut Vec<Block>)) = match element.name() {
        "chart" => (element.prefixed_attribute("id"), chart),
        "relIds" => (element.prefixed_attribute("dm"), diagram),
        _ => return Ok(()),
    };
    let Some(part) = id.as_deref().and_then(|id| relations.target(id)) else { return Ok(()) };
    let Some(text) = parts.text(part)? else {
        parts.miss();
        return Ok(());
    };
    let tree = parts.tree(&text);
    if let Some(root) = tree.root() {
        read(root, out);
    }
    Ok(())
}

/// The title of a chart, and a row for each category, where each value has the names of its series
/// and its category before it, as the program last drew them: `Sales 2026: 10; Costs 2026: 8`.
fn chart(root: Element<'_>, out: &mut Vec<Block>) {
    let Some(chart) = root.child("chart") else { return };
    let title = chart.child("title").map(words_of).unwrap_or_default();
    if !title.trim().is_empty() {
        out.push(Block::Paragraph(title));
    }
    let mut rows: BTreeMap<u32, (Vec<String>, Vec<String>)> = BTreeMap::new();
    let mut value_count = 0;
    for series in chart.descendants().filter(|it| it.name() == "ser") {
        let name = series.child("tx").and_then(|it| it.descendant("v"));
        let name = name.map(Element::text).unwrap_or_default();
        let categories = series.child("cat").or_else(|| series.child("xVal"));
        let categories = categories.map(points).unwrap_or_default();
        let values = series.child("val").or_else(|| series.child("yVal"));
        for (at, value) in values.into_iter().flat_map(points) {
            value_count += 1;
            if value_count > MAX_VALUES {
                break;
            }
            let category = categories.get(&at).map(String::as_str).unwrap_or_default();
            let (titles, values) = rows.entry(at).or_default();
            titles.push(one_line(&format!("{name} {category}")));
            values.push(number(&value));
        }
    }
    let rows = rows.into_values();
    out.extend(rows.map(|(titles, cells)| Block::Row { header: titles.into(), cells }));
}

/// The cached values by their place; of categories in several levels, all words of a place.
fn points(values: Element<'_>) -> BTreeMap<u32, String> {
    let mut points: BTreeMap<u32, String> = BTreeMap::new();
    for point in values.descendants().filter(|it| it.name() == "pt") {
        let at = point.attribute("idx").and_then(|at| at.parse().ok()).unwrap_or(0);
        let value = point.child("v").map(Element::text).unwrap_or_default();
        let known = points.entry(at).or_default();
        // The innermost level comes first.
        *known = if known.is_empty() { value } else { format!("{value} {known}") };
    }
    points
}

/// A number without the noise of its binary form: `0.30000000000000004` is 0.3.
fn number(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 12 && number.is_finite() => {
            let rounded = format!("{number:.6}");
            rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => value.to_owned(),
    }
}

/// The words in the boxes of a diagram.
fn diagram(root: Element<'_>, out: &mut Vec<Block>) {
    for point in root.descendants().filter(|it| it.name() == "pt") {
        // Points of these types are lines and the layout's own.
        let kind = point.attribute("type");
        if matches!(kind.as_deref(), Some("pres" | "parTrans" | "sibTrans")) {
            continue;
        }
        let text = point.child("t").map(words_of).unwrap_or_default();
        if !text.trim().is_empty() {
            out.push(Block::Item { depth: 0, mark: "-".to_owned(), text });
        }
    }
}

/// The words of DrawingML paragraphs, a line each.
pub(super) fn words_of(element: Element<'_>) -> String {
    let paragraphs = element.descendants().filter(|it| it.name() == "p");
    paragraphs.map(super::slide_text::line).collect::<Vec<_>>().join("\n")
}
