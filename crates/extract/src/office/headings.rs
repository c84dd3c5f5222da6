//! Which styles are headings by their names.

/// The level that a style's name says: `heading 2`, `Titre 2`, `Überschrift2`; a document's title
/// is of level 1.
pub(crate) fn level_of_name(name: &str) -> Option<u8> {
    const HEADINGS: [&str; 12] = [
        "heading",
        "titre",
        "überschrift",
        "berschrift",
        "título",
        "ttulo",
        "titolo",
        "kop",
        "rubrik",
        "overskrift",
        "nagłówek",
        "otsikko",
    ];
    const TITLES: [&str; 7] = ["title", "titre", "titel", "título", "titolo", "ttulo", "tytuł"];
    let name = name.trim().to_lowercase().replace("_20_", " ");
    if TITLES.contains(&name.as_str()) {
        return Some(1);
    }
    let (word, number) = name.split_at(name.find(|it: char| it.is_ascii_digit())?);
    let word = word.trim_end_matches([' ', '-', '_']);
    let level: u8 = number.parse().ok().filter(|level| (1..=9).contains(level))?;
    HEADINGS.contains(&word).then_some(level)
}

/// Whether a style is that of the entries of a table of contents: `toc 1`.
pub(crate) fn is_contents_entry(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let number = name.strip_prefix("toc").map(str::trim_start);
    number.is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_table_of_contents_have_styles_of_their_own() {
        for (name, is_entry) in
            [("toc 1", true), ("TOC9", true), ("TOC Heading", false), ("toc", false)]
        {
            assert_eq!(is_contents_entry(name), is_entry, "{name}");
        }
    }

    #[test]
    fn a_name_says_its_level_in_many_languages() {
        let levels = [
            ("heading 1", Some(1)),
            ("Titre 2", Some(2)),
            ("Titre2", Some(2)),
            ("Überschrift 3", Some(3)),
            ("Heading_20_4", Some(4)),
            ("Title", Some(1)),
            ("Titre", Some(1)),
            ("Subtitle", None),
            ("heading", None),
            ("Heading 12", None),
            ("Normal", None),
        ];
        for (name, level) in levels {
            assert_eq!(level_of_name(name), level, "{name}");
        }
    }
}
