//! Reads a document from the disk, whatever is really at the path.
//!
//! A pipe or a device must not hang the reader, a file that grows must not fill the memory, and
//! every refusal must say which. What is at the path is looked at before and again after opening,
//! since it may change in between.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::ExtractError;
use crate::format::Format;

/// The most bytes that are read of a document of plain characters: 50 MiB. Past that a text is a
/// database, and its chunks would fill an index by themselves.
pub(crate) const MAX_PLAIN_BYTES: u64 = 50 << 20;

/// The most bytes that are read of any other document: 200 MiB, most of which are pictures.
pub(crate) const MAX_BYTES: u64 = 200 << 20;

/// The bytes of the document at a path; links are followed.
///
/// # Errors
///
/// [`ExtractError`]: what the system says, what is no file, an extension that is not read, a size
/// beyond the limit.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ExtractError> {
    let metadata = path.metadata().map_err(|error| refusal(path, &error))?;
    refuse_unless_file(path, &metadata)?;
    let format = Format::of_name(path)?;
    refuse_beyond_limit(metadata.len(), format)?;

    let file = open(path).map_err(|error| refusal(path, &error))?;
    let metadata = file.metadata().map_err(|error| refusal(path, &error))?;
    refuse_unless_file(path, &metadata)?;
    let bytes = read_within_limit(&file, &metadata).map_err(|error| refusal(path, &error))?;
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
fn read_within_limit(file: &File, metadata: &Metadata) -> io::Result<Vec<u8>> {
    let expected = metadata.len().min(MAX_BYTES);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refusal(path: &Path, error: &io::Error) -> ExtractError {
    let path = path.to_owned();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ExtractError::FileNotFound { path },
        ErrorKind::PermissionDenied => ExtractError::PermissionDenied { path },
        ErrorKind::IsADirectory => ExtractError::NotAFile { path },
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
        assert!(matches!(refused(ErrorKind::TimedOut), ExtractError::ReadFailed { .. }));
    }
}
