//! Accents that a file sets as signs of their own before their letters.
//!
//! Old TeX fonts have no accented letters: “été” is written “´et´e”, each accent a sign that is
//! drawn over the next letter. They become one letter here, as everywhere else.

use unicode_normalization::char::compose;

/// The text with accents and letters joined.
pub(super) fn joined(text: &str) -> String {
    if !text.contains(|it| combining(it).is_some()) {
        return text.to_owned();
    }
    let mut joined = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let whole =
            combining(character).zip(characters.peek().copied()).and_then(|(mark, next)| {
                let letter = if next == 'ı' { 'i' } else { next };
                compose(letter, mark)
            });
        let is_sign = character == '`' && !is_grave(&joined, characters.clone().nth(1));
        match whole.filter(|_| !is_sign) {
            Some(whole) => {
                joined.push(whole);
                characters.next();
            }
            None => joined.push(character),
        }
    }
    joined
}

/// The combining form of a spacing accent.
const fn combining(accent: char) -> Option<char> {
    match accent {
        '`' => Some('\u{300}'),
        '´' => Some('\u{301}'),
        'ˆ' => Some('\u{302}'),
        '˜' => Some('\u{303}'),
        '¨' => Some('\u{308}'),
        'ˇ' => Some('\u{30C}'),
        '¸' => Some('\u{327}'),
        _ => None,
    }
}

/// Whether a backtick is an accent: in a word, or on the single letter of “à”; not around code.
fn is_grave(before: &str, after_letter: Option<char>) -> bool {
    let is_in_word = before.chars().next_back().is_some_and(char::is_alphabetic);
    let ends_word = after_letter.is_none_or(char::is_whitespace);
    after_letter != Some('`') && (is_in_word || ends_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_before_their_letters_join_them() {
        assert_eq!(
            joined("d´ej`a tr`es na¨ıf, `a la fa¸con ˆetre"),
            "déjà très naïf, à la façon être"
        );
    }

    #[test]
    fn signs_that_accent_nothing_stay() {
        for text in ["`a` and `code`", "5´ 30", "a ¨ b", "plain"] {
            assert_eq!(joined(text), text);
        }
    }
}
