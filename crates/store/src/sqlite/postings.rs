//! The lists of a full-text table, read as they lie in it: which rows have a word, how often, and
//! how far into the row it stands.
//!
//! FTS5's own ranking asks its interface for every place of every word in every row, three times
//! over; for a question of common words that is most of a second in a base of 100,000 chunks.
//! Read directly, the same lists take a tenth of it. The format is the one that FTS5's source
//! documents and every later SQLite has to go on reading ("Overview" and "Details" in
//! `fts5_index.c`). Whatever is not as expected is answered with `None`, and FTS5 itself is asked
//! then: this is never needed for correctness.

mod pages;
mod phrases;
mod segments;

use std::collections::HashMap;

use rusqlite::Transaction;

use self::pages::each_position;
use self::segments::Segment;
use super::place::Trouble;
use super::rows;
use crate::traits::LexicalWeights;

/// A row that has a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posting {
    /// The row's number.
    pub(super) row: i64,
    /// How often the word stands in it, each time by the weight of its field.
    pub(super) times: f32,
    /// Some field has at least so many words, since the word stands there.
    pub(super) reach: u32,
}

/// A full-text table whose lists can be read.
pub(super) struct Postings<'t> {
    transaction: &'t Transaction<'t>,
    table: String,
    /// Oldest first: what a later one says of a row is what holds.
    segments: Vec<Segment>,
    weights: [f32; 3],
    /// How many rows there are.
    rows: u64,
    /// How many words they have in all.
    words: u64,
}

impl<'t> Postings<'t> {
    /// The lists of a table, if it is of a format known here.
    pub(super) fn open(
        transaction: &'t Transaction<'t>,
        table: &str,
        weights: LexicalWeights,
    ) -> Result<Option<Self>, Trouble> {
        let LexicalWeights { title, heading, body } = weights;
        let weights = [title, heading, body];
        if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
            return Ok(None);
        }
        let Some(segments) = segments::read(transaction, table)? else { return Ok(None) };
        let (rows, words) = totals(transaction, table)?;
        #[expect(clippy::cast_possible_truncation, reason = "weights are small numbers")]
        let weights = weights.map(|weight| weight as f32);
        Ok(Some(Self { transaction, table: table.to_owned(), segments, weights, rows, words }))
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// How many words a row has on the average, all fields together.
    pub(super) fn average_length(&self) -> f64 {
        average(self.rows, self.words)
    }

    /// The rows that have these words one behind the other, in order; `None` when a word is not
    /// sure to stand in the index as it is written here, or the table is not as expected.
    pub(super) fn list(&self, words: &[String]) -> Result<Option<Vec<Posting>>, Trouble> {
        if words.is_empty() || !words.iter().all(|word| is_plain(word)) {
            return Ok(None);
        }
        match words {
            [word] => self.list_of(word),
            words => phrases::list(self, words),
        }
    }

    /// How many words a row has, all fields together; `None` for one that is not there.
    pub(super) fn length(&self, row: i64) -> Result<Option<f64>, Trouble> {
        let sql = format!("SELECT sz FROM {}_docsize WHERE id = ?1", self.table);
        let sizes = rows::one(self.transaction, &sql, [row], |row| {
            Ok(row.get_ref(0)?.as_blob().map(|sizes| varints(sizes).into_iter().sum::<u64>()).ok())
        })?;
        Ok(sizes.flatten().map(|words| words as f64))
    }

    fn list_of(&self, word: &str) -> Result<Option<Vec<Posting>>, Trouble> {
        let mut list: Vec<Posting> = Vec::new();
        let read = self.each_row(word, |row, positions| {
            let (mut times, mut reach) = (0.0, 0);
            each_position(positions, |field, place| {
                times += self.weight(field);
                reach = reach.max(place + 1);
            })?;
            list.push(Posting { row, times, reach });
            Some(())
        })?;
        Ok(read.map(|()| in_order(list)))
    }

    /// Hands over every row that has the word, with its places as they are stored; of each segment
    /// in order, the oldest segment first. `None` when something is not as expected.
    fn each_row(
        &self,
        word: &str,
        mut take: impl FnMut(i64, &[u8]) -> Option<()>,
    ) -> Result<Option<()>, Trouble> {
        let term = [b"0", word.as_bytes()].concat();
        for segment in &self.segments {
            let pages = segment.seek(self.transaction, &self.table, &term)?;
            let Some(pages) = pages else { return Ok(None) };
            let Some(mut list) = pages else { continue };
            let read =
                list.each_row(
                    |row, positions| {
                        if segment.is_gone(row) { Some(()) } else { take(row, positions) }
                    },
                )?;
            if read.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn weight(&self, field: usize) -> f32 {
        // FTS5 counts fields that no weight is given for once.
        self.weights.get(field).copied().unwrap_or(1.0)
    }
}

/// The number of rows of a table and of all words in them.
pub(super) fn totals(transaction: &Transaction<'_>, table: &str) -> Result<(u64, u64), Trouble> {
    // FTS5 calls it the averages record: the rows, then the words of each column.
    let sql = format!("SELECT block FROM {table}_data WHERE id = 1");
    let block: Vec<u8> = rows::one(transaction, &sql, [], |row| row.get(0))?.unwrap_or_default();
    let numbers = varints(&block);
    let (rows, words) = numbers.split_first().map_or((0, &[][..]), |(rows, words)| (*rows, words));
    Ok((rows, words.iter().sum()))
}

/// How many words a row has on the average.
pub(super) fn average(rows: u64, words: u64) -> f64 {
    if rows == 0 { 0.0 } else { words as f64 / rows as f64 }
}

/// Whether FTS5's tokenizer leaves a word as it is: letters of the alphabet in lower case and
/// digits, with a mark for private use before them or not.
fn is_plain(word: &str) -> bool {
    let mut characters = word.chars();
    let is_letter = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit();
    let begins = characters.next().is_some_and(|it| {
        is_letter(it) || (matches!(it, '\u{E000}'..='\u{F8FF}') && word.len() > it.len_utf8())
    });
    begins && characters.all(is_letter)
}

/// One entry for each row, by row. Segments hardly ever overlap, so there is mostly nothing to do.
fn in_order(list: Vec<Posting>) -> Vec<Posting> {
    if list.is_sorted_by(|one, next| one.row < next.row) {
        return list;
    }
    let mut latest: HashMap<i64, Posting> = HashMap::with_capacity(list.len());
    latest.extend(list.into_iter().map(|posting| (posting.row, posting)));
    let mut list: Vec<Posting> = latest.into_values().collect();
    list.sort_unstable_by_key(|posting| posting.row);
    list
}

/// Integers of variable length as SQLite writes them: seven bits a byte, the highest first, the
/// ninth byte whole.
fn varints(bytes: &[u8]) -> Vec<u64> {
    let (mut numbers, mut at) = (Vec::new(), 0);
    while let Some(number) = varint(bytes, &mut at) {
        numbers.push(number);
    }
    numbers
}

/// The integer at `at`, which is moved behind it; `None` at the end.
fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    if first < 0x80 {
        *at += 1;
        return Some(u64::from(first));
    }
    let mut number = 0;
    for (place, byte) in bytes.get(*at..)?.iter().take(9).enumerate() {
        if place == 8 {
            *at += 9;
            return Some((number << 8) | u64::from(*byte));
        }
        number = (number << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            *at += place + 1;
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_variable_length_are_read() {
        assert_eq!(varints(&[0x05, 0x81, 0x00, 0x7f]), [5, 128, 127]);
        assert_eq!(varints(&[0xff; 9]), [u64::MAX]);
        assert_eq!(varints(&[0x80]), [0_u64; 0], "cut off");
    }

    #[test]
    fn only_words_that_the_tokenizer_leaves_alone_are_looked_for() {
        for word in ["delai", "e1042", "\u{E000}rembours", "7"] {
            assert!(is_plain(word), "{word}");
        }
        for word in ["", "Délai", "DELAI", "wi-fi", "\u{E000}", "½", "слово", "a b"] {
            assert!(!is_plain(word), "{word}");
        }
    }

    #[test]
    fn what_is_said_last_of_a_row_holds() {
        let posting = |row, reach| Posting { row, times: 1.0, reach };
        let list = in_order(vec![posting(1, 1), posting(9, 1), posting(4, 1), posting(9, 2)]);
        assert_eq!(list, [posting(1, 1), posting(4, 1), posting(9, 2)]);
    }
}
