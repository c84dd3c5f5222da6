//! Reads a document from the disk, whatever is really at the path.
//!
//! A pipe or a device must not hang the reader, a file that grows must not fill the memory, and
//! every refusal must say which. What is at the path is looked at before and again after opening,
//! since it may change in between. A network drive may stop answering, and no system takes a call
//! back: so a thread of its own reads, and is left behind when nothing comes (a few at most). Where the
//! drive is a FUSE program that does not heed interruption either, Linux lets the process end only
//! when that program answers or is unmounted; the error is there in time all the same.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ancre_domain::Cancellation;

use crate::ExtractError;
use crate::format::Format;

/// The most bytes that are read of a document of plain characters: 50 MiB. Past that a text is a
/// database, and its chunks would fill an index by themselves.
pub(crate) const MAX_PLAIN_BYTES: u64 = 50 << 20;

/// The most bytes that are read of any other document: 200 MiB, most of which are pictures.
pub(crate) const MAX_BYTES: u64 = 200 << 20;

/// How many threads may be waiting for a disk that does not answer. Past that, reading fails at
/// once: the drive is gone, and each try would cost another thread.
const MAX_STRANDED: usize = 8;

/// How often the wish to stop is looked at.
const TICK: Duration = Duration::from_millis(15);

/// How many bytes are asked of the disk at a time.
const PIECE_BYTES: u64 = 64 << 10;

/// How long to wait for the disk.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    /// How long it may give nothing.
    pub(crate) silence: Duration,
    /// Whether somebody asked to stop.
    pub(crate) cancellation: Option<&'a Cancellation>,
}

/// The bytes of the document at a path; links are followed.
///
/// # Errors
///
/// [`ExtractError`]: what the system says, what is no file, an extension that is not read, a size
/// beyond the limit; [`Timeout`](ExtractError::Timeout) when the disk gives nothing for as long as
/// there is patience. Then the thread that reads is left behind, until the disk answers.
pub(crate) fn read(path: &Path, patience: Patience<'_>) -> Result<Vec<u8>, ExtractError> {
    if STRANDED.load(Ordering::Relaxed) >= MAX_STRANDED {
        let detail = "the disk has stopped answering".to_owned();
        return Err(ExtractError::ReadFailed { path: path.to_owned(), detail });
    }
    let here = path.to_owned();
    wait_for(path, patience, move |signs| read_whole(&here, signs))
}

/// How many threads wait for a disk that does not answer.
static STRANDED: AtomicUsize = AtomicUsize::new(0);

/// What the thread that reads and the one that waits know of each other.
#[derive(Default)]
struct SignsOfLife {
    bytes: AtomicU64,
    /// Nobody waits any more.
    is_given_up: AtomicBool,
}

/// Does `work` on a thread of its own, for as long as it shows signs of life.
fn wait_for<T: Send + 'static>(
    path: &Path,
    patience: Patience<'_>,
    work: impl FnOnce(&SignsOfLife) -> Result<T, ExtractError> + Send + 'static,
) -> Result<T, ExtractError> {
    let signs = Arc::new(SignsOfLife::default());
    let (done, waiting) = mpsc::channel();
    let seen = Arc::clone(&signs);
    let reading = thread::Builder::new().name("extract-file".to_owned()).spawn(move || {
        let result = work(&seen);
        if seen.is_given_up.swap(true, Ordering::Relaxed) {
            STRANDED.fetch_sub(1, Ordering::Relaxed);
        } else {
            let _ = done.send(result);
        }
    });
    reading.map_err(|error| refusal(path, &error))?;

    let mut last_sign = (0, Instant::now());
    loop {
        match waiting.recv_timeout(TICK) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => {
                let detail = "the reading broke off".to_owned();
                return Err(ExtractError::ReadFailed { path: path.to_owned(), detail });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let bytes = signs.bytes.load(Ordering::Relaxed);
        if bytes > last_sign.0 {
            last_sign = (bytes, Instant::now());
        }
        let refusal = if patience.cancellation.is_some_and(Cancellation::is_cancelled) {
            ExtractError::Cancelled
        } else if last_sign.1.elapsed() >= patience.silence {
            ExtractError::Timeout { seconds: patience.silence.as_secs() }
        } else {
            continue;
        };
        STRANDED.fetch_add(1, Ordering::Relaxed);
        if signs.is_given_up.swap(true, Ordering::Relaxed) {
            // It was done at this very moment.
            STRANDED.fetch_sub(1, Ordering::Relaxed);
        }
        return Err(refusal);
    }
}

fn read_whole(path: &Path, signs: &SignsOfLife) -> Result<Vec<u8>, ExtractError> {
    let metadata = path.metadata().map_err(|error| refusal(path, &error))?;
    refuse_unless_file(path, &metadata)?;
    let format = Format::of_name(path)?;
    refuse_beyond_limit(metadata.len(), format)?;

    let file = open(path).map_err(|error| refusal(path, &error))?;
    let metadata = file.metadata().map_err(|error| refusal(path, &error))?;
    refuse_unless_file(path, &metadata)?;
    let bytes =
        read_within_limit(&file, &metadata, signs).map_err(|error| refusal(path, &error))?;
    refuse_beyond_limit(bytes.len() as u64, format)?;
    Ok(bytes)
}

/// Refuses a document that is larger than its format may be.
pub(crate) fn refuse_beyond_limit(byte_count: u64, format: Format) -> Result<(), ExtractError> {
    let limit = if format.is_plain() { MAX_PLAIN_BYTES } else { MAX_BYTES };
    if byte_count <= limit {
        return Ok(());
    }
    let mebibytes = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
    Err(ExtractError::TooLarge {
        what: "the file".to_owned(),
        size: mebibytes(byte_count),
        limit: mebibytes(limit),
    })
}

fn refuse_unless_file(path: &Path, metadata: &Metadata) -> Result<(), ExtractError> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(ExtractError::NotAFile { path: path.to_owned() })
}

/// Opens for reading; where a pipe took the file's place meanwhile, without waiting for a writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK);
    }
    options.open(path)
}

/// One byte more than the limit is read at most, by which a file that grew is seen.
fn read_within_limit(file: &File, metadata: &Metadata, signs: &SignsOfLife) -> io::Result<Vec<u8>> {
    let expected = metadata.len().min(MAX_BYTES);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    let mut file = file.take(MAX_BYTES + 1);
    while !signs.is_given_up.load(Ordering::Relaxed) {
        let count = file.by_ref().take(PIECE_BYTES).read_to_end(&mut bytes)?;
        if count == 0 {
            break;
        }
        signs.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }
    Ok(bytes)
}

fn refusal(path: &Path, error: &io::Error) -> ExtractError {
    let path = path.to_owned();
    match error.kind() {
        // A name that is too long leads to nothing either.
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => {
            ExtractError::FileNotFound { path }
        }
        ErrorKind::PermissionDenied => ExtractError::PermissionDenied { path },
        ErrorKind::IsADirectory => ExtractError::NotAFile { path },
        // Links that lead in a circle lead to no file; the kind for it is not stable yet.
        #[cfg(unix)]
        _ if error.raw_os_error() == Some(libc::ELOOP) => ExtractError::NotAFile { path },
        _ => ExtractError::ReadFailed { path, detail: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_of_the_system_has_its_own_error() {
        let refused = |kind: ErrorKind| refusal(Path::new("a.txt"), &kind.into());
        assert!(matches!(refused(ErrorKind::NotFound), ExtractError::FileNotFound { .. }));
        assert!(matches!(
            refused(ErrorKind::PermissionDenied),
            ExtractError::PermissionDenied { .. }
        ));
        let failed = refused(ErrorKind::TimedOut);
        assert!(matches!(failed, ExtractError::ReadFailed { .. }));
        assert!(!failed.to_string().contains("timed"), "the system's words are for the curious");
        assert!(matches!(refused(ErrorKind::InvalidFilename), ExtractError::FileNotFound { .. }));
    }

    const SHORT: Duration = Duration::from_millis(60);

    #[test]
    fn a_disk_that_stops_answering_costs_this_document() {
        let (answer, disk) = mpsc::channel::<()>();
        let patience = Patience { silence: SHORT, cancellation: None };
        let error = wait_for::<()>(Path::new("a.txt"), patience, move |_| {
            disk.recv().unwrap();
            Ok(())
        });
        assert_eq!(error, Err(ExtractError::Timeout { seconds: 0 }));
        answer.send(()).unwrap(); // The disk is there again, and the thread ends.
    }

    #[test]
    fn a_slow_disk_is_waited_for() {
        let patience = Patience { silence: SHORT, cancellation: None };
        let read = wait_for(Path::new("a.txt"), patience, |signs| {
            for _ in 0..5 {
                thread::sleep(SHORT / 2);
                signs.bytes.fetch_add(1, Ordering::Relaxed);
            }
            Ok(5)
        });
        assert_eq!(read, Ok(5));
    }

    #[test]
    fn a_person_need_not_wait_for_the_disk() {
        let cancellation = Cancellation::new();
        cancellation.cancel();
        let patience =
            Patience { silence: Duration::from_secs(60), cancellation: Some(&cancellation) };
        let begun = Instant::now();
        let read = wait_for(Path::new("a.txt"), patience, |_| {
            thread::sleep(SHORT * 5);
            Ok(())
        });
        assert_eq!(read, Err(ExtractError::Cancelled));
        assert!(begun.elapsed() < SHORT * 4);
    }
}
