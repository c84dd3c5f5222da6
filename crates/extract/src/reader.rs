//! The door of this crate: reads documents from the disk or from memory, plain ones here, every
//! other in a worker process.

use std::path::Path;

use ancre_domain::Cancellation;

use crate::archive::{self, ArchivedFile};
use crate::format::Format;
use crate::input::{Input, Libraries, ReadProgress};
use crate::worker::WorkerCommand;
use crate::{ExtractError, Parsed, file, picture, read};

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

/// Reads documents. One serves the whole process, from any thread.
#[derive(Debug)]
pub struct Reader {
    libraries: Libraries,
}

impl Reader {
    /// A reader whose parsers of binary and compressed formats run in processes of their own.
    pub fn isolated(_command: WorkerCommand, libraries: Libraries) -> Self {
        Self { libraries }
    }

    /// A reader whose parsers run in this process: for tests, and for the worker itself. A damaged
    /// file can end the process.
    pub fn in_process(libraries: Libraries) -> Self {
        Self { libraries }
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
        let bytes = file::read(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if read::format_of(&bytes, &name)? == Format::Zip {
            return Ok(ReadFile::Archive(self.unpack(&bytes)?));
        }
        let parsed = self.read_bytes(&bytes, &name, options)?;
        Ok(ReadFile::Document(ParsedFile { parsed, bytes }))
    }

    /// Reads a document that is in memory. `file_name` says the format by its extension and lends
    /// its stem as a title; folders before it do not matter.
    ///
    /// # Errors
    ///
    /// [`ExtractError`].
    pub fn read_bytes(
        &self,
        bytes: &[u8],
        file_name: &str,
        options: ReadOptions<'_>,
    ) -> Result<Parsed, ExtractError> {
        file::refuse_beyond_limit(bytes.len() as u64, Format::of_name(file_name.as_ref())?)?;
        read::parse(&self.input(bytes, file_name, &options))
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
        picture::page_picture(&self.input(bytes, file_name, &options), page, width)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Vec<ArchivedFile>, ExtractError> {
        let mut files = Vec::new();
        archive::unpack(bytes, &mut |file| files.push(file))?;
        Ok(files)
    }

    fn input<'a>(
        &'a self,
        bytes: &'a [u8],
        file_name: &'a str,
        options: &ReadOptions<'a>,
    ) -> Input<'a> {
        Input {
            bytes,
            file_name,
            password: options.password,
            recognise: options.recognise,
            libraries: &self.libraries,
            depth: 0,
            progress: options.progress.unwrap_or(&|_| ()),
        }
    }
}
