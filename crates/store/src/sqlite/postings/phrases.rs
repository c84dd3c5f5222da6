//! Words that stand one behind the other.

use std::collections::HashMap;

use super::{Length, Posting, Postings, in_order};
use crate::sqlite::place::Trouble;

/// A place in a row where a phrase may begin: the field, and the number of the word in it.
type Beginning = (usize, u32);

/// The rows that have the phrase, in order; `None` when something is not as expected.
pub(super) fn list(
    postings: &Postings<'_>,
    words: &[String],
) -> Result<Option<Vec<Posting>>, Trouble> {
    // The longest first: it is likely the rarest, and no other row is looked at then.
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(words.get(*at).map_or(0, String::len)));
    let mut found: Option<HashMap<i64, Vec<Beginning>>> = None;
    for at in order {
        let (Some(word), Ok(before)) = (words.get(at), u32::try_from(at)) else { continue };
        let mut here: HashMap<i64, Vec<Beginning>> = HashMap::new();
        let read = postings.each_row(word, |row, places| {
            let known = found.as_ref().map(|found| found.get(&row));
            if known == Some(None) {
                return Some(());
            }
            let mut beginnings = Vec::new();
            places.each(|field, place| {
                let Some(place) = place.checked_sub(before) else { return };
                let is_open = known.flatten().is_none_or(|known| known.contains(&(field, place)));
                if is_open {
                    beginnings.push((field, place));
                }
            })?;
            // What a later segment says of a row is what holds.
            here.insert(row, beginnings);
            Some(())
        })?;
        if read.is_none() {
            return Ok(None);
        }
        here.retain(|_, beginnings| !beginnings.is_empty());
        found = Some(here);
    }
    let length = u32::try_from(words.len()).unwrap_or(u32::MAX);
    let list = found.unwrap_or_default().into_iter().map(|(row, beginnings)| Posting {
        row,
        times: beginnings.iter().map(|(field, _)| postings.weight(*field)).sum(),
        length: Length::at_least(
            beginnings.iter().map(|(_, place)| place.saturating_add(length)).max().unwrap_or(0),
        ),
    });
    let list: Vec<Posting> = list.collect();
    Ok(Some(in_order(list)))
}
