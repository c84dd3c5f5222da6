//! Which elements a reader of the page sees and reads.
//!
//! Only the page itself is asked: its elements, its attributes, styles written on an element.
//! Style sheets are not read.

use std::collections::HashSet;

use scraper::node::Element;

use super::dom::{Dom, Visit, element_of, walk};

/// Elements that hold no words of the page. A `noscript` speaks to browsers that run no scripts.
const WITHOUT_WORDS: [&str; 22] = [
    "script",
    "style",
    "template",
    "noscript",
    "noframes",
    "noembed",
    "iframe",
    "canvas",
    "audio",
    "video",
    "svg",
    "nav",
    "select",
    "datalist",
    "textarea",
    "input",
    "map",
    "annotation",
    "annotation-xml",
    "meta",
    "link",
    "progress",
];

/// What is left out of a page.
#[derive(Debug, Default)]
pub(super) struct Visibility<'a> {
    /// Parts that some control of the page opens: the panel of a tab, the answer to a question.
    /// They are hidden until then, and are the page's words nevertheless.
    opened_by_controls: HashSet<&'a str>,
}

impl<'a> Visibility<'a> {
    /// Of a page.
    pub(super) fn of(root: Dom<'a>) -> Self {
        let mut visibility = Self::default();
        walk(root, &mut visibility);
        visibility
    }

    /// Whether the words of this element are read.
    pub(super) fn is_read(&self, element: &Element) -> bool {
        let name = element.name();
        let role = element.attr("role").unwrap_or_default();
        !WITHOUT_WORDS.contains(&name)
            && role != "navigation"
            && (name != "dialog" || element.attr("open").is_some())
            && (!is_hidden(element) || self.is_opened_by_control(element, role))
    }

    fn is_opened_by_control(&self, element: &Element, role: &str) -> bool {
        role == "tabpanel"
            || element.attr("id").is_some_and(|id| self.opened_by_controls.contains(id))
    }
}

impl<'a> Visit<'a> for Visibility<'a> {
    fn enter(&mut self, node: Dom<'a>) -> bool {
        let controls = node.value().as_element().and_then(|it| it.attr("aria-controls"));
        self.opened_by_controls.extend(controls.into_iter().flat_map(str::split_ascii_whitespace));
        true
    }

    fn leave(&mut self, _node: Dom<'a>) {}
}

/// Whether a button opens a part of the page, so that its words are the title of that part.
pub(super) fn is_disclosure(button: &Element) -> bool {
    button.attr("aria-expanded").is_some() || button.attr("aria-controls").is_some()
}

/// Whether a table only arranges the page.
pub(super) fn is_presentational(node: Dom<'_>) -> bool {
    let role = element_of(node).and_then(|element| element.attr("role"));
    matches!(role, Some("presentation" | "none"))
}

fn is_hidden(element: &Element) -> bool {
    // A page is all hidden from assistive programs while one of its dialogs is open.
    let is_page = matches!(element.name(), "html" | "body" | "main");
    let is_hidden_until_found = |value: &str| value.eq_ignore_ascii_case("until-found");
    element.attr("hidden").is_some_and(|value| !is_hidden_until_found(value))
        || (element.attr("aria-hidden") == Some("true") && !is_page)
        || element.attr("style").is_some_and(is_hiding_style)
}

fn is_hiding_style(style: &str) -> bool {
    let style: String = style.chars().filter(|it| !it.is_whitespace()).collect();
    let style = style.to_ascii_lowercase();
    ["display:none", "visibility:hidden", "mso-hide:all"].iter().any(|rule| style.contains(rule))
}
