//! What elements mean for the text: which begin a block, of which kind, and which words of theirs
//! count.

use scraper::node::Element;

use super::dom::Dom;

/// Elements whose text becomes a block of its own kind.
pub(super) enum Kind {
    Heading(u8),
    Item,
    Term,
    Definition,
    Verbatim,
}

/// The kind of an element; `None` for most.
pub(super) fn kind_of(element: &Element) -> Option<Kind> {
    match element.name() {
        "li" => Some(Kind::Item),
        "dt" => Some(Kind::Term),
        "dd" => Some(Kind::Definition),
        "pre" | "listing" | "xmp" | "plaintext" => Some(Kind::Verbatim),
        name => heading_level(name, element).map(Kind::Heading),
    }
}

/// `h1` to `h6`, or what says that it is a heading (WAI-ARIA 1.2, 5.4: level 2 unless it says so).
fn heading_level(name: &str, element: &Element) -> Option<u8> {
    let aria = || element.attr("aria-level").and_then(|level| level.trim().parse::<u8>().ok());
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ if element.attr("role") == Some("heading") => Some(aria().unwrap_or(2).clamp(1, 6)),
        _ => None,
    }
}

/// Elements that stand on lines of their own (HTML Standard, 15.3).
pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "details"
            | "dialog"
            | "dd"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "main"
            | "optgroup"
            | "option"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "tbody"
            | "tfoot"
            | "thead"
            | "tr"
    )
}

/// Whether a description is more than the name of a thing or a file.
pub(super) fn is_sentence(description: &str) -> bool {
    description.split_whitespace().count() >= 3 && !description.contains("://")
}

/// Whether a text is one sign, such as `¶`.
pub(super) fn is_sign(text: &str) -> bool {
    let mut characters = text.trim().chars();
    characters.next().is_some_and(|it| !it.is_alphanumeric()) && characters.next().is_none()
}

/// The text that an element holds itself.
pub(super) fn text_of(node: Dom<'_>) -> String {
    node.children().filter_map(|child| child.value().as_text()).map(|text| &**text).collect()
}
