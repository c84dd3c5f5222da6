//! Room that is kept back for a full disk: `<data>/ancre.reserve`.
//!
//! Deleting writes before it frees: each change goes through the log first. On a disk without a
//! byte left nothing could be deleted to make room, no job could be put off or cancelled, and the
//! database could not even be opened, since SQLite makes a file of 32 KiB beside it. So a file of
//! [`BYTES`] is kept that holds nothing of worth. It is given up for such acts alone, and made
//! again from the room that they leave. Whatever goes wrong with it is nobody's error: it is a
//! help, not a condition.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

/// How large the reserve is. One step of a deletion takes some 4.4 MiB of log (see
/// `docs/PERFORMANCE.md`), and opening the database 32 KiB; the rest is for what the log holds
/// that cannot be copied into the database before there is room.
pub(super) const BYTES: u64 = 8 * 1024 * 1024;

/// How much is written at once.
const BLOCK: usize = 64 * 1024;

/// The reserve of a data folder.
#[derive(Debug)]
pub(super) struct Reserve {
    path: PathBuf,
}

impl Reserve {
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Makes the reserve whole, or leaves it as it is where there is no room for all of it: the
    /// last room of a disk is not ours to take.
    pub(super) fn keep_whole(&self) {
        let before = self.bytes();
        if before < BYTES && self.fill().is_err() {
            let _ = self.cut(before);
        }
    }

    /// Takes back what there is of the room that was given up.
    pub(super) fn take_back(&self) {
        // As much as fits is what is wanted.
        let _ = self.fill();
    }

    /// Gives its room to whoever writes next.
    pub(super) fn give_up(&self) {
        let _ = self.cut(0);
    }

    /// How large it is now.
    pub(super) fn bytes(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |file| file.len())
    }

    fn cut(&self, bytes: u64) -> io::Result<()> {
        File::options().write(true).open(&self.path)?.set_len(bytes)
    }

    /// Writes blocks behind what there is: a length alone would take no room.
    fn fill(&self) -> io::Result<()> {
        let options = File::options().create(true).truncate(false).write(true).clone();
        let mut file = options.open(&self.path)?;
        let mut length = file.seek(SeekFrom::End(0))?;
        let block = noise();
        while length < BYTES {
            let wanted = usize::try_from(BYTES - length).unwrap_or(BLOCK).min(BLOCK);
            match file.write(&block[..wanted]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => length += written as u64,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Bytes that a file system cannot pack into less than they are: those of a xorshift generator
/// (Marsaglia, 2003).
fn noise() -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut numbers = std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    });
    let mut block = Vec::with_capacity(BLOCK);
    while block.len() < BLOCK {
        block.extend_from_slice(&numbers.next().unwrap_or_default().to_le_bytes());
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_is_made_given_up_and_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let reserve = Reserve::at(folder.path().join("ancre.reserve"));
        assert_eq!(reserve.bytes(), 0);
        reserve.keep_whole();
        assert_eq!(reserve.bytes(), BYTES);
        reserve.give_up();
        assert_eq!(reserve.bytes(), 0);
        reserve.take_back();
        reserve.keep_whole();
        assert_eq!(reserve.bytes(), BYTES);
    }

    #[cfg(unix)]
    #[test]
    fn a_reserve_takes_the_room_that_it_says() {
        use std::os::unix::fs::MetadataExt as _;
        let folder = tempfile::tempdir().unwrap();
        let reserve = Reserve::at(folder.path().join("ancre.reserve"));
        reserve.keep_whole();
        let file = File::open(&reserve.path).unwrap();
        file.sync_all().unwrap();
        assert!(file.metadata().unwrap().blocks() * 512 >= BYTES, "a length alone holds nothing");
    }
}
