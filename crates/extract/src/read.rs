//! From bytes to what was read: what the document is, its parser, the finished text.
//!
//! This is what runs inside the worker process (and, for plain text, in the caller's own).

use crate::content::Content;
use crate::format::Format;
use crate::input::Input;
use crate::signature::{Kind, sniff};
use crate::{
    ExtractError, Parsed, compose, csv, epub, h5p, html, json, mail, ole, ooxml, open_document,
    package, pdf, plain, rtf, sheets, xml,
};

/// Reads a document that is one text.
///
/// # Errors
///
/// [`ExtractError`]; an archive is [`Unsupported`](ExtractError::Unsupported) here, since it is
/// many texts.
pub(crate) fn parse(input: &Input<'_>) -> Result<Parsed, ExtractError> {
    let (format, content) = content_of(input)?;
    compose::compose(content, format, input.file_name)
}

/// The content of a document, and the format it really is.
pub(crate) fn content_of(input: &Input<'_>) -> Result<(Format, Content), ExtractError> {
    let format = format_of(input.bytes, input.file_name)?;
    let content = match format {
        Format::Markdown => plain::read_markdown(input),
        Format::PlainText => plain::read(input),
        Format::Csv => csv::read(input, None),
        Format::Tsv => csv::read(input, Some(b'\t')),
        Format::Json => json::read(input),
        Format::Xml => xml::read(input),
        Format::Html => html::read(input),
        Format::Pdf => pdf::read(input),
        Format::Docx => ooxml::read_document(input),
        Format::Pptx => ooxml::read_slides(input),
        Format::Odt => open_document::read_text(input),
        Format::Odp => open_document::read_slides(input),
        Format::Xlsx | Format::Xls | Format::Ods => sheets::read(input, format),
        Format::Rtf => rtf::read(input),
        Format::Epub => epub::read(input),
        Format::H5p => h5p::read(input),
        Format::Eml => mail::read(input),
        Format::Zip => {
            Err(ExtractError::Unsupported { format: "ZIP archives inside other".to_owned() })
        }
    }?;
    Ok((format, content))
}

/// What a document is, by its content first and its name second.
pub(crate) fn format_of(bytes: &[u8], file_name: &str) -> Result<Format, ExtractError> {
    let named = Format::of_name(file_name.as_ref())?;
    match sniff(bytes, named)? {
        Kind::Format(format) => Ok(format),
        // A document that has lost its parts is damaged; only what is called an archive is one.
        Kind::Package => match package::format_of(bytes)? {
            Format::Zip if named.is_package() => {
                Err(ExtractError::corrupt("its package holds no document"))
            }
            format => Ok(format),
        },
        Kind::Ole => ole::format_of(bytes, named),
    }
}
