//! One window per data folder, and the way to call it back.
//!
//! The program that has the window holds the operating system's lock on `<data>/window.lock`; one
//! that is started beside it lays `<data>/window.call` before the door and waits until the first
//! takes it away, which is the answer, and ends. There is no socket, no bus and no port, so it
//! works alike on every system, with any length of path, and two data folders know nothing of each
//! other. The lock ends with its process, however that ends. It is not the lock of the data
//! (`ancre.lock`): a command in a terminal may hold that one and has no window to show.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a caller waits: longer than a program takes to give its jobs back and end, so that one
/// which is just ending is followed by the new one.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How often a caller looks whether it was heard.
const PAUSE: Duration = Duration::from_millis(25);

/// What a program that starts finds.
#[derive(Debug)]
pub enum Door {
    /// Nobody had a window here; now this one has.
    Ours(Doorbell),
    /// The window that was there shows itself; nothing is left to do.
    Answered,
    /// There is a window that does not answer, or the folder cannot be written to. This program
    /// may open a window all the same, but cannot be called back.
    Silent,
}

/// The right to be the window of a data folder, for as long as it lives.
#[derive(Debug)]
pub struct Doorbell {
    call: PathBuf,
    // Held, not read: dropping it drops the lock.
    _lock: File,
}

impl Doorbell {
    /// Whether somebody called since the last look; who did is answered by this.
    pub fn is_rung(&self) -> bool {
        fs::remove_file(&self.call).is_ok()
    }
}

/// Becomes the window of a data folder, or calls the one that is there and waits at most
/// `patience` for it. The folder is made if it is not there.
pub fn knock(folder: &Path, patience: Duration) -> Door {
    try_knock(folder, patience).unwrap_or_else(|error| {
        tracing::warn!(%error, "whether there is a window already cannot be told");
        Door::Silent
    })
}

fn try_knock(folder: &Path, patience: Duration) -> io::Result<Door> {
    fs::create_dir_all(folder)?;
    let call = folder.join("window.call");
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join("window.lock"))?;
    let deadline = Instant::now() + patience;
    let mut has_rung = false;
    loop {
        match lock.try_lock() {
            Ok(()) => {
                // Left by a caller that nobody heard.
                let _ = fs::remove_file(&call);
                return Ok(Door::Ours(Doorbell { call, _lock: lock }));
            }
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if !has_rung {
            fs::write(&call, "")?;
            has_rung = true;
        } else if !call.try_exists()? {
            return Ok(Door::Answered);
        }
        if Instant::now() >= deadline {
            let _ = fs::remove_file(&call);
            return Ok(Door::Silent);
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(folder: &Path) -> Doorbell {
        match knock(folder, Duration::ZERO) {
            Door::Ours(bell) => bell,
            other => panic!("nobody is there, and yet {other:?}"),
        }
    }

    #[test]
    fn a_second_start_calls_the_first_window_and_ends() {
        let folder = tempfile::tempdir().unwrap();
        let bell = ours(folder.path());
        assert!(!bell.is_rung(), "nobody has called yet");
        std::thread::scope(|scope| {
            let second = scope.spawn(|| knock(folder.path(), PATIENCE));
            while !bell.is_rung() {
                std::thread::sleep(PAUSE);
            }
            assert!(matches!(second.join().unwrap(), Door::Answered));
        });
        assert!(!bell.is_rung(), "one call is answered once");
    }

    #[test]
    fn windows_of_two_data_folders_know_nothing_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let one = ours(&folder.path().join("one"));
        let other = ours(&folder.path().join("other"));
        assert!(!one.is_rung() && !other.is_rung());
    }

    #[test]
    fn a_window_that_does_not_answer_keeps_nobody_waiting_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let bell = ours(folder.path());
        assert!(matches!(knock(folder.path(), PAUSE), Door::Silent));
        assert!(!bell.is_rung(), "who gave up has taken the call back");
    }

    #[test]
    fn a_program_that_is_ending_is_followed_by_the_one_that_starts() {
        let folder = tempfile::tempdir().unwrap();
        let ending = ours(folder.path());
        std::thread::scope(|scope| {
            let next = scope.spawn(|| knock(folder.path(), PATIENCE));
            while !folder.path().join("window.call").exists() {
                std::thread::sleep(PAUSE);
            }
            drop(ending);
            let Door::Ours(bell) = next.join().unwrap() else { panic!("the door is free") };
            assert!(!bell.is_rung(), "its own call is no call for it");
        });
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_no_reason_not_to_start() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(knock(&file.join("data"), Duration::ZERO), Door::Silent));
    }
}
