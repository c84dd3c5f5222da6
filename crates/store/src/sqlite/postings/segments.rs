//! The segments of a full-text table: sorted lists that were written together.

use std::collections::HashSet;

use rusqlite::{Transaction, params};

use super::pages::List;
use super::varint;
use crate::sqlite::place::Trouble;
use crate::sqlite::rows;

/// The format that is understood here. Tables with the option `secure-delete` have another.
const FORMAT: u32 = 4;

/// Follows the four bytes of the configuration in the structure record of tables with
/// `contentless_delete`.
const SECOND_VERSION: [u8; 4] = [0xff, 0x00, 0x00, 0x01];

/// Numbers of records in the table of data: a segment's number in the upper bits, its page in the
/// lower 37. Those of rows that were taken away stand under a number 2^16 greater.
const PAGE_BITS: u32 = 37;
const GONE_SEGMENTS: u64 = 1 << 16;

/// A segment.
pub(super) struct Segment {
    described: Described,
    /// The rows that were taken away since it was written, in order.
    gone: Vec<i64>,
}

/// What tells a segment from all that were there before or come later. Numbers are given again,
/// origins, which count the writes that a segment holds, only after all later ones went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::sqlite) struct SegmentKey {
    number: u64,
    last_page: u64,
    origins: (u64, u64),
}

/// The segments of a table, the oldest first; `None` for a table that is not understood.
pub(super) fn read(
    transaction: &Transaction<'_>,
    table: &str,
) -> Result<Option<Vec<Segment>>, Trouble> {
    let Some(described) = structure(transaction, table)? else { return Ok(None) };
    let mut segments = Vec::with_capacity(described.len());
    // Newest first: within a level the later ones are newer, and lower levels are.
    for described in described {
        let mut gone = Vec::new();
        for page in 0..described.gone_pages {
            let record = record(described.number + GONE_SEGMENTS, page);
            let Some(page) = block(transaction, table, record)? else { return Ok(None) };
            add_gone(&page, &mut gone);
        }
        gone.sort_unstable();
        segments.push(Segment { described, gone });
    }
    segments.reverse();
    Ok(Some(segments))
}

/// The keys of a table's segments; `None` for a table that is not understood.
pub(in crate::sqlite) fn segment_keys(
    transaction: &Transaction<'_>,
    table: &str,
) -> Result<Option<HashSet<SegmentKey>>, Trouble> {
    let described = structure(transaction, table)?;
    Ok(described.map(|described| described.iter().map(Described::key).collect()))
}

/// The segments that a table consists of, the newest first; `None` for a table that is not
/// understood.
fn structure(
    transaction: &Transaction<'_>,
    table: &str,
) -> Result<Option<Vec<Described>>, Trouble> {
    let sql = format!("SELECT v FROM {table}_config WHERE k = 'version'");
    let format: Option<u32> = rows::one(transaction, &sql, [], |row| row.get(0))?;
    if format != Some(FORMAT) {
        return Ok(None);
    }
    Ok(block(transaction, table, 10)?.and_then(|structure| described(&structure)))
}

impl Segment {
    /// What tells it from others.
    pub(super) fn key(&self) -> SegmentKey {
        self.described.key()
    }

    /// The rows that were taken away.
    pub(super) fn gone(&self) -> Gone<'_> {
        Gone { rest: &self.gone }
    }

    /// The list of a term, if it has one; the outer `None` when something is not as expected.
    pub(super) fn seek<'t>(
        &self,
        transaction: &'t Transaction<'t>,
        table: &str,
        term: &[u8],
    ) -> Result<Option<Option<List<'t>>>, Trouble> {
        let Described { number, first_page, last_page, .. } = self.described;
        let sql = format!(
            "SELECT pgno FROM {table}_idx WHERE segid = ?1 AND term <= ?2
             ORDER BY term DESC LIMIT 1"
        );
        let parameters = params![number.cast_signed(), term];
        let found: Option<i64> = rows::one(transaction, &sql, parameters, |row| row.get(0))?;
        // The lowest bit says something else.
        let page = found.map_or(first_page, |page| page.cast_unsigned() >> 1);
        let page = page.max(first_page);
        List::find(transaction, table, (number, page, last_page), term)
    }
}

/// Rows that were taken away, looked up in order.
pub(super) struct Gone<'s> {
    rest: &'s [i64],
}

impl Gone<'_> {
    /// Whether a row was taken away; rows are asked for in order.
    #[inline]
    pub(super) fn has(&mut self, row: i64) -> bool {
        while let Some((first, later)) = self.rest.split_first()
            && *first <= row
        {
            if *first == row {
                return true;
            }
            self.rest = later;
        }
        false
    }
}

/// The number of the record with a page of a segment.
pub(super) fn record(segment: u64, page: u64) -> u64 {
    (segment << PAGE_BITS) + page
}

/// A record of the table of data.
pub(super) fn block(
    transaction: &Transaction<'_>,
    table: &str,
    record: u64,
) -> Result<Option<Vec<u8>>, Trouble> {
    let sql = format!("SELECT block FROM {table}_data WHERE id = ?1");
    rows::one(transaction, &sql, [record.cast_signed()], |row| row.get(0))
}

/// What the structure record says of a segment.
#[derive(Debug, PartialEq)]
struct Described {
    number: u64,
    first_page: u64,
    last_page: u64,
    origins: (u64, u64),
    gone_pages: u64,
}

impl Described {
    fn key(&self) -> SegmentKey {
        let Self { number, last_page, origins, .. } = *self;
        SegmentKey { number, last_page, origins }
    }
}

/// The segments that the structure record describes, the newest first.
fn described(structure: &[u8]) -> Option<Vec<Described>> {
    if structure.get(4..8)? != SECOND_VERSION {
        return None;
    }
    let mut at = 8;
    let mut next = || varint(structure, &mut at);
    let (levels, count, _writes) = (next()?, next()?, next()?);
    let mut segments = Vec::new();
    for _ in 0..levels {
        let (_being_merged, in_level) = (next()?, next()?);
        let mut level = Vec::new();
        for _ in 0..in_level {
            let (number, first_page, last_page) = (next()?, next()?, next()?);
            let (origins, gone_pages) = ((next()?, next()?), next()?);
            let (_gone, _entries) = (next()?, next()?);
            level.push(Described { number, first_page, last_page, origins, gone_pages });
        }
        level.reverse();
        segments.append(&mut level);
    }
    (segments.len() as u64 == count).then_some(segments)
}

/// Adds the rows of a page of rows that were taken away: a table of numbers of four or eight
/// bytes behind eight bytes of header, in which 0 is an empty place.
fn add_gone(page: &[u8], gone: &mut Vec<i64>) {
    let size = if page.first() == Some(&4) { 4 } else { 8 };
    if page.get(1).is_some_and(|has_row_0| *has_row_0 != 0) {
        gone.push(0);
    }
    let numbers = page.get(8..).unwrap_or_default().chunks_exact(size);
    let numbers = numbers
        .map(|bytes| bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)));
    gone.extend(numbers.filter(|number| *number != 0).map(u64::cast_signed));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_lists_the_newest_segment_first() {
        let structure = [
            &[0, 0, 0, 1][..],
            &SECOND_VERSION,
            &[2, 3, 9],
            &[0, 2, 5, 1, 4, 7, 7, 0, 0, 9, 6, 1, 1, 8, 8, 1, 3, 9],
            &[0, 1, 2, 3, 9, 1, 6, 0, 0, 9],
        ]
        .concat();
        let segments = described(&structure).unwrap();
        let numbers: Vec<u64> = segments.iter().map(|segment| segment.number).collect();
        assert_eq!(numbers, [6, 5, 2]);
        assert_eq!(segments[0].gone_pages, 1);
        assert_eq!((segments[2].first_page, segments[2].last_page), (3, 9));
        assert_eq!(described(&structure[..structure.len() - 1]), None, "cut off");
        assert_eq!(described(&[0, 0, 0, 1, 1, 1, 0]), None, "the first version");
    }

    #[test]
    fn rows_that_were_taken_away_are_read_in_both_sizes() {
        let mut gone = Vec::new();
        add_gone(&[4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2], &mut gone);
        add_gone(&[8, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0], &mut gone);
        assert_eq!(gone, [258, 0, 1 << 56]);
        gone.sort_unstable();
        let mut gone = Gone { rest: &gone };
        let has: Vec<bool> = [0, 1, 258, 259].into_iter().map(|row| gone.has(row)).collect();
        assert_eq!(has, [true, false, true, false]);
    }
}
