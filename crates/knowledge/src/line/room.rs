//! How much may be open at once, in characters: an open document holds its text, and in the end a
//! vector for every four hundred characters of it.
//!
//! Large and small documents have room of their own, so that a small one always finds some,
//! whatever large ones are open. The room for large ones belongs to all jobs that feed a model; one
//! document is let into each job whatever its size, because it has to be indexed some time.

use crate::windows::WINDOW_SIZE;

/// How many characters of large documents are open at once, about: 25,000 windows, of which the
/// vectors of 384 numbers take 40 MB.
pub(super) const LARGE_ROOM: u64 = 10_000_000;

/// What a small document has at most, in characters: some four batches of windows.
const SMALL_DOCUMENT: u32 = 64 * WINDOW_SIZE as u32;

/// How many characters of small documents a job has open at once, about: enough that no batch
/// waits for the next one to be opened.
const SMALL_ROOM: u64 = 2 * SMALL_DOCUMENT as u64;

/// What an open document takes, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size(u32);

impl Size {
    /// That of a document of so many characters; the shortest takes a window too.
    pub(super) fn of(characters: u32) -> Self {
        Self(characters.max(WINDOW_SIZE as u32))
    }

    pub(super) fn is_small(self) -> bool {
        self.0 <= SMALL_DOCUMENT
    }
}

/// Whether a small document may come beside what its job has open.
pub(super) fn has_room_for_small(mine: impl Iterator<Item = Size>) -> bool {
    total(mine.filter(|size| size.is_small())) < SMALL_ROOM
}

/// Whether a large document may come beside what its job has open, and everyone.
pub(super) fn has_room_for_large(
    size: Size,
    mut mine: impl Iterator<Item = Size>,
    everyones: impl Iterator<Item = Size>,
    room: u64,
) -> bool {
    let taken = total(everyones.filter(|size| !size.is_small()));
    taken + u64::from(size.0) <= room || mine.all(Size::is_small)
}

fn total(sizes: impl Iterator<Item = Size>) -> u64 {
    sizes.map(|size| u64::from(size.0)).sum()
}
