//! Tables of two columns without lines: names with their values.
//!
//! Two columns are also how addresses, contents, forms, numbered lists and running text are set. So
//! the words must tell: amounts, names that end with a colon, or bold titles over pieces that are no
//! fragments of sentences.

use super::aligned::MIN_ROWS;
use super::header::{self, TextRow, is_amount, is_label};
use crate::pdf::item;

/// Whether rows of two cells are names with their values, and no contents, addresses or text.
pub(super) fn is_pairs(rows: &[TextRow]) -> bool {
    let pairs: Vec<(&str, &str)> = rows
        .iter()
        .filter_map(|row| match row.cells.as_slice() {
            [name, value] if !name.is_empty() && !value.is_empty() => {
                Some((name.as_str(), value.as_str()))
            }
            _ => None,
        })
        .collect();
    let Some((first, body)) = pairs.split_first() else { return false };
    let most = |count: usize| count * 10 >= body.len() * 8;
    let is_item = |name: &str| {
        item::mark_of(&format!("{name} x")).is_some() || !name.contains(char::is_alphabetic)
    };
    let items = body.iter().filter(|(name, _)| is_item(name)).count();
    let leads = pairs.iter().filter(|(name, value)| name.contains('…') || value.contains('…'));
    if pairs.len() < MIN_ROWS
        || pairs.len() * 10 < rows.len() * 9
        || items * 5 > body.len()
        || leads.count() > 0
        || counts_pages(body)
    {
        return false;
    }
    let amounts = body.iter().filter(|(_, value)| is_amount(value)).count();
    let labels = pairs.iter().filter(|(name, _)| is_label(name)).count();
    let labelled_values = pairs.iter().filter(|(_, value)| is_label(value)).count();
    let begins_small = |text: &str| text.starts_with(char::is_lowercase);
    let fragments = body.iter().filter(|(name, value)| begins_small(name) || begins_small(value));
    let is_titled = header::is_set_apart(
        rows.first().is_some_and(|row| row.is_bold),
        rows.get(1..).unwrap_or_default(),
    );
    labelled_values * 5 <= pairs.len()
        && (most(amounts) && (is_amount(first.1) || !is_label(first.0))
            || labels * 10 >= pairs.len() * 8
            || is_titled && fragments.count() * 10 <= body.len() * 3)
}

/// Whether the values are bare numbers that do not fall: those of pages.
fn counts_pages(pairs: &[(&str, &str)]) -> bool {
    let numbers: Vec<u32> = pairs.iter().filter_map(|(_, value)| value.parse().ok()).collect();
    numbers.len() * 10 >= pairs.len() * 6 && numbers.windows(2).all(|pair| pair[0] <= pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(pairs: &[(&str, &str)]) -> Vec<TextRow> {
        let row = |(name, value): &(&str, &str)| TextRow {
            cells: vec![(*name).to_owned(), (*value).to_owned()],
            height: 1,
            ..TextRow::default()
        };
        pairs.iter().map(row).collect()
    }

    #[test]
    fn amounts_labels_and_bold_titles_tell() {
        let prices = [("Forfait", "Prix"), ("Solo", "19 €"), ("Duo", "1\u{202f}029 €")];
        assert!(is_pairs(&rows(&prices)));
        assert!(is_pairs(&rows(&[("Nom :", "Dupont"), ("Ville :", "Lyon"), ("Pays :", "France")])));
        let mut cases = rows(&[("Cas", "Règle"), ("Regret", "Échange"), ("Panne", "Réparation")]);
        assert!(!is_pairs(&cases));
        cases[0].is_bold = true;
        assert!(is_pairs(&cases));
    }

    #[test]
    fn pages_items_and_labels_on_both_sides_are_none() {
        assert!(!is_pairs(&rows(&[("Retours", "3"), ("Garantie", "12"), ("Index", "40")])));
        assert!(!is_pairs(&rows(&[("1.", "19 €"), ("2.", "29 €"), ("3.", "39 €")])));
        assert!(!is_pairs(&rows(&[("Nom :", "Rue :"), ("Date :", "Lieu :"), ("À :", "De :")])));
        assert!(!is_pairs(&rows(&[("Solo", "19 €"), ("Duo", "29 €")])));
    }
}
