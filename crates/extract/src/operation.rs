//! What can be asked about a document, and how it is done where the parsers are: in the worker
//! process, and for plain texts in the caller's own.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use crate::archive::{self, ArchivedFile};
use crate::format::Format;
use crate::input::Input;
use crate::{ExtractError, Parsed, picture, read};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Operation {
    /// The text of a document; an archive is refused.
    Parse,
    /// The text of a document, or the files of an archive.
    Open,
    /// The picture of a page.
    Picture {
        /// From 1.
        page: u32,
        /// In pixels.
        width: u32,
    },
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Reply {
    Parsed(Box<Parsed>),
    /// The files of an archive. Where they were handed over one by one, none is in here.
    Files(Vec<ArchivedFile>),
    /// A PNG image.
    Picture(Vec<u8>),
}

/// Does what is asked; the files of an archive go to `each_file`.
///
/// # Errors
///
/// [`ExtractError`]; a parser that panics is [`Corrupt`](ExtractError::Corrupt), because it is the
/// document that made it.
pub(crate) fn perform(
    operation: Operation,
    input: &Input<'_>,
    each_file: &mut dyn FnMut(ArchivedFile),
) -> Result<Reply, ExtractError> {
    let work = || match operation {
        Operation::Open if read::format_of(input.bytes, input.file_name)? == Format::Zip => {
            archive::unpack(input.bytes, each_file).map(|()| Reply::Files(Vec::new()))
        }
        Operation::Parse | Operation::Open => {
            read::parse(input).map(|parsed| Reply::Parsed(Box::new(parsed)))
        }
        Operation::Picture { page, width } => {
            picture::page_picture(input, page, width).map(Reply::Picture)
        }
    };
    survive(work)
}

/// A panic as an error: nothing that a parser was changing then is looked at afterwards.
fn survive<T>(work: impl FnOnce() -> Result<T, ExtractError>) -> Result<T, ExtractError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ExtractError::corrupt("its reader gave up")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_that_panics_costs_one_document() {
        let error = survive::<()>(|| panic!("as a parser may")).unwrap_err();
        assert_eq!(error.to_string(), "it is damaged: its reader gave up");
    }
}
