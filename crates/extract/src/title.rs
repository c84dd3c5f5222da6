//! Which of a document's names is its title.
//!
//! Metadata are full of what programs write when nobody has given a title: the name of the file
//! the author began with, “Microsoft Word - x.doc”, “Présentation PowerPoint”. A real title beats
//! the first heading; one of these does not.

use ancre_domain::Heading;

use crate::content::one_line;

/// The longest title, in characters: what is longer is an abstract.
const MAX_LENGTH: usize = 200;

/// What programs call a document that nobody has named, in lower case.
const PLACEHOLDERS: [&str; 23] = [
    "untitled",
    "(anonymous)",
    "(unspecified)",
    "sans titre",
    "sans nom",
    "title",
    "titre",
    "document",
    "new document",
    "nouveau document",
    "powerpoint presentation",
    "présentation powerpoint",
    "presentation",
    "présentation",
    "slide 1",
    "diapositive 1",
    "template",
    "modèle",
    "no title",
    "anonymous",
    "none",
    "unknown",
    "adobe photoshop pdf",
];

/// The title of the metadata if it is a real one, else the first heading of level 1, else the
/// first heading of the outline.
pub(crate) fn choose<'a>(
    metadata: Option<&str>,
    outline: impl IntoIterator<Item = &'a Heading, IntoIter: Clone>,
) -> Option<String> {
    metadata.and_then(real_title).or_else(|| {
        let mut outline = outline.into_iter();
        let outermost = outline.clone().find(|heading| heading.level == 1);
        let heading = outermost.or_else(|| outline.next())?;
        (heading.title.chars().count() <= MAX_LENGTH).then(|| heading.title.clone())
    })
}

/// The title, tidied, unless it is one that a program made up.
fn real_title(given: &str) -> Option<String> {
    let title = one_line(given);
    let title: String = title.chars().filter(|character| !character.is_control()).collect();
    let lower = title.to_lowercase();
    let letters = title.chars().filter(|character| character.is_alphabetic()).count();
    let is_placeholder = PLACEHOLDERS.iter().any(|placeholder| {
        lower.strip_prefix(placeholder).is_some_and(|rest| {
            rest.chars().all(|it| it.is_ascii_digit() || it.is_whitespace() || "()-_.".contains(it))
        })
    });
    let is_real = letters >= 2
        && title.chars().count() <= MAX_LENGTH
        && !title.contains('\u{FFFD}')
        && !is_placeholder
        && !lower.starts_with("microsoft word - ")
        && !lower.starts_with("microsoft powerpoint - ")
        && !is_file_name(&lower);
    is_real.then_some(title)
}

/// `rapport_v3-final.docx`, `C:\Users\x`, `file:///…`: a name with an extension of a program, or
/// a path.
fn is_file_name(lower: &str) -> bool {
    const EXTENSIONS: [&str; 21] = [
        "doc", "docx", "dot", "dotx", "odt", "pdf", "ppt", "pptx", "odp", "xls", "xlsx", "ods",
        "rtf", "txt", "tex", "dvi", "indd", "pub", "ps", "html", "tmp",
    ];
    let has_extension =
        lower.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension.trim()));
    has_extension || lower.starts_with("file:") || lower.get(1..3) == Some(":\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, title: &str) -> Heading {
        Heading { level, title: title.to_owned(), start: 0 }
    }

    #[test]
    fn a_real_title_beats_the_first_heading() {
        let outline = [heading(2, "Avant-propos"), heading(1, "Retours")];
        for (metadata, expected) in [
            (Some("  Guide des\nretours "), "Guide des retours"),
            (Some("Microsoft Word - guide_v3.doc"), "Retours"),
            (Some("Présentation PowerPoint"), "Retours"),
            (Some("Document1"), "Retours"),
            (Some("guide final.DOCX"), "Retours"),
            (Some("C:\\Users\\anne\\guide"), "Retours"),
            (Some("(anonymous)"), "Retours"),
            (Some("Adobe Photoshop PDF"), "Retours"),
            (Some("Sans titre 1"), "Retours"),
            (Some("None"), "Retours"),
            (Some("~WRL0003.tmp"), "Retours"),
            (Some("None of the above"), "None of the above"),
            (Some("-"), "Retours"),
            (Some(""), "Retours"),
            (None, "Retours"),
            (Some("Documentation technique"), "Documentation technique"),
        ] {
            assert_eq!(choose(metadata, &outline).as_deref(), Some(expected), "{metadata:?}");
        }
    }

    #[test]
    fn without_a_first_level_the_first_heading_is_the_title() {
        assert_eq!(choose(None, &[heading(3, "A"), heading(2, "B")]).as_deref(), Some("A"));
        assert_eq!(choose(None, &[]), None);
    }
}
