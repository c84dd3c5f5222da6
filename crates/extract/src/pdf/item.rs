//! Lines that begin an item of a list.

/// What begins an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark<'a> {
    /// `-`, or the number with a dot.
    pub(super) mark: String,
    /// The line without the mark; with it, where it says more than that an item begins: `a)`.
    pub(super) rest: &'a str,
    /// Whether nothing else can begin so. A dash or a number may also be in the middle of a
    /// sentence.
    pub(super) is_certain: bool,
}

/// Signs that are nothing but bullets, those of symbol fonts in the private-use area among them.
const BULLETS: [char; 22] = [
    '•', '◦', '▪', '▫', '●', '○', '■', '□', '‣', '⁃', '➢', '➤', '►', '▶', '✓', '✔', '❖',
    '\u{F0B7}', '\u{F0A7}', '\u{F0D8}', '\u{F076}', '\u{F0FC}',
];

/// The mark with which a line begins.
pub(super) fn mark_of(text: &str) -> Option<Mark<'_>> {
    let dash = |rest, is_certain| Some(Mark { mark: "-".to_owned(), rest, is_certain });
    if let Some(rest) = text.strip_prefix(BULLETS) {
        let rest = rest.trim_start();
        return if rest.is_empty() { None } else { dash(rest, true) };
    }
    let (first, rest) = text.split_once(' ')?;
    let rest = rest.trim_start();
    if rest.is_empty() {
        return None;
    }
    if matches!(first, "-" | "–" | "—" | "*" | "·" | "o" | "") {
        return dash(rest, false);
    }
    let number = first.strip_suffix(['.', ')'])?;
    if (1..=3).contains(&number.len()) && number.chars().all(|it| it.is_ascii_digit()) {
        return Some(Mark { mark: format!("{number}."), rest, is_certain: false });
    }
    let is_letter = first.ends_with(')') && number.len() == 1;
    if is_letter && number.chars().all(|it| it.is_ascii_lowercase()) {
        return dash(text, false);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets_dashes_and_numbers_begin_items() {
        let found = |text| mark_of(text).map(|it| (it.mark, it.rest.to_owned()));
        let item = |mark: &str, rest: &str| Some((mark.to_owned(), rest.to_owned()));
        assert_eq!(found("• gratuit"), item("-", "gratuit"));
        assert_eq!(found("\u{F0B7}gratuit"), item("-", "gratuit"));
        assert_eq!(found("– gratuit"), item("-", "gratuit"));
        assert_eq!(found("12. écrire"), item("12.", "écrire"));
        assert_eq!(found("3) écrire"), item("3.", "écrire"));
        assert_eq!(found("a) écrire"), item("-", "a) écrire"));
    }

    #[test]
    fn years_decimals_and_words_begin_none() {
        for text in ["2024. Fin", "1.2 Délais", "-5 degrés", "ou bien", "•", "3."] {
            assert_eq!(mark_of(text), None, "{text}");
        }
    }
}
