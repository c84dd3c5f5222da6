//! The words of a text in the form in which they are compared.
//!
//! Passages and questions go through the same folding: lower case without diacritics, ligatures
//! opened and presentation forms made plain, elided articles and English contractions cut off,
//! soft hyphens and other invisible characters gone, digits that stand in groups of three joined.
//! Each word knows where it stood, so that what matched can be shown. No word is judged here; that
//! some are too common to be searched is [`super::stop_words`]' affair.

use std::ops::Range;

use ancre_extract::fold_for_index;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Its folded form: letters and digits only, never empty.
    pub folded: String,
    /// Where it stood, in bytes of the text.
    pub range: Range<usize>,
    /// Whether it is a part of the joined number before it, which says it already.
    pub is_part: bool,
}

impl Word {
    pub(super) fn is_number(&self) -> bool {
        self.folded.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// What French cuts to an apostrophe before a vowel, and the same before `un`, `il`, `on`.
const ELISIONS: [&str; 17] = [
    "l", "d", "j", "n", "s", "c", "m", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "presqu",
    "quelqu", "qq", "z",
];

/// What English hangs on a word behind an apostrophe.
const CONTRACTIONS: [&str; 7] = ["s", "t", "d", "ll", "re", "ve", "m"];

/// The words of `text`, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut scan = Scan::default();
    for (at, character) in text.char_indices() {
        if is_word_character(character) || (scan.is_open() && is_combining_mark(character)) {
            scan.extend(at, character);
        } else if is_invisible(character) {
            // It stands within a word as well as between two, and divides nothing.
        } else if is_raised_digit(character) && scan.is_open() && scan.is_unit() {
            scan.extend(at, character);
        } else {
            scan.close(&mut words);
            scan.follows_apostrophe = is_apostrophe(character) && scan.closed_at == Some(at);
        }
    }
    scan.close(&mut words);
    let mut words = drop_elisions(text, words);
    mend_electronic(text, &mut words);
    join_numbers(text, &words)
}

/// A word that is being read.
#[derive(Default)]
struct Scan {
    letters: String,
    range: Range<usize>,
    /// Where the last word ended, and whether an apostrophe is all that stood since.
    closed_at: Option<usize>,
    follows_apostrophe: bool,
}

impl Scan {
    fn is_open(&self) -> bool {
        !self.letters.is_empty()
    }

    /// Whether the word may be a unit, as `m` in `m²`; behind longer ones a raised digit is the
    /// number of a note.
    fn is_unit(&self) -> bool {
        self.letters.chars().all(char::is_alphabetic) && self.letters.chars().count() <= 2
    }

    fn extend(&mut self, at: usize, character: char) {
        if self.letters.is_empty() {
            self.range.start = at;
        }
        self.range.end = at + character.len_utf8();
        self.letters.push(character);
    }

    fn close(&mut self, words: &mut Vec<Word>) {
        if self.letters.is_empty() {
            return;
        }
        let folded = fold(&self.letters);
        self.letters.clear();
        self.closed_at = Some(self.range.end);
        let is_contraction = self.follows_apostrophe && CONTRACTIONS.contains(&folded.as_str());
        self.follows_apostrophe = false;
        if !is_contraction && !folded.is_empty() {
            words.push(Word { folded, range: self.range.clone(), is_part: false });
        }
    }
}

/// Takes away what stands before the apostrophe of an elision.
fn drop_elisions(text: &str, words: Vec<Word>) -> Vec<Word> {
    let is_elision = |word: &Word| {
        let mut after = text[word.range.end..].chars();
        after.next().is_some_and(is_apostrophe)
            && after.next().is_some_and(char::is_alphabetic)
            && ELISIONS.contains(&word.folded.as_str())
    };
    words.into_iter().filter(|word| !is_elision(word)).collect()
}

/// `e-mail` is the word `email`, and so on: the letter alone says nothing.
fn mend_electronic(text: &str, words: &mut Vec<Word>) {
    const SHORTEST: usize = 4;
    let mut at = 0;
    while at + 1 < words.len() {
        let (letter, word) = (&words[at], &words[at + 1]);
        let gap = &text[letter.range.end..word.range.start];
        let joins = letter.folded == "e"
            && is_hyphens(gap)
            && word.folded.len() >= SHORTEST
            && word.folded.chars().all(char::is_alphabetic);
        if joins {
            let word = words.remove(at + 1);
            words[at].folded.push_str(&word.folded);
            words[at].range.end = word.range.end;
        }
        at += 1;
    }
}

/// `1 000`, `1,000` and `1’000` are the number `1000`. Where nothing but a plain blank divides the
/// groups they may be numbers of their own, so the parts stay too.
fn join_numbers(text: &str, words: &[Word]) -> Vec<Word> {
    let mut joined = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some(first) = rest.first() {
        let length = 1 + groups_after(text, rest);
        let (group, after) = rest.split_at(length);
        if length == 1 || !stands_alone(text, group) {
            joined.push(first.clone());
            rest = &rest[1..];
            continue;
        }
        let start = first.range.start;
        let end = group.last().map_or(first.range.end, |last| last.range.end);
        let folded = group.iter().map(|word| word.folded.as_str()).collect();
        joined.push(Word { folded, range: start..end, is_part: false });
        if text[first.range.end..].starts_with(' ') {
            joined.extend(group.iter().map(|word| Word { is_part: true, ..word.clone() }));
        }
        rest = after;
    }
    joined
}

/// How many groups of three digits follow the first word as parts of one number.
fn groups_after(text: &str, words: &[Word]) -> usize {
    let Some(first) = words.first() else { return 0 };
    if !first.is_number() || first.folded.len() > 3 || first.folded.starts_with('0') {
        return 0;
    }
    let mut separator = None;
    let mut end = first.range.end;
    let follows = words[1..].iter().take_while(|word| {
        let gap = &text[end..word.range.start];
        let is_group = word.is_number()
            && word.folded.len() == 3
            && is_thousands_separator(gap)
            && *separator.get_or_insert(gap) == gap;
        end = word.range.end;
        is_group
    });
    follows.count()
}

/// Whether nothing is joined to either end of the number that would make it a part of a date, a
/// code or an address.
fn stands_alone(text: &str, group: &[Word]) -> bool {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return false };
    let mut before = text[..first.range.start].chars().rev();
    let (mark, digit) = (before.next(), before.next());
    // `0 800 123` is a number to call, of which `800 123` is a part.
    let goes_on = mark.is_some_and(|it| is_thousands_separator(it.encode_utf8(&mut [0; 4])))
        && digit.is_some_and(|it| it.is_ascii_digit());
    let mut after = text[last.range.end..].chars();
    let joins = |it: char| matches!(it, '-' | '_' | '/' | '.' | ',' | ':' | '@' | '#');
    // A decimal part belongs to the number and is a word of its own: `1 000,50`.
    let is_decimal = |it: char| matches!(it, '.' | ',');
    let is_joined_after = match (after.next(), after.next()) {
        (Some(mark), Some(next)) => joins(mark) && next.is_alphanumeric() && !is_decimal(mark),
        _ => false,
    };
    !goes_on && !mark.is_some_and(joins) && !is_joined_after
}

fn is_thousands_separator(gap: &str) -> bool {
    let mut characters = gap.chars();
    let first = characters.next();
    characters.next().is_none()
        && first.is_some_and(|it| {
            is_apostrophe(it) || matches!(it, ' ' | ',' | '\u{A0}' | '\u{202F}' | '\u{2009}')
        })
}

/// The form in which a word is compared.
fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let is_arabic = |it: char| matches!(it, '\u{600}'..='\u{6FF}' | '\u{FB50}'..='\u{FEFC}');
    if word.contains(is_arabic) {
        return plain(&fold_for_index(word));
    }
    plain(word)
}

fn plain(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for character in word.nfc() {
        let mut decomposed = String::new();
        decompose_compatible(character, |part| decomposed.push(part));
        // `½` would become `1⁄2`, and then two numbers.
        let is_whole = decomposed.chars().all(|it| it.is_alphanumeric() || is_combining_mark(it));
        if !is_whole {
            folded.push(character);
            continue;
        }
        for part in decomposed.chars().filter(|part| !is_combining_mark(*part)) {
            match part {
                'œ' | 'Œ' => folded.push_str("oe"),
                'æ' | 'Æ' => folded.push_str("ae"),
                'ß' | 'ẞ' => folded.push_str("ss"),
                'ø' | 'Ø' => folded.push('o'),
                'ł' | 'Ł' => folded.push('l'),
                _ => folded.extend(part.to_lowercase().filter(|it| !is_combining_mark(*it))),
            }
        }
    }
    folded
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() && !is_raised_digit(character)
}

fn is_raised_digit(character: char) -> bool {
    matches!(character, '²' | '³' | '¹' | '\u{2070}'..='\u{2079}' | '\u{2080}'..='\u{2089}')
}

pub(super) fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '‛' | 'ʼ' | '′' | '`' | '´' | '\u{FF07}')
}

/// Whether it is one hyphen of whatever kind.
pub(super) fn is_hyphens(gap: &str) -> bool {
    let mut characters = gap.chars();
    characters.next().is_some_and(is_hyphen) && characters.next().is_none()
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}')
}

fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        words(text).into_iter().map(|word| word.folded).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn french_words_lose_their_marks_and_elisions() {
        for (text, expected) in [
            ("L’échéance de l'abonné", "echeance de abonne"),
            ("Jusqu’à ce qu'il n'ait d’œuvre", "a ce il ait oeuvre"),
            ("lorsqu'on, puisqu’elle, quoiqu'il", "on elle il"),
            ("« Aujourd’hui »", "aujourd hui"),
            ("Où est-ce que j’ai garé LÀ-BAS ?", "ou est ce que ai gare la bas"),
            ("rembour\u{AD}sement main\u{200B}tenant", "remboursement maintenant"),
            ("une ﬁche eﬃcace", "une fiche efficace"),
            ("cle\u{301} de\u{301}composée", "cle decomposee"),
        ] {
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn english_contractions_and_possessives_are_cut() {
        assert_eq!(folded("I don't see the customer’s e-mail"), "i don see the customer email");
        assert_eq!(folded("O'Brien isn’t here, we'll wait"), "o brien isn here we wait");
    }

    #[test]
    fn grouped_digits_are_one_number() {
        for text in ["12\u{202F}345 €", "12\u{A0}345", "12,345", "12’345"] {
            assert_eq!(folded(text), "12345", "{text}");
        }
        assert_eq!(folded("12 345 €"), "12345 12 345", "they may be two numbers");
        assert_eq!(folded("1\u{202F}234\u{202F}567,89"), "1234567 89");
        for apart in ["0 800 123", "2.4.100", "30-11 2026", "1 2345", "AB-12 345", "24/7 365"] {
            assert!(words(apart).iter().all(|it| !it.is_part), "{apart}: {}", folded(apart));
        }
    }

    #[test]
    fn notes_are_no_part_of_a_word_and_units_are() {
        assert_eq!(folded("remboursement¹ de 20 m²"), "remboursement de 20 m2");
        assert_eq!(folded("½ tarif, nº\u{A0}5, ＡＢ１２"), "½ tarif no 5 ab12");
    }

    #[test]
    fn a_word_knows_where_it_stood() {
        let text = "Voilà l’E-1042 : « échéance »";
        let shown: Vec<&str> = words(text).iter().map(|word| &text[word.range.clone()]).collect();
        assert_eq!(shown, ["Voilà", "E", "1042", "échéance"]);
    }
}
