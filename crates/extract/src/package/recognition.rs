//! Tells which format a package is.
//!
//! Each family marks its packages in its own way: OpenDocument and EPUB by an entry `mimetype`,
//! Office Open XML by the content type of its main part, H5P by `h5p.json`. A package without a
//! readable mark is still recognised by the names of its parts; one without those is an archive of
//! files.

use super::Package;
use super::xml::decode;
use crate::ExtractError;
use crate::format::Format;

/// Which format a package is.
///
/// # Errors
///
/// Those of [`Package::open`] and [`Package::read`]; [`ExtractError::Unsupported`] for packages of
/// formats that are not read.
pub(crate) fn format_of(bytes: &[u8]) -> Result<Format, ExtractError> {
    let package = Package::open(bytes)?;
    if let Some(mark) = package.read("mimetype")?
        && let Some(format) = of_media_type(&decode(&mark))
    {
        return format;
    }
    if let Some(types) = package.read("[Content_Types].xml")?
        && let Some(format) = of_content_types(&decode(&types))
    {
        return format;
    }
    if package.has("h5p.json") {
        return Ok(Format::H5p);
    }
    of_parts(&package)
}

/// The formats of OpenDocument (1.3, part 2, appendix) and EPUB's; templates are read as what they
/// are templates of.
fn of_media_type(mark: &str) -> Option<Result<Format, ExtractError>> {
    let mark = mark.trim();
    if mark == "application/epub+zip" {
        return Some(Ok(Format::Epub));
    }
    let kind = mark.strip_prefix("application/vnd.oasis.opendocument.")?;
    let kind = kind.strip_suffix("-template").unwrap_or(kind);
    Some(match kind {
        "text" | "text-master" | "text-web" => Ok(Format::Odt),
        "spreadsheet" => Ok(Format::Ods),
        "presentation" => Ok(Format::Odp),
        other => Err(unsupported(&format!("OpenDocument {other}"))),
    })
}

/// Content types of main parts, with macros or without, of documents, templates and slide shows
/// (ECMA-376, part 1, 11.3, 12.3 and 13.3; the others are Microsoft's).
fn of_content_types(types: &str) -> Option<Result<Format, ExtractError>> {
    const MAIN_PARTS: [(&str, Format); 12] = [
        ("wordprocessingml.document.main+xml", Format::Docx),
        ("wordprocessingml.template.main+xml", Format::Docx),
        ("ms-word.document.macroenabled.main+xml", Format::Docx),
        ("ms-word.template.macroenabledtemplate.main+xml", Format::Docx),
        ("spreadsheetml.sheet.main+xml", Format::Xlsx),
        ("spreadsheetml.template.main+xml", Format::Xlsx),
        ("ms-excel.sheet.macroenabled.main+xml", Format::Xlsx),
        ("ms-excel.template.macroenabled.main+xml", Format::Xlsx),
        ("presentationml.presentation.main+xml", Format::Pptx),
        ("presentationml.slideshow.main+xml", Format::Pptx),
        ("presentationml.template.main+xml", Format::Pptx),
        ("ms-powerpoint.", Format::Pptx),
    ];
    let types = types.to_ascii_lowercase();
    let known = MAIN_PARTS.into_iter().find(|(mark, _)| types.contains(mark));
    if let Some((_, format)) = known {
        return Some(Ok(format));
    }
    if types.contains("ms-excel.sheet.binary") {
        return Some(Err(unsupported(".xlsb")));
    }
    types.contains("ms-visio.").then(|| Err(unsupported("Visio")))
}

fn of_parts(package: &Package<'_>) -> Result<Format, ExtractError> {
    const PARTS: [(&str, Format); 4] = [
        ("word/document.xml", Format::Docx),
        ("xl/workbook.xml", Format::Xlsx),
        ("ppt/presentation.xml", Format::Pptx),
        ("META-INF/container.xml", Format::Epub),
    ];
    // What a cut package still has: its folder tells the program, though the main part is lost.
    const FOLDERS: [(&str, Format); 3] =
        [("word/", Format::Docx), ("xl/", Format::Xlsx), ("ppt/", Format::Pptx)];
    if let Some((_, format)) = PARTS.into_iter().find(|(part, _)| package.has(part)) {
        return Ok(format);
    }
    if package.has("xl/workbook.bin") {
        return Err(unsupported(".xlsb"));
    }
    if package.has("Index/Document.iwa") {
        return Err(unsupported("Pages, Numbers and Keynote"));
    }
    if package.has("content.xml")
        && let Some(content) = package.read("content.xml")?
    {
        // The body's element says what it is; it follows the styles.
        let content = decode(&content);
        let bodies = [
            ("<office:text", Format::Odt),
            ("<office:spreadsheet", Format::Ods),
            ("<office:presentation", Format::Odp),
        ];
        if let Some((_, format)) = bodies.into_iter().find(|(body, _)| content.contains(body)) {
            return Ok(format);
        }
    }
    let in_folder = |folder: &str| package.names().any(|name| name.starts_with(folder));
    let cut = FOLDERS.into_iter().find(|(folder, _)| package.is_damaged() && in_folder(folder));
    Ok(cut.map_or(Format::Zip, |(_, format)| format))
}

fn unsupported(format: &str) -> ExtractError {
    ExtractError::Unsupported { format: format.to_owned() }
}
