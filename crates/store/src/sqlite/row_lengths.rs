//! How many words the rows of a full-text table have, in memory.
//!
//! Ranking by words needs the length of every row that could be among the best, and looking one up
//! takes longer than everything else that is done with the row. So they are read once, in a few
//! milliseconds for 100,000 rows, and kept. FTS5 writes segments and never changes them: a row that
//! is listed in a segment that was there when the lengths were read, and that is not noted as taken
//! away, still has the length it had then. What stands in later segments is looked up one by one;
//! when that becomes too much, the lengths are read anew, in the background.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Connection, Transaction};

use super::derived::{Derived, Shelf, TableKey};
use super::generations::Generation;
use super::place::Trouble;
use super::postings::{SegmentKey, Sizes, segment_keys};
use super::text_tables;

/// How many lengths stand together.
const BLOCK: usize = 1_024;

/// How many blocks all tables together may have: 64 MB.
const MAX_BLOCKS: usize = 16_384;

/// From so many lengths that one search had to look up they are read anew.
const RENEW_FROM: usize = 64;

/// The lengths of the rows of one table.
pub(super) struct Lengths {
    /// The segments that were there. Where a row stands in one of them, its length is known.
    segments: HashSet<SegmentKey>,
    /// By row; 0 where there was none. Rows of a table are about one behind the other.
    blocks: HashMap<i64, Box<[u32; BLOCK]>>,
}

impl Lengths {
    /// Reads them, if the table is of a format known here; `None` too when the store is closing.
    pub(super) fn read(
        transaction: &Transaction<'_>,
        table: &str,
        is_closing: &AtomicBool,
    ) -> Result<Option<Self>, Trouble> {
        let Some(segments) = segment_keys(transaction, table)? else { return Ok(None) };
        let mut lengths = Self { segments, blocks: HashMap::new() };
        let is_whole = lengths.read_rows(transaction, table, is_closing)?;
        Ok(is_whole.then_some(lengths))
    }

    fn read_rows(
        &mut self,
        transaction: &Connection,
        table: &str,
        is_closing: &AtomicBool,
    ) -> Result<bool, Trouble> {
        let sql = format!("SELECT id, sz FROM {} ORDER BY id", text_tables::lengths(table));
        let mut statement = transaction.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (number, place) = position(row.get(0)?);
            if place == 0 && is_closing.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let words = Sizes(row.get_ref(1)?.as_blob().unwrap_or_default()).sum::<u64>();
            let block = self.blocks.entry(number).or_insert_with(|| Box::new([0; BLOCK]));
            if let Some(length) = block.get_mut(place) {
                *length = u32::try_from(words).unwrap_or(0);
            }
        }
        Ok(true)
    }

    /// Whether the lengths of all rows that stand in this segment are known.
    pub(super) fn knows(&self, segment: &SegmentKey) -> bool {
        self.segments.contains(segment)
    }

    /// Looks lengths up, rows in order.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { lengths: self, number: i64::MIN, block: None }
    }
}

impl Derived for Lengths {
    /// In blocks.
    fn weight(&self) -> usize {
        self.blocks.len()
    }
}

/// Where lengths are looked up.
pub(super) struct Cursor<'l> {
    lengths: &'l Lengths,
    number: i64,
    block: Option<&'l [u32; BLOCK]>,
}

impl Cursor<'_> {
    /// The length of a row; 0 where it is not known.
    #[inline]
    pub(super) fn length(&mut self, row: i64) -> u32 {
        let (number, place) = position(row);
        if number != self.number {
            self.number = number;
            self.block = self.lengths.blocks.get(&number).map(Box::as_ref);
        }
        self.block.and_then(|block| block.get(place)).copied().unwrap_or(0)
    }
}

/// The block of a row, and its place in it.
#[inline]
fn position(row: i64) -> (i64, usize) {
    let length = BLOCK as i64;
    (row.div_euclid(length), usize::try_from(row.rem_euclid(length)).unwrap_or(0))
}

/// The lengths of all tables of a store.
pub(super) struct RowLengths {
    shelf: Shelf<Lengths>,
}

impl RowLengths {
    /// None yet, of the tables of this database.
    pub(super) fn new(database: PathBuf) -> Self {
        Self { shelf: Shelf::new(database, MAX_BLOCKS) }
    }

    /// The lengths of the rows of a generation's words, as far as they were read.
    pub(super) fn of(&self, generation: &Generation) -> Option<Arc<Lengths>> {
        self.shelf.get(&key(generation))
    }

    /// Has them read anew where it is worth it, after a search that looked up so many lengths.
    pub(super) fn renew(&self, generation: &Generation, looked_up: usize) {
        if looked_up < RENEW_FROM {
            return;
        }
        let table = generation.text_table();
        self.shelf.make(key(generation), move |transaction, _, is_closing| {
            Lengths::read(transaction, &table, is_closing)
        });
    }
}

fn key(generation: &Generation) -> TableKey {
    TableKey::new(generation, generation.text_table())
}
