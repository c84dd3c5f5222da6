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

/// A row whose places go on over pages.
struct Split {
    length: usize,
    is_deleted: bool,
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

    /// Hands over each row and its places, in order. `None` when something is not as
    /// expected, or `take` says so.
    pub(super) fn each_row(
        &mut self,
        mut take: impl FnMut(i64, Places<'_>) -> Option<()>,
    ) -> Result<Option<()>, Trouble> {
        loop {
            let Some(split) = self.rows_of_page(&mut take) else { return Ok(None) };
            if let Some(Split { length, is_deleted }) = split {
                if !self.join(length)? {
                    return Ok(None);
                }
                let places = Places::of(&self.joined, length);
                if !is_deleted && places.and_then(|places| take(self.row, places)).is_none() {
                    return Ok(None);
                }
            } else {
                if !self.turn()? || self.page.first_row == 0 {
                    return Ok(Some(()));
                }
                self.at = self.page.first_row;
            }
        }
    }

    /// Hands over the rows whose places end on this page, and says what is next: the row whose
    /// places go on over pages, or nothing.
    #[inline(always)]
    fn rows_of_page(
        &mut self,
        take: &mut impl FnMut(i64, Places<'_>) -> Option<()>,
    ) -> Option<Option<Split>> {
        let bytes = self.page.bytes.get(..self.end)?;
        // What is written is the difference from the row before, but for the first on a page.
        let before = if self.is_first_on_page { 0 } else { self.row };
        let (mut at, mut row) = (self.at, before);
        self.is_first_on_page &= at >= bytes.len();
        while at < bytes.len() {
            row = row.wrapping_add(varint(bytes, &mut at)?.cast_signed());
            let size = varint(bytes, &mut at)?;
            // The lowest bit tells that the row was taken away.
            let (is_deleted, length) = (size & 1 == 1, usize::try_from(size >> 1).ok()?);
            let Some(places) = Places::of(bytes.get(at..)?, length) else {
                (self.at, self.row) = (at, row);
                return Some(Some(Split { length, is_deleted }));
            };
            at += length;
            if !is_deleted {
                take(row, places)?;
            }
        }
        (self.at, self.row) = (at, row);
        Some(None)
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

/// The places of a word in a row, as they are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places<'p> {
    /// The places, and whatever follows them on the page.
    bytes: &'p [u8],
    length: usize,
}

/// A bit for each byte of eight, and the highest bit of each.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;

impl<'p> Places<'p> {
    /// The first `length` of these bytes.
    fn of(bytes: &'p [u8], length: usize) -> Option<Self> {
        (length <= bytes.len()).then_some(Self { bytes, length })
    }

    /// Hands over each, as field and number of the word in the field.
    pub(super) fn each(self, mut take: impl FnMut(usize, u32)) -> Option<()> {
        let bytes = self.bytes.get(..self.length)?;
        let (mut at, mut field, mut place) = (0, 0, 0_u32);
        while at < bytes.len() {
            let number = varint(bytes, &mut at)?;
            if number == u64::from(MARK) {
                field = usize::try_from(varint(bytes, &mut at)?).ok()?;
                place = 0;
            } else {
                place = place.checked_add(u32::try_from(number.checked_sub(2)?).ok()?)?;
                take(field, place);
            }
        }
        Some(())
    }

    /// How many there are, where they all lie in one field; `None` where they have to be looked at
    /// one by one. Eight bytes at a time: this is where a search by words spends its time.
    #[inline(always)]
    pub(super) fn count_in_one_field(self) -> Option<u32> {
        // Of each number the last byte is less than 128. A 1 begins the places of another field than
        // the first, if it is not the end of a longer number.
        let (mut marks, mut ends, mut at) = (0, 0, 0);
        while at < self.length {
            let word = u64::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?);
            let left = self.length - at;
            let here = if left < 8 { HIGHEST_BITS >> (64 - 8 * left) } else { HIGHEST_BITS };
            ends += count(!word & here);
            // A byte that is a mark becomes 0, and only 0 has no bit to carry into the highest.
            let others = word ^ (EACH_BYTE * u64::from(MARK));
            let others = ((others & !HIGHEST_BITS) + !HIGHEST_BITS) | others;
            marks += count(!others & here);
            at += 8;
        }
        match marks {
            0 => Some(ends),
            1 if self.bytes.first() == Some(&MARK) => ends.checked_sub(2),
            _ => None,
        }
    }
}

/// Begins the places of another field than the first; the field's number follows.
const MARK: u8 = 1;

/// How many of the highest bits are set; no others are.
fn count(bits: u64) -> u32 {
    ((bits >> 7).wrapping_mul(EACH_BYTE) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_are_differences_within_a_field() {
        let mut places = Vec::new();
        let bytes = [2, 5, 1, 2, 2, 0x81, 0x02, 9];
        Places::of(&bytes, 7).unwrap().each(|field, place| places.push((field, place)));
        assert_eq!(places, [(0, 0), (0, 3), (2, 0), (2, 128)]);
        let sound = Places::of(&[0], 1).unwrap().each(|_, _| ());
        assert_eq!(sound, None, "no difference is written so");
        assert!(Places::of(&[2], 2).is_none());
    }

    proptest! {
        #[test]
        fn places_in_one_field_are_counted_as_if_one_by_one(
            fields in prop::collection::vec(prop::collection::vec(2..400_u32, 0..14), 1..4),
            followed_by in prop::collection::vec(0..=255_u8, 8..20),
        ) {
            let mut bytes = Vec::new();
            for (field, places) in (0..).zip(&fields) {
                if field > 0 && !places.is_empty() {
                    bytes.extend([MARK, field]);
                }
                for place in places {
                    if *place > 127 {
                        bytes.push(0x80 | u8::try_from(place >> 7).unwrap());
                    }
                    bytes.push(u8::try_from(place & 0x7f).unwrap());
                }
            }
            let length = bytes.len();
            bytes.extend(followed_by);
            let places = Places::of(&bytes, length).unwrap();
            let mut counted = 0;
            places.each(|_, _| counted += 1).unwrap();
            prop_assert_eq!(counted as usize, fields.concat().len());
            let at_once = places.count_in_one_field();
            prop_assert!(at_once.is_none_or(|it| it == counted), "{:?}", at_once);
            let is_in_one = fields.iter().filter(|places| !places.is_empty()).count() <= 1;
            let has_ones = bytes[1.min(length)..length].contains(&MARK);
            prop_assert!(!is_in_one || has_ones || at_once.is_some());
        }
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
