//! The numbers of lists.

use scraper::node::Element;

use super::dom::{Dom, is_named};
use crate::office::numerals::Numerals;

/// A list that is being walked.
#[derive(Debug)]
pub(super) enum List {
    /// `ul` and its like.
    Bulleted,
    /// `ol`.
    Numbered {
        /// The number of the next item.
        next: i64,
        /// What the one after it has more.
        step: i64,
        style: Style,
    },
}

/// How an item's number is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Style {
    Decimal,
    Letters { is_upper: bool },
    Roman { is_upper: bool },
}

impl List {
    /// The list that an element opens.
    pub(super) fn of(node: Dom<'_>, element: &Element) -> Self {
        if element.name() != "ol" {
            return Self::Bulleted;
        }
        let is_reversed = element.attr("reversed").is_some();
        let start = element.attr("start").and_then(|start| start.trim().parse().ok());
        let next = start.unwrap_or_else(|| {
            let items = || node.children().filter(|child| is_named(*child, "li")).count();
            if is_reversed { i64::try_from(items()).unwrap_or(i64::MAX) } else { 1 }
        });
        let style = match element.attr("type").map(str::trim) {
            Some("a") => Style::Letters { is_upper: false },
            Some("A") => Style::Letters { is_upper: true },
            Some("i") => Style::Roman { is_upper: false },
            Some("I") => Style::Roman { is_upper: true },
            _ => Style::Decimal,
        };
        Self::Numbered { next, step: if is_reversed { -1 } else { 1 }, style }
    }

    /// What stands before the next item, which is `item`.
    pub(super) fn mark(&mut self, item: &Element) -> String {
        let Self::Numbered { next, step, style } = self else { return "-".to_owned() };
        let number = item.attr("value").and_then(|it| it.trim().parse().ok()).unwrap_or(*next);
        *next = number.saturating_add(*step);
        format!("{}.", written(number, *style))
    }
}

/// A number in its style; what a style cannot write is decimal (CSS Counter Styles 3, 6.1).
fn written(number: i64, style: Style) -> String {
    let cased = |text: String, is_upper| if is_upper { text.to_uppercase() } else { text };
    match style {
        Style::Letters { is_upper } if number > 0 => cased(letters(number), is_upper),
        Style::Roman { is_upper } => match u32::try_from(number) {
            Ok(number) => cased(Numerals::LowerRoman.write(number), is_upper),
            Err(_) => number.to_string(),
        },
        _ => number.to_string(),
    }
}

fn letters(mut number: i64) -> String {
    let mut reversed = Vec::new();
    while number > 0 {
        number -= 1;
        let letter = u8::try_from(number % 26).unwrap_or(0);
        reversed.push(char::from(b'a' + letter));
        number /= 26;
    }
    reversed.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_their_style() {
        assert_eq!(written(28, Style::Letters { is_upper: false }), "ab");
        assert_eq!(written(1994, Style::Roman { is_upper: true }), "MCMXCIV");
        assert_eq!(written(0, Style::Letters { is_upper: true }), "0");
        assert_eq!(written(-3, Style::Roman { is_upper: true }), "-3");
    }
}
