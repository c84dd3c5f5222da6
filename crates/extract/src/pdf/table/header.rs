//! Which rows title the columns.
//!
//! The first row of three or more columns that looks like titles is taken for them, as in other
//! formats. Of two columns it may just as well be a name with its value, so there something must
//! set it apart: it is bold and the others are not, or numbers stand under its words. A title over
//! several columns stands in each of them.

use std::ops::Range;
use std::sync::Arc;

use crate::content::looks_like_header;

/// The most rows of titles.
const MAX_HEADER_ROWS: usize = 3;

/// A longer text, in characters, is no title unless it is set apart.
const MAX_NAME_LENGTH: usize = 60;

/// A longer unit, in characters, is a text.
const MAX_UNIT_LENGTH: usize = 16;

/// A row before it is known whether it is of titles.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TextRow {
    /// One for each column.
    pub(super) cells: Vec<String>,
    /// The columns over which one cell is merged.
    pub(super) spans: Vec<Range<usize>>,
    /// How many rows of the grid its highest cell takes.
    pub(super) height: usize,
    pub(super) is_bold: bool,
}

impl TextRow {
    /// Its text, if it is one cell across the whole table.
    pub(super) fn across(&self) -> Option<&str> {
        let whole = self.spans.iter().any(|span| span.len() == self.cells.len());
        self.cells.first().filter(|_| whole).map(String::as_str)
    }
}

/// The titles of the first rows and how many rows they take, where they are titles.
pub(super) fn titles(rows: &[TextRow]) -> Option<(Arc<[String]>, usize)> {
    let first = rows.first()?;
    let is_merged = !first.spans.is_empty();
    let count = first.height.max(if is_merged { 2 } else { 1 });
    if count > MAX_HEADER_ROWS {
        return None;
    }
    let (head, body) = rows.split_at_checked(count).filter(|(_, body)| !body.is_empty())?;
    let titles = joined_titles(head);
    let is_bold = head.iter().all(|row| row.is_bold);
    is_header(&titles, is_bold, body).then(|| (titles.into(), count))
}

/// Whether the first row is bold and most others are not.
pub(super) fn is_set_apart(is_bold: bool, body: &[TextRow]) -> bool {
    is_bold && body.iter().filter(|row| !row.is_bold).count() * 2 > body.len()
}

/// The titles over each column, from the outermost.
fn joined_titles(head: &[TextRow]) -> Vec<String> {
    let width = head.first().map_or(0, |row| row.cells.len());
    let title = |column: usize| {
        let mut parts: Vec<&str> = Vec::new();
        for row in head {
            let span = row.spans.iter().find(|span| span.contains(&column));
            let from = span.map_or(column, |span| span.start);
            let part = row.cells.get(from).map(|it| it.trim()).unwrap_or_default();
            if !part.is_empty() && parts.last() != Some(&part) {
                parts.push(part);
            }
        }
        parts.join(" › ")
    };
    (0..width).map(title).collect()
}

fn is_header(titles: &[String], is_bold: bool, body: &[TextRow]) -> bool {
    // Titles on two sides leave a corner blank.
    let named = match titles {
        [corner, rest @ ..] if corner.is_empty() && rest.len() > 1 => rest,
        all => all,
    };
    if named.iter().any(|title| is_label(title)) {
        return false;
    }
    let is_set_apart = is_set_apart(is_bold, body);
    if !looks_like_header(named) {
        // Years and codes are titles too where the row says so.
        return titles.len() > 2 && are_different(named) && (is_set_apart || are_years(titles));
    }
    let are_names = |title: &String| {
        !title.contains(|it: char| it.is_ascii_digit()) && title.chars().count() <= MAX_NAME_LENGTH
    };
    is_set_apart
        || has_amounts_below(titles, body)
        || titles.len() > 2 && named.iter().all(are_names)
}

fn are_different(titles: &[String]) -> bool {
    titles.iter().enumerate().all(|(at, title)| {
        !title.is_empty()
            && title.chars().count() <= MAX_NAME_LENGTH
            && !titles.iter().take(at).any(|it| it == title)
    })
}

/// Whether all titles but the first are years.
fn are_years(titles: &[String]) -> bool {
    let is_year = |title: &String| {
        title.len() == 4 && title.parse::<u16>().is_ok_and(|year| (1900..=2100).contains(&year))
    };
    let count = titles.iter().filter(|title| is_year(title)).count();
    count > 1 && count + 2 >= titles.len() && titles.first().is_some_and(|it| !is_year(it))
}

/// Whether a column has a title in words over numbers of one unit.
fn has_amounts_below(titles: &[String], body: &[TextRow]) -> bool {
    let is_numeric = |text: &str| text.contains(|it: char| it.is_ascii_digit());
    titles.iter().enumerate().any(|(column, title)| {
        let cells: Vec<&str> = body
            .iter()
            .filter_map(|row| row.cells.get(column))
            .map(String::as_str)
            .filter(|cell| !cell.is_empty())
            .collect();
        let Some(first) = cells.first().map(|cell| unit(cell)) else { return false };
        let same_count = cells.iter().filter(|cell| unit(cell) == first).count();
        !is_numeric(title)
            && cells.len() * 2 > body.len()
            && same_count * 10 >= cells.len() * 8
            && cells.iter().all(|cell| is_numeric(cell))
            && first.chars().count() <= MAX_UNIT_LENGTH
    })
}

/// What is no number in a text: `€`, `joursouvrés`.
fn unit(text: &str) -> String {
    let is_number = |it: &char| it.is_numeric() || it.is_whitespace() || "+-−±.,".contains(*it);
    let unit: String = text.chars().filter(|it| !is_number(it)).collect();
    unit.trim_end_matches('s').to_lowercase()
}

/// `Nom :`
pub(super) fn is_label(text: &str) -> bool {
    text.trim_end().ends_with(':')
}

/// A number with no more than its unit: `1 234,50 €`, `12 %`, `29 EUR par mois`.
pub(super) fn is_amount(text: &str) -> bool {
    const CURRENCIES: [&str; 4] = ["EUR", "USD", "GBP", "CHF"];
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    text.contains(|it: char| it.is_ascii_digit())
        && text.chars().count() <= 40
        && (letters <= 2
            || text.contains(['€', '$', '£', '%'])
            || CURRENCIES.iter().any(|currency| text.contains(currency)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> TextRow {
        TextRow {
            cells: cells.iter().map(ToString::to_string).collect(),
            height: 1,
            ..TextRow::default()
        }
    }

    fn found(rows: &[TextRow]) -> Option<Vec<String>> {
        titles(rows).map(|(titles, _)| titles.to_vec())
    }

    #[test]
    fn two_columns_of_names_and_values_have_no_titles() {
        assert_eq!(found(&[row(&["Nom", "Dupont"]), row(&["Ville", "Lyon"])]), None);
        let prices = [row(&["Forfait", "Prix"]), row(&["Solo", "19 €"]), row(&["Duo", "29 €"])];
        assert_eq!(found(&prices).unwrap(), ["Forfait", "Prix"]);
        let delays =
            [row(&["Pays", "Délai"]), row(&["France", "1 jour"]), row(&["Suisse", "3 jours"])];
        assert_eq!(found(&delays).unwrap(), ["Pays", "Délai"]);
        let mixed = [row(&["Client", "Dupont"]), row(&["Somme", "12 €"]), row(&["Taxe", "20 %"])];
        assert_eq!(found(&mixed), None);
        let bold = TextRow { is_bold: true, ..row(&["Forfait", "Pour qui"]) };
        assert_eq!(
            found(&[bold, row(&["Solo", "une personne"])]).unwrap(),
            ["Forfait", "Pour qui"]
        );
    }

    #[test]
    fn a_title_over_two_columns_stands_in_each() {
        let mut above = row(&["Forfait", "Prix", ""]);
        above.spans.push(1..3);
        let below = row(&["", "par mois", "par an"]);
        let rows = [above, below, row(&["Solo", "19 €", "190 €"])];
        assert_eq!(found(&rows).unwrap(), ["Forfait", "Prix › par mois", "Prix › par an"]);
    }

    #[test]
    fn years_and_codes_are_titles_where_the_row_says_so() {
        let years = [row(&["Ventes", "2023", "2024"]), row(&["Solo", "12", "14"])];
        assert_eq!(found(&years).unwrap(), ["Ventes", "2023", "2024"]);
        let codes = row(&["Classe", "C1", "C2"]);
        assert_eq!(found(&[codes.clone(), row(&["S1", "A", "B"])]), None);
        let codes = TextRow { is_bold: true, ..codes };
        assert_eq!(found(&[codes, row(&["S1", "A", "B"])]).unwrap(), ["Classe", "C1", "C2"]);
    }

    #[test]
    fn a_first_row_with_values_titles_nothing() {
        let rows = [
            row(&["Fluor", "20 mg par jour", "toujours"]),
            row(&["Zinc", "selon l’âge", "parfois"]),
        ];
        assert_eq!(found(&rows), None);
    }

    #[test]
    fn amounts_are_numbers_and_their_units() {
        for text in ["1\u{202f}234,50\u{a0}€", "12 %", "-3", "29 € par mois", "100 CHF"] {
            assert!(is_amount(text), "{text}");
        }
        for text in ["12 rue de la Paix", "deux", "75002 Paris", "—"] {
            assert!(!is_amount(text), "{text}");
        }
    }
}
