//! Which words of an office document somebody wrote, and which a program added by itself.

use crate::content::one_line;

/// The description of a picture, if a person wrote a sentence: no `Picture 1`, no name of a file,
/// nothing that a program guessed.
pub(crate) fn description(text: &str) -> Option<String> {
    const GUESSED: [&str; 7] = [
        "automatically generated",
        "ai-generated content",
        "générée automatiquement",
        "généré automatiquement",
        "généré par l’ia",
        "automatisch generiert",
        "generada automáticamente",
    ];
    let text = one_line(text);
    let lower = text.to_lowercase();
    let is_sentence = text.split(' ').count() >= 4
        && text.chars().filter(|character| character.is_alphabetic()).count() >= 12;
    let is_file = lower.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && ["png", "jpg", "jpeg", "gif", "bmp", "svg", "tif", "tiff", "emf", "wmf", "webp"]
                .contains(&extension)
    });
    let is_address = lower.contains("://") || lower.contains(":\\");
    let is_guessed = GUESSED.iter().any(|guess| lower.contains(guess));
    (is_sentence && !is_file && !is_address && !is_guessed).then_some(text)
}

/// The words of a header or footer without what surrounds a page number; `None` when nothing else
/// is in it.
pub(crate) fn running_words(text: &str) -> Option<String> {
    let line = one_line(text);
    let is_filler = |word: &&str| {
        const FILLERS: [&str; 13] = [
            "page", "pages", "p", "of", "sur", "de", "seite", "von", "página", "pag", "pg", "n",
            "no",
        ];
        let word = word.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
        word.chars().all(|it| !it.is_alphabetic()) || FILLERS.contains(&word.as_str())
    };
    if line.split(' ').all(|word| is_filler(&word)) {
        return None;
    }
    // `Guide – Page ` is what is left of `Guide – Page 3` without its field.
    let tail = [" page", " seite", " p.", " pages"];
    let mut words = line.trim_end_matches(|it: char| !it.is_alphanumeric() && it != '.');
    for filler in tail {
        let lower = words.to_lowercase();
        if lower.ends_with(filler) && lower.len() == words.len() {
            words = words.get(..words.len() - filler.len()).unwrap_or(words);
            words = words.trim_end_matches(|it: char| !it.is_alphanumeric() && it != '.');
        }
    }
    Some(words.trim_end().to_owned()).filter(|words| !words.is_empty())
}

/// A note at its place: ` [note 1: text]`.
pub(crate) fn note(label: &str, text: &str) -> String {
    format!(" [note {label}: {}]", one_line(text))
}

/// A remark on the paragraph before it: `[comment by X: text]`.
pub(crate) fn comment(author: Option<&str>, text: &str) -> String {
    let text = one_line(text);
    match author.map(one_line).filter(|author| !author.is_empty()) {
        Some(author) => format!("[comment by {author}: {text}]"),
        None => format!("[comment: {text}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_sentence_that_a_person_wrote_describes_a_picture() {
        for text in [
            "Picture 1",
            "Capture d’écran 2024-01-01 à 10.00.00.png",
            "A picture containing text, screenshot\n\nDescription automatically generated",
            "https://example.org/a b c d",
            "",
        ] {
            assert_eq!(description(text), None, "{text}");
        }
        let written = "Schéma du branchement de la prise murale";
        assert_eq!(description(written).as_deref(), Some(written));
    }

    #[test]
    fn a_page_number_is_no_words_of_a_footer() {
        for text in ["3", "Page 3 of 12", "- 3 -", "Page  sur ", "3/12"] {
            assert_eq!(running_words(text), None, "{text}");
        }
        assert_eq!(running_words("Guide 2024 – Page ").as_deref(), Some("Guide 2024"));
        assert_eq!(running_words("Ancre S.A.").as_deref(), Some("Ancre S.A."));
    }
}
