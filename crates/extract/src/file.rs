//! Reads a document from the disk, whatever is really at the path.
//!
//! A pipe or a device must not hang the reader, a file that grows must not fill the memory, and
//! every refusal must say which. What is at the path is looked at before and again after opening,
//! since it may change in between.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::format::Format;
use crate::{ExtractError, MAX_BYTE_COUNT, Parsed, parse_bytes, refuse_beyond_limit};

/// A document that was read, with what it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedFile {
    /// What was read.
    pub parsed: Parsed,
    /// The file's bytes, as they were.
    pub bytes: Vec<u8>,
}

/// Reads the document at a path; links are followed. A name that is not Unicode is no obstacle;
/// its title has `U+FFFD` where it was not.
///
/// # Errors
///
/// [`ExtractError`], all of them: each costs this document only.
pub fn parse_file(path: &Path) -> Result<ParsedFile, ExtractError> {
    let metadata = path.metadata().map_err(|error| refusal(path, &error))?;
    refuse_unless_file(path, &metadata)?;
    Format::of_name(path)?;
    refuse_beyond_limit(metadata.len())?;

    let file = open(path).map_err(|error| refusal(path, &error))?;
    let metadata = file.metadata().map_err(|error| refusal(path, &error))?;
    refuse_unless_file(path, &metadata)?;
    let bytes = read_within_limit(&file, &metadata).map_err(|error| refusal(path, &error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parsed = parse_bytes(&bytes, &name)?;
    Ok(ParsedFile { parsed, bytes })
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

/// One byte more than the limit is read at most, by which `parse_bytes` sees a file that grew.
fn read_within_limit(file: &File, metadata: &Metadata) -> io::Result<Vec<u8>> {
    let expected = metadata.len().min(MAX_BYTE_COUNT);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    file.take(MAX_BYTE_COUNT + 1).read_to_end(&mut bytes)?;
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
