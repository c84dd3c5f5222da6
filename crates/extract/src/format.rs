//! Which formats are read, by the extension of a name.
//!
//! The extension says whether a file is looked at; what it really is, its content decides (see
//! `signature`).

use std::path::Path;

use crate::ExtractError;

/// A format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Markdown,
    PlainText,
    Csv,
    Tsv,
    Json,
    Xml,
    Html,
    Pdf,
    Docx,
    Xlsx,
    Xls,
    Ods,
    Pptx,
    Odt,
    Odp,
    Rtf,
    Epub,
    H5p,
    Eml,
    Zip,
}

/// Every extension that is read, lower-case, without the dot.
const EXTENSIONS: [(&str, Format); 23] = [
    ("md", Format::Markdown),
    ("markdown", Format::Markdown),
    ("txt", Format::PlainText),
    ("log", Format::PlainText),
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("json", Format::Json),
    ("xml", Format::Xml),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("pdf", Format::Pdf),
    ("docx", Format::Docx),
    ("xlsx", Format::Xlsx),
    ("xls", Format::Xls),
    ("ods", Format::Ods),
    ("pptx", Format::Pptx),
    ("odt", Format::Odt),
    ("odp", Format::Odp),
    ("rtf", Format::Rtf),
    ("epub", Format::Epub),
    ("h5p", Format::H5p),
    ("eml", Format::Eml),
    ("zip", Format::Zip),
];

/// Formats that people try and that are not read, by extension, with their names.
const UNREAD: [(&str, &str); 16] = [
    ("doc", "Word 97 (.doc)"),
    ("dot", "Word 97 template (.dot)"),
    ("ppt", "PowerPoint 97 (.ppt)"),
    ("pps", "PowerPoint 97 (.pps)"),
    ("msg", "Outlook message (.msg)"),
    ("pst", "Outlook mailbox (.pst)"),
    ("mbox", "Mailbox (.mbox)"),
    ("pub", "Publisher (.pub)"),
    ("vsd", "Visio drawing (.vsd)"),
    ("mpp", "Microsoft Project (.mpp)"),
    ("one", "OneNote (.one)"),
    ("wpd", "WordPerfect (.wpd)"),
    ("wps", "Microsoft Works (.wps)"),
    ("pages", "Apple Pages (.pages)"),
    ("numbers", "Apple Numbers (.numbers)"),
    ("key", "Apple Keynote (.key)"),
];

fn name_of_unread(extension: &str) -> String {
    let known = UNREAD.into_iter().find(|(known, _)| *known == extension);
    known.map_or_else(|| format!(".{extension}"), |(_, name)| name.to_owned())
}

impl Format {
    /// The format of a file with this name.
    pub(crate) fn of_name(name: &Path) -> Result<Self, ExtractError> {
        let Some(extension) = extension(name) else {
            return Err(ExtractError::Unsupported { format: "extensionless".to_owned() });
        };
        EXTENSIONS
            .into_iter()
            .find(|(known, _)| *known == extension)
            .map(|(_, format)| format)
            .ok_or_else(|| ExtractError::Unsupported { format: name_of_unread(&extension) })
    }

    /// The media type.
    pub(crate) const fn mime(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::PlainText => "text/plain",
            Self::Csv => "text/csv",
            Self::Tsv => "text/tab-separated-values",
            Self::Json => "application/json",
            Self::Xml => "application/xml",
            Self::Html => "text/html",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Xls => "application/vnd.ms-excel",
            Self::Ods => "application/vnd.oasis.opendocument.spreadsheet",
            Self::Pptx => {
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            }
            Self::Odt => "application/vnd.oasis.opendocument.text",
            Self::Odp => "application/vnd.oasis.opendocument.presentation",
            Self::Rtf => "application/rtf",
            Self::Epub => "application/epub+zip",
            Self::H5p => "application/vnd.h5p",
            Self::Eml => "message/rfc822",
            Self::Zip => "application/zip",
        }
    }

    /// The extension that its files have most often, with the dot.
    pub(crate) fn extension(self) -> String {
        let known = EXTENSIONS.into_iter().find(|(_, format)| *format == self);
        known.map(|(extension, _)| format!(".{extension}")).unwrap_or_default()
    }

    /// Whether its documents are ZIP packages.
    pub(crate) const fn is_package(self) -> bool {
        matches!(
            self,
            Self::Docx
                | Self::Xlsx
                | Self::Pptx
                | Self::Odt
                | Self::Ods
                | Self::Odp
                | Self::Epub
                | Self::H5p
        )
    }

    /// Whether its parser reads plain characters and nothing else, so that it needs no process of
    /// its own.
    pub(crate) const fn is_plain(self) -> bool {
        matches!(
            self,
            Self::Markdown | Self::PlainText | Self::Csv | Self::Tsv | Self::Json | Self::Xml
        )
    }
}

/// Whether a file with this name would be read, as far as its extension tells (its case does not
/// matter). Says nothing about its content.
pub fn is_supported(path: &Path) -> bool {
    Format::of_name(path).is_ok()
}

/// The extensions that are read, lower-case, without the dot.
pub fn supported_extensions() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.into_iter().map(|(extension, _)| extension)
}

/// A name without folders and extension, for a title. A name that has nothing else, such as
/// `.txt`, stays whole.
pub(crate) fn stem(file_name: &str) -> String {
    let path = Path::new(file_name);
    path.file_stem()
        .map(|stem| stem.to_string_lossy().trim().to_owned())
        .filter(|stem| !stem.is_empty())
        .unwrap_or_else(|| file_name.trim().to_owned())
}

fn extension(name: &Path) -> Option<String> {
    name.extension().map(|extension| extension.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_case_of_an_extension_does_not_matter() {
        for name in ["a.md", "a.MD", "a.Markdown", "a.TXT", "a.log", "folder.x/a.csv"] {
            assert!(is_supported(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn what_is_not_read_is_named() {
        let reason = |name: &str| Format::of_name(Path::new(name)).unwrap_err().to_string();
        assert_eq!(reason("a.XYZ"), ".xyz files are not read");
        assert_eq!(reason("a.msg"), "Outlook message (.msg) files are not read");
        assert_eq!(reason("a.DOC"), "Word 97 (.doc) files are not read");
        assert_eq!(reason("Makefile"), "extensionless files are not read");
        assert_eq!(reason(".txt"), "extensionless files are not read");
    }

    #[test]
    fn a_stem_has_no_folder_and_loses_only_the_last_extension() {
        assert_eq!(stem("dossier/guide.de.démarrage.txt"), "guide.de.démarrage");
        assert_eq!(stem(".txt"), ".txt");
    }
}
