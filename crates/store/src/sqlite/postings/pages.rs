//! The pages of a segment: terms in order, each with its list of rows, which may go on over pages.

use rusqlite::Transaction;

use super::segments::{block, record};
use super::varint;
use crate::sqlite::place::Trouble;

/// Where the content of a page begins.
const HEADER: usize = 4;

/// The list of one term in one segment, while it is read.
pub(super) struct List<'t> {
    transaction: &'t Transaction<'t>,
    table: String,
    segment: u64,
    number: u64,
    last: u64,
    page: Page,
    at: usize,
    /// Where the list's part of this page ends.
    end: usize,
    /// Whether the next row is written as it is, and not as the difference from the one before.
    is_first_on_page: bool,
    row: i64,
    /// Places that go on over pages.
    joined: Vec<u8>,
}

/// A page: a header of two numbers, content, and where the terms begin.
struct Page {
    bytes: Vec<u8>,
    /// Where the footer begins.
    content_end: usize,
    /// Where the first row stands that belongs to a term of an earlier page; 0 for none.
    first_row: usize,
}

impl<'t> List<'t> {
    /// The list of `term`, which is on this page of the segment or nowhere in it; the outer `None`
    /// when something is not as expected.
    pub(super) fn find(
        transaction: &'t Transaction<'t>,
        table: &str,
        (segment, number, last): (u64, u64, u64),
        term: &[u8],
    ) -> Result<Option<Option<Self>>, Trouble> {
        let Some(page) = Page::load(transaction, table, segment, number)? else { return Ok(None) };
        let Some(found) = page.find(term) else { return Ok(None) };
        let list = found.map(|(at, end)| Self {
            transaction,
            table: table.to_owned(),
            segment,
            number,
            last,
            page,
            at,
            end,
            is_first_on_page: true,
            row: 0,
            joined: Vec::new(),
        });
        Ok(Some(list))
    }

    /// Hands over each row and the bytes of its places, in order. `None` when something is not as
    /// expected, or `take` says so.
    pub(super) fn each_row(
        &mut self,
        mut take: impl FnMut(i64, &[u8]) -> Option<()>,
    ) -> Result<Option<()>, Trouble> {
        loop {
            if self.at >= self.end {
                if !self.turn()? || self.page.first_row == 0 {
                    return Ok(Some(()));
                }
                self.at = self.page.first_row;
            }
            let Some(size) = self.read_row() else { return Ok(None) };
            let (is_deleted, length) = (size & 1 == 1, (size >> 1) as usize);
            let taken = if self.at + length <= self.end {
                let positions = self.page.bytes.get(self.at..self.at + length);
                self.at += length;
                positions.and_then(|it| if is_deleted { Some(()) } else { take(self.row, it) })
            } else if self.join(length)? {
                if is_deleted { Some(()) } else { take(self.row, &self.joined) }
            } else {
                None
            };
            if taken.is_none() {
                return Ok(None);
            }
        }
    }

    /// Reads a row's number and the size of its places, with a flag in the lowest bit.
    fn read_row(&mut self) -> Option<u64> {
        let bytes = self.page.bytes.get(..self.end)?;
        let number = varint(bytes, &mut self.at)?.cast_signed();
        self.row = if self.is_first_on_page { number } else { self.row.wrapping_add(number) };
        self.is_first_on_page = false;
        varint(bytes, &mut self.at)
    }

    /// Puts together places that go on over pages; says whether they are whole.
    fn join(&mut self, length: usize) -> Result<bool, Trouble> {
        self.joined.clear();
        loop {
            let missing = length - self.joined.len();
            let end = self.end.min(self.at + missing);
            self.joined.extend(self.page.bytes.get(self.at..end).unwrap_or_default());
            self.at = end;
            if self.joined.len() >= length {
                return Ok(true);
            }
            if !self.turn()? {
                return Ok(false);
            }
        }
    }

    /// Goes to the next page, if the list may go on there.
    fn turn(&mut self) -> Result<bool, Trouble> {
        // Another term follows on this page.
        if self.end < self.page.content_end || self.number >= self.last {
            return Ok(false);
        }
        self.number += 1;
        let page = Page::load(self.transaction, &self.table, self.segment, self.number)?;
        let Some(page) = page else { return Ok(false) };
        self.page = page;
        self.at = HEADER;
        self.end = self.page.first_term().unwrap_or(self.page.content_end);
        self.is_first_on_page = true;
        Ok(true)
    }
}

impl Page {
    fn load(
        transaction: &Transaction<'_>,
        table: &str,
        segment: u64,
        number: u64,
    ) -> Result<Option<Self>, Trouble> {
        Ok(block(transaction, table, record(segment, number))?.and_then(Self::new))
    }

    fn new(bytes: Vec<u8>) -> Option<Self> {
        let number = |at: usize| {
            Some(usize::from(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])))
        };
        let (first_row, content_end) = (number(0)?, number(2)?);
        let is_sound = content_end >= HEADER && content_end <= bytes.len();
        is_sound.then_some(Self { bytes, content_end, first_row })
    }

    /// Where the first term stands.
    fn first_term(&self) -> Option<usize> {
        let mut at = self.content_end;
        let place = usize::try_from(varint(&self.bytes, &mut at)?).ok()?;
        (place <= self.content_end).then_some(place)
    }

    /// From where to where the list of a term lies on this page, if it has the term; the outer
    /// `None` when something is not as expected.
    fn find(&self, term: &[u8]) -> Option<Option<(usize, usize)>> {
        let content = self.bytes.get(..self.content_end)?;
        let mut footer = self.content_end;
        let mut begin = 0;
        let mut current: Vec<u8> = Vec::new();
        let mut is_first = true;
        while let Some(step) = varint(&self.bytes, &mut footer) {
            begin += usize::try_from(step).ok()?;
            let mut at = begin;
            let kept =
                if is_first { 0 } else { usize::try_from(varint(content, &mut at)?).ok()? };
            is_first = false;
            let new = usize::try_from(varint(content, &mut at)?).ok()?;
            current.truncate(kept);
            current.extend(content.get(at..at + new)?);
            at += new;
            if current.as_slice() == term {
                let next = varint(&self.bytes, &mut footer)
                    .map_or(Some(self.content_end), |step| {
                        Some(begin + usize::try_from(step).ok()?)
                    })?;
                return Some(Some((at, next.min(self.content_end))));
            }
            if current.as_slice() > term {
                break;
            }
        }
        Some(None)
    }
}

/// Hands over the places of a word in a row, as field and number of the word in the field.
pub(super) fn each_position(bytes: &[u8], mut take: impl FnMut(usize, u32)) -> Option<()> {
    let (mut at, mut field, mut place) = (0, 0, 0_u32);
    while at < bytes.len() {
        let number = varint(bytes, &mut at)?;
        if number == 1 {
            field = usize::try_from(varint(bytes, &mut at)?).ok()?;
            place = 0;
        } else {
            place = place.checked_add(u32::try_from(number.checked_sub(2)?).ok()?)?;
            take(field, place);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_differences_within_a_field() {
        let mut places = Vec::new();
        each_position(&[2, 5, 1, 2, 2, 0x81, 0x02], |field, place| places.push((field, place)));
        assert_eq!(places, [(0, 0), (0, 3), (2, 0), (2, 128)]);
        assert_eq!(each_position(&[0], |_, _| ()), None, "no difference is written so");
    }

    #[test]
    fn a_term_is_found_between_its_neighbours() {
        // `0a` with a list of two bytes, `0ab` with one of three, whose end is that of the page.
        let content = [&[2, b'0', b'a', 9, 8][..], &[2, 1, b'b', 7, 6, 5]].concat();
        let end = u8::try_from(4 + content.len()).unwrap();
        let page = Page::new([&[0, 0, 0, end][..], &content, &[4, 5]].concat()).unwrap();
        assert_eq!(page.find(b"0a"), Some(Some((7, 9))));
        assert_eq!(page.find(b"0ab"), Some(Some((12, 15))));
        assert_eq!(page.find(b"0aa"), Some(None));
        assert_eq!(page.find(b"0b"), Some(None));
    }
}
