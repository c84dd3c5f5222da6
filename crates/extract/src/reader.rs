//! The door of this crate: reads documents from the disk or from memory, plain ones here, every
//! other in a worker process.

use std::path::{Path, PathBuf};

use ancre_domain::Cancellation;

use crate::archive::ArchivedFile;
use crate::file::Patience;
use crate::format::Format;
use crate::input::{Input, Libraries, ReadProgress};
use crate::operation::{Operation, Reply, perform};
use crate::signature::{Kind, sniff};
use crate::worker::{Limits, Pool, Request, Watch, WorkerCommand};
use crate::{ExtractError, Parsed, file};

/// The most bytes of plain characters that are read in the caller's process: 256 KiB. Their readers
/// cannot be hurt, but a long text can be made to take long, and only a worker can be stopped.
const MOST_READ_HERE: usize = 256 << 10;

/// The longest password that is tried, in bytes: eight times what PDF takes (ISO 32000-2, 7.6.4).
const LONGEST_PASSWORD: usize = 1016;

/// How a document is to be read.
#[derive(Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The password that somebody gave for it.
    pub password: Option<&'a str>,
    /// Whether pages that are scans are recognised, which takes seconds a page.
    pub recognise: bool,
    /// Asked every few milliseconds; the worker is stopped when it says so.
    pub cancellation: Option<&'a Cancellation>,
    /// Hears of each recognised page.
    pub progress: Option<&'a dyn Fn(ReadProgress)>,
}

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadFile {
    /// One document.
    Document(ParsedFile),
    /// An archive of documents, each still to be read by [`Reader::read_bytes`].
    Archive(Vec<ArchivedFile>),
}

/// A document that was read, with what it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedFile {
    /// What was read.
    pub parsed: Parsed,
    /// The file's bytes, as they were.
    pub bytes: Vec<u8>,
}

/// Reads documents. One serves the whole process, from any thread; its workers end with it.
#[derive(Debug)]
pub struct Reader {
    libraries: Libraries,
    limits: Limits,
    /// Where the parsers of binary and compressed formats run; in this process without one.
    pool: Option<Pool>,
}

impl Reader {
    /// A reader whose parsers of binary and compressed formats run in processes of their own. None
    /// is started before it is needed, so a command that does not work costs those formats only.
    pub fn isolated(command: WorkerCommand, libraries: Libraries) -> Self {
        // Paths cross to the worker as JSON.
        let said = |path: Option<PathBuf>| {
            path.filter(|path| {
                let is_unicode = path.to_str().is_some();
                if !is_unicode {
                    tracing::warn!("{} is not used: its name is not Unicode", path.display());
                }
                is_unicode
            })
        };
        let libraries = Libraries {
            pdfium: said(libraries.pdfium),
            tesseract: said(libraries.tesseract),
            tessdata: said(libraries.tessdata),
        };
        Self { libraries, limits: Limits::default(), pool: Some(Pool::new(command)) }
    }

    /// A reader whose parsers run in this process: for tests, and for the worker itself. A damaged
    /// file can end the process.
    pub fn in_process(libraries: Libraries) -> Self {
        Self { libraries, limits: Limits::default(), pool: None }
    }

    /// The same with other limits: for tests and tools.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Reads what is at a path; links are followed. A name that is not Unicode is no obstacle; its
    /// title has `U+FFFD` where it was not.
    ///
    /// # Errors
    ///
    /// [`ExtractError`], all of them: each costs this document only.
    pub fn read_path(
        &self,
        path: &Path,
        options: ReadOptions<'_>,
    ) -> Result<ReadFile, ExtractError> {
        let patience = Patience { silence: self.limits.disk, cancellation: options.cancellation };
        let bytes = file::read(path, patience)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match self.ask(Operation::Open, &bytes, &name, &options)? {
            Reply::Parsed(parsed) => Ok(ReadFile::Document(ParsedFile { parsed: *parsed, bytes })),
            Reply::Files(files) => Ok(ReadFile::Archive(files)),
            Reply::Picture(_) => Err(unasked()),
        }
    }

    /// Reads a document that is in memory. `file_name` says the format by its extension and lends
    /// its stem as a title; folders before it do not matter.
    ///
    /// # Errors
    ///
    /// [`ExtractError`]; an archive is [`Unsupported`](ExtractError::Unsupported) here.
    pub fn read_bytes(
        &self,
        bytes: &[u8],
        file_name: &str,
        options: ReadOptions<'_>,
    ) -> Result<Parsed, ExtractError> {
        file::refuse_beyond_limit(bytes.len() as u64, Format::of_name(file_name.as_ref())?)?;
        match self.ask(Operation::Parse, bytes, file_name, &options)? {
            Reply::Parsed(parsed) => Ok(*parsed),
            Reply::Files(_) | Reply::Picture(_) => Err(unasked()),
        }
    }

    /// A page of a document as a PNG image about `width` pixels wide. `page` counts from 1.
    ///
    /// # Errors
    ///
    /// [`ExtractError::Unsupported`] for formats without pages of a fixed layout; else what the
    /// reader of the format says.
    pub fn page_picture(
        &self,
        bytes: &[u8],
        file_name: &str,
        page: u32,
        width: u32,
        options: ReadOptions<'_>,
    ) -> Result<Vec<u8>, ExtractError> {
        match self.ask(Operation::Picture { page, width }, bytes, file_name, &options)? {
            Reply::Picture(picture) => Ok(picture),
            Reply::Parsed(_) | Reply::Files(_) => Err(unasked()),
        }
    }

    /// Has an operation done where it belongs: short plain texts here, all else by a worker.
    fn ask(
        &self,
        operation: Operation,
        bytes: &[u8],
        file_name: &str,
        options: &ReadOptions<'_>,
    ) -> Result<Reply, ExtractError> {
        if options.cancellation.is_some_and(Cancellation::is_cancelled) {
            return Err(ExtractError::Cancelled);
        }
        if options.password.is_some_and(|password| password.len() > LONGEST_PASSWORD) {
            return Err(ExtractError::WrongPassword);
        }
        let kind = sniff(bytes, Format::of_name(file_name.as_ref())?)?;
        let is_plain = matches!(kind, Kind::Format(format) if format.is_plain());
        match &self.pool {
            Some(pool) if !is_plain || bytes.len() > MOST_READ_HERE => {
                let watch = Watch {
                    limits: &self.limits,
                    cancellation: options.cancellation,
                    progress: options.progress,
                };
                pool.read(&self.request(operation, file_name, options), bytes, watch)
            }
            _ => self.perform_here(operation, bytes, file_name, options),
        }
    }

    fn perform_here(
        &self,
        operation: Operation,
        bytes: &[u8],
        file_name: &str,
        options: &ReadOptions<'_>,
    ) -> Result<Reply, ExtractError> {
        let input = Input {
            bytes,
            file_name,
            password: options.password,
            recognise: options.recognise,
            libraries: &self.libraries,
            depth: 0,
            progress: options.progress.unwrap_or(&|_| ()),
        };
        let mut unpacked = Vec::new();
        let reply = perform(operation, &input, &mut |file| unpacked.push(file))?;
        Ok(match reply {
            Reply::Files(_) => Reply::Files(unpacked),
            other => other,
        })
    }

    fn request(&self, operation: Operation, file_name: &str, options: &ReadOptions<'_>) -> Request {
        Request {
            operation,
            file_name: file_name.to_owned(),
            password: options.password.map(str::to_owned),
            recognise: options.recognise,
            libraries: self.libraries.clone(),
            memory_bytes: self.limits.memory_bytes,
            cpu_seconds: self.limits.cpu_seconds,
        }
    }
}

/// Only a worker that is no longer itself answers what was not asked.
fn unasked() -> ExtractError {
    ExtractError::WorkerDied { detail: "it answered another question".to_owned() }
}
