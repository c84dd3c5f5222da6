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

use std::cell::Cell;
use std::collections::HashMap;

use rusqlite::Transaction;

use self::pages::Places;
use self::segments::Segment;
pub(super) use self::segments::{SegmentKey, segment_keys};
use super::place::Trouble;
use super::row_lengths::Lengths;
use super::{rows, text_tables};
use crate::traits::LexicalWeights;

/// A row that has a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posting {
    /// The row's number.
    pub(super) row: i64,
    /// How often the word stands in it, each time by the weight of its field.
    pub(super) times: f32,
    /// How long the row is.
    pub(super) length: Length,
}

/// What is known of how many words a row has. In one number, since there are hundreds of thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length(u32);

impl Length {
    /// Set where the number is exact.
    const IS_EXACT: u32 = 1 << 31;

    /// So many.
    pub(super) fn exactly(words: u32) -> Self {
        Self(words | Self::IS_EXACT)
    }

    /// So many at least, since a word stands there.
    pub(super) fn at_least(words: u32) -> Self {
        Self(words & !Self::IS_EXACT)
    }

    /// At least so many.
    pub(super) fn least(self) -> u32 {
        self.0 & !Self::IS_EXACT
    }

    /// Whether it has exactly so many.
    pub(super) fn is_exact(self) -> bool {
        self.0 & Self::IS_EXACT != 0
    }
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
    /// The lengths that are known, if any were read.
    lengths: Option<&'t Lengths>,
    /// How many were looked up one by one.
    looked_up: Cell<usize>,
}

impl<'t> Postings<'t> {
    /// The lists of a table, if it is of a format known here.
    pub(super) fn open(
        transaction: &'t Transaction<'t>,
        table: &str,
        weights: LexicalWeights,
        lengths: Option<&'t Lengths>,
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
        let (table, looked_up) = (table.to_owned(), Cell::new(0));
        Ok(Some(Self { transaction, table, segments, weights, rows, words, lengths, looked_up }))
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

    /// How many words a row has, all fields together, by looking it up; `None` for one that is not
    /// there.
    pub(super) fn length(&self, row: i64) -> Result<Option<f64>, Trouble> {
        self.looked_up.set(self.looked_up.get() + 1);
        let sql = format!("SELECT sz FROM {} WHERE id = ?1", text_tables::lengths(&self.table));
        let sizes = rows::one(self.transaction, &sql, [row], |row| {
            Ok(row.get_ref(0)?.as_blob().map(|sizes| Sizes(sizes).sum::<u64>()).ok())
        })?;
        Ok(sizes.flatten().map(|words| words as f64))
    }

    /// How many lengths were looked up.
    pub(super) fn looked_up(&self) -> usize {
        self.looked_up.get()
    }

    fn list_of(&self, word: &str) -> Result<Option<Vec<Posting>>, Trouble> {
        let mut list: Vec<Posting> = Vec::new();
        // Then a word counts as often as it stands there, wherever that is.
        let is_even = self.weights == [1.0; 3];
        let (mut last, mut is_in_order) = (i64::MIN, true);
        for segment in &self.segments {
            let known = self.lengths.filter(|lengths| lengths.knows(&segment.key()));
            let mut known = known.map(Lengths::cursor);
            let read = self.each_row_of(
                segment,
                word,
                // Not a call for each of hundreds of thousands of rows.
                #[inline(always)]
                |row, places| {
                    let length = known.as_mut().map_or(0, |known| known.length(row));
                    let count =
                        if is_even && length > 0 { places.count_in_one_field() } else { None };
                    let posting = match count {
                        Some(count) => {
                            #[expect(clippy::cast_precision_loss, reason = "how often")]
                            let times = count as f32;
                            Posting { row, times, length: Length::exactly(length) }
                        }
                        None => self.posting(row, places, length)?,
                    };
                    is_in_order &= row > last;
                    last = row;
                    list.push(posting);
                    Some(())
                },
            )?;
            if read.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(if is_in_order { list } else { in_order(list) }))
    }

    /// A posting by looking at each place. `length` is that of the row, or 0.
    #[inline(never)]
    fn posting(&self, row: i64, places: Places<'_>, length: u32) -> Option<Posting> {
        let (mut times, mut reach) = (0.0, 0);
        places.each(|field, place| {
            times += self.weight(field);
            reach = reach.max(place + 1);
        })?;
        let length = if length > 0 { Length::exactly(length) } else { Length::at_least(reach) };
        Some(Posting { row, times, length })
    }

    /// Hands over every row that has the word, with its places as they are stored; of each segment
    /// in order, the oldest segment first. `None` when something is not as expected.
    fn each_row(
        &self,
        word: &str,
        mut take: impl FnMut(i64, Places<'_>) -> Option<()>,
    ) -> Result<Option<()>, Trouble> {
        for segment in &self.segments {
            if self.each_row_of(segment, word, &mut take)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// The same of one segment.
    fn each_row_of(
        &self,
        segment: &Segment,
        word: &str,
        mut take: impl FnMut(i64, Places<'_>) -> Option<()>,
    ) -> Result<Option<()>, Trouble> {
        let term = [b"0", word.as_bytes()].concat();
        let Some(list) = segment.seek(self.transaction, &self.table, &term)? else {
            return Ok(None);
        };
        let Some(mut list) = list else { return Ok(Some(())) };
        let mut gone = segment.gone();
        list.each_row(
            #[inline(always)]
            |row, places| if gone.has(row) { Some(()) } else { take(row, places) },
        )
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
    let numbers: Vec<u64> = Sizes(&block).collect();
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
    let mut latest: HashMap<i64, Posting> = HashMap::with_capacity(list.len());
    latest.extend(list.into_iter().map(|posting| (posting.row, posting)));
    let mut list: Vec<Posting> = latest.into_values().collect();
    list.sort_unstable_by_key(|posting| posting.row);
    list
}

/// Integers of variable length as SQLite writes them, up to the first that is cut off.
pub(super) struct Sizes<'b>(pub(super) &'b [u8]);

impl Iterator for Sizes<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut at = 0;
        let number = varint(self.0, &mut at)?;
        self.0 = self.0.get(at..)?;
        Some(number)
    }
}

/// The integer of variable length at `at`, which is moved behind it; `None` at the end. Seven bits a
/// byte, the highest first, the ninth byte whole.
#[inline]
fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    if first < 0x80 {
        *at += 1;
        return Some(u64::from(first));
    }
    let second = *bytes.get(*at + 1)?;
    if second < 0x80 {
        *at += 2;
        return Some((u64::from(first & 0x7f) << 7) | u64::from(second));
    }
    long_varint(bytes, at)
}

fn long_varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
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
        let numbers = |bytes: &[u8]| Sizes(bytes).collect::<Vec<_>>();
        assert_eq!(numbers(&[0x05, 0x81, 0x00, 0x7f]), [5, 128, 127]);
        assert_eq!(numbers(&[0x81, 0x80, 0x01, 0xff, 0x7f]), [16_385, 16_383]);
        assert_eq!(numbers(&[0xff; 9]), [u64::MAX]);
        assert_eq!(numbers(&[0x80]), [0_u64; 0], "cut off");
        assert_eq!(numbers(&[0x80, 0x80]), [0_u64; 0], "cut off");
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
        let posting = |row, words| Posting { row, times: 1.0, length: Length::at_least(words) };
        let list = in_order(vec![posting(1, 1), posting(9, 1), posting(4, 1), posting(9, 2)]);
        assert_eq!(list, [posting(1, 1), posting(4, 1), posting(9, 2)]);
    }
}
