//! What passes between the application and a worker, byte by byte.
//!
//! A request is two lengths (of a JSON header, four bytes; of the document, eight), the header and
//! the document. An answer is a row of frames: a byte that says which, a length of four bytes, the
//! content. Numbers are little-endian. The application trusts nothing it reads here, since a
//! document may have taken the worker over: lengths are held against an allowance before they are
//! believed, and the kinds of frames are bytes that no text consists of.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::ExtractError;
use crate::archive::ArchivedFile;
use crate::input::Libraries;
use crate::operation::Operation;

/// Changes when a program of one version could not talk to a worker of another: an update may
/// replace the program's file while it runs.
pub(super) const VERSION: u32 = 1;

/// What is asked of a worker about one document. Holds a password: it has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) operation: Operation,
    pub(crate) file_name: String,
    pub(crate) password: Option<String>,
    pub(crate) recognise: bool,
    pub(crate) libraries: Libraries,
    /// Of [`Limits`](super::Limits), as is the next.
    pub(crate) memory_bytes: u64,
    pub(crate) cpu_seconds: u32,
}

/// The first frame of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ready {
    pub(super) version: u32,
    /// What this system does not limit although it should, in words for the log.
    pub(super) unlimited: Vec<String>,
}

/// The last frame about a document.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Resting {
    /// The memory that the worker holds now, where the system says so.
    pub(super) resident_bytes: Option<u64>,
}

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The worker has started and limited itself: [`Ready`].
    Ready = 0xF5,
    /// It has the whole request.
    Accepted,
    /// A page is recognised: [`ReadProgress`](crate::ReadProgress).
    Progress,
    /// A file of an archive: see [`encode_file`].
    File,
    /// Done: the document, [`Parsed`](crate::Parsed).
    Parsed,
    /// Done: every file of the archive has been sent.
    Unpacked,
    /// Done: a PNG image.
    Picture,
    /// Done: an [`ExtractError`].
    Failed,
    /// It waits for the next request: [`Resting`].
    Resting,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Ready,
        Self::Accepted,
        Self::Progress,
        Self::File,
        Self::Parsed,
        Self::Unpacked,
        Self::Picture,
        Self::Failed,
        Self::Resting,
    ];

    fn of_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// One answer of a worker, or a part of one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) content: Vec<u8>,
}

/// Why no frame could be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoFrame {
    /// The worker has closed its end.
    Ended,
    /// What came is no frame.
    Rubbish,
    /// It is more than the allowance.
    TooMuch,
}

/// The longest header that is believed.
const MAX_HEADER_BYTES: u32 = 1 << 20;

/// What a frame costs of the allowance beyond its content, so that empty frames are not free.
const FRAME_COST: u64 = 64;

/// Asks.
pub(super) fn write_request(
    to: &mut impl Write,
    request: &Request,
    document: &[u8],
) -> io::Result<()> {
    let header = serde_json::to_vec(request)?;
    let mut start = Vec::with_capacity(12 + header.len());
    start.extend(length(header.len())?.to_le_bytes());
    start.extend((document.len() as u64).to_le_bytes());
    start.extend(header);
    to.write_all(&start)?;
    to.write_all(document)?;
    to.flush()
}

/// The next request with its document; `None` when the application has closed its end. `before`
/// sees the request before memory is taken for the document.
pub(super) fn read_request(
    from: &mut impl Read,
    before: impl FnOnce(&Request),
) -> io::Result<Option<(Request, Vec<u8>)>> {
    let Some(header_length) = read_array(from)?.map(u32::from_le_bytes) else { return Ok(None) };
    let Some(length) = read_array(from)?.map(u64::from_le_bytes) else { return Ok(None) };
    if header_length > MAX_HEADER_BYTES {
        return Err(ErrorKind::InvalidData.into());
    }
    let request = serde_json::from_slice(&read_exactly(from, u64::from(header_length))?)?;
    before(&request);
    Ok(Some((request, read_exactly(from, length)?)))
}

/// Answers.
pub(super) fn write_frame(to: &mut impl Write, kind: Kind, content: &[u8]) -> io::Result<()> {
    to.write_all(&[kind as u8])?;
    to.write_all(&length(content.len())?.to_le_bytes())?;
    to.write_all(content)?;
    to.flush()
}

/// The next frame. It is taken off the allowance before it is read.
pub(super) fn read_frame(from: &mut impl Read, allowance: &AtomicU64) -> Result<Frame, NoFrame> {
    let kind = match read_array(from) {
        Ok(Some([byte])) => Kind::of_byte(byte).ok_or(NoFrame::Rubbish)?,
        Ok(None) | Err(_) => return Err(NoFrame::Ended),
    };
    let Ok(Some(length)) = read_array(from) else { return Err(NoFrame::Ended) };
    let length = u64::from(u32::from_le_bytes(length));
    let cost = length + FRAME_COST;
    allowance
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(cost))
        .map_err(|_| NoFrame::TooMuch)?;
    let content = read_exactly(from, length).map_err(|_| NoFrame::Ended)?;
    Ok(Frame { kind, content })
}

/// How many bytes the frames have that a worker gives before its first rubbish, for fuzzing.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn answered(from: &mut impl Read, allowance: u64) -> usize {
    let allowance = AtomicU64::new(allowance);
    let mut length = 0;
    while let Ok(frame) = read_frame(from, &allowance) {
        length += frame.content.len();
        if frame.kind == Kind::File {
            let _ = decode_file(&frame.content);
        }
    }
    length
}

/// The head of a [`Kind::File`].
#[derive(Serialize, Deserialize)]
struct FileHead {
    name: String,
    error: Option<ExtractError>,
}

/// A file of an archive as the content of a frame: the length of its head in four bytes, the head
/// as JSON, its bytes.
pub(super) fn encode_file(file: ArchivedFile) -> io::Result<Vec<u8>> {
    let (bytes, error) = match file.bytes {
        Ok(bytes) => (bytes, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let head = serde_json::to_vec(&FileHead { name: file.name, error })?;
    let mut content = Vec::with_capacity(4 + head.len() + bytes.len());
    content.extend(length(head.len())?.to_le_bytes());
    content.extend(head);
    content.extend(bytes);
    Ok(content)
}

/// The file that [`encode_file`] packed.
pub(super) fn decode_file(content: &[u8]) -> Option<ArchivedFile> {
    let (length, rest) = content.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (head, bytes) = rest.split_at_checked(length)?;
    let head: FileHead = serde_json::from_slice(head).ok()?;
    let bytes = head.error.map_or_else(|| Ok(bytes.to_vec()), Err);
    Some(ArchivedFile { name: head.name, bytes })
}

fn length(bytes: usize) -> io::Result<u32> {
    u32::try_from(bytes).map_err(|_| ErrorKind::InvalidInput.into())
}

/// The next bytes; `None` when there is no more. An end in their midst is none either, since the
/// other side is as gone.
fn read_array<const N: usize>(from: &mut impl Read) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match from.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn read_exactly(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(usize::MAX));
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], allowance: u64) -> Result<Frame, NoFrame> {
        read_frame(&mut &bytes[..], &AtomicU64::new(allowance))
    }

    #[test]
    fn a_request_arrives_as_it_was_sent() {
        let request = Request {
            operation: Operation::Picture { page: 3, width: 800 },
            file_name: "é.pdf".to_owned(),
            password: Some("sésame".to_owned()),
            recognise: true,
            libraries: Libraries::default(),
            memory_bytes: 1,
            cpu_seconds: 2,
        };
        let mut sent = Vec::new();
        write_request(&mut sent, &request, b"%PDF").unwrap();
        let mut arriving = &sent[..];
        let (arrived, document) = read_request(&mut arriving, |_| ()).unwrap().unwrap();
        assert_eq!(arrived.operation, request.operation);
        assert_eq!(arrived.password, request.password);
        assert_eq!(document, b"%PDF");
        assert!(read_request(&mut arriving, |_| ()).unwrap().is_none(), "then the pipe is closed");
    }

    #[test]
    fn a_frame_that_lies_about_its_length_is_not_believed() {
        let lie = [&[Kind::Parsed as u8][..], &u32::MAX.to_le_bytes(), b"short"].concat();
        assert_eq!(read(&lie, 1 << 20), Err(NoFrame::TooMuch));
        let cut = [&[Kind::Parsed as u8][..], &9_u32.to_le_bytes(), b"short"].concat();
        assert_eq!(read(&cut, 1 << 20), Err(NoFrame::Ended));
        assert_eq!(read(b"Segmentation fault", 1 << 20), Err(NoFrame::Rubbish));
        assert_eq!(read(b"", 1 << 20), Err(NoFrame::Ended));
    }

    #[test]
    fn even_empty_frames_use_up_the_allowance() {
        let empty = [Kind::Progress as u8, 0, 0, 0, 0].repeat(3);
        let (mut bytes, allowance) = (&empty[..], AtomicU64::new(2 * FRAME_COST));
        assert!(read_frame(&mut bytes, &allowance).is_ok());
        assert!(read_frame(&mut bytes, &allowance).is_ok());
        assert_eq!(read_frame(&mut bytes, &allowance), Err(NoFrame::TooMuch));
    }

    #[test]
    fn a_file_of_an_archive_arrives_with_its_bytes_or_its_error() {
        for bytes in [Ok(vec![0, 255]), Ok(Vec::new()), Err(ExtractError::Empty)] {
            let file = ArchivedFile { name: "dossier/é.md".to_owned(), bytes };
            assert_eq!(decode_file(&encode_file(file.clone()).unwrap()), Some(file));
        }
        for rubbish in [&b""[..], b"\xFF\xFF\xFF\xFF{}", b"\x02\0\0\0{}"] {
            assert_eq!(decode_file(rubbish), None);
        }
    }
}
