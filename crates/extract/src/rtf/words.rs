//! The words of RTF that stand for characters, and those that begin groups without text; and what
//! the styles of headings are called.

/// Groups without a star that hold no text of the document.
pub(super) const IGNORED: [&str; 30] = [
    "atnauthor",
    "atnid",
    "bkmkend",
    "bkmkstart",
    "colortbl",
    "comment",
    "filetbl",
    "fldinst",
    "footer",
    "footerf",
    "footerl",
    "footerr",
    "ftnsep",
    "ftnsepc",
    "generator",
    "header",
    "headerf",
    "headerl",
    "headerr",
    "listoverridetable",
    "listtable",
    "nonesttables",
    "nonshppict",
    "object",
    "pict",
    "private",
    "revtbl",
    "rxe",
    "tc",
    "xe",
];

/// The character that a word of RTF stands for.
pub(super) fn character_of(name: &str) -> Option<char> {
    Some(match name {
        "tab" => '\t',
        "line" | "lbr" | "column" => '\n',
        "emdash" => '—',
        "endash" => '–',
        "lquote" => '‘',
        "rquote" => '’',
        "ldblquote" => '“',
        "rdblquote" => '”',
        "bullet" => '•',
        "emspace" => '\u{2003}',
        "enspace" => '\u{2002}',
        "qmspace" => '\u{2005}',
        "zwj" => '\u{200D}',
        "zwnj" => '\u{200C}',
        _ => return None,
    })
}

/// What the built-in heading styles are called, in lower case and before their number.
const HEADING_STYLES: [&str; 8] =
    ["heading", "titre", "überschrift", "título", "titolo", "kop", "rubrik", "encabezado"];

/// The level of a style's name, such as `heading 1;`.
pub(super) fn heading_level(name: &str) -> Option<u8> {
    let name = name.trim().trim_end_matches(';').split([',', ';']).next()?.trim().to_lowercase();
    if matches!(name.as_str(), "title" | "titre" | "titel" | "titulo") {
        return Some(1);
    }
    let level = HEADING_STYLES.iter().find_map(|style| name.strip_prefix(style))?;
    level.trim().parse().ok().filter(|level| (1..=9).contains(level))
}
