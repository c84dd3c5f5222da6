//! Which pages look garbled.
//!
//! A PDF may show letters and say others: fonts without a table of their characters, or with a
//! wrong one, come out as “7KH TXLFN”, as private signs or with a space after each letter. Each
//! page gets a score from 0 to 1 of three looks at it: do its words look like words, are its
//! letters as frequent as letters are, is anything no character at all. No dictionary is needed,
//! and pages of other than Latin letters are judged by the last look alone.
//!
//! Score = (0.4 words + 0.6 letters) × (1 − 2 × broken) × (1 − spaced), where
//!
//! - *words* is 0.6 × the share of words that can be spoken + 0.4 × the share of the most frequent
//!   French and English words, full at 10 % (texts of the two have 40 %, other languages and
//!   tables 0 to 10 %),
//! - *letters* is how much the frequencies of a to z resemble those of European languages (cosine,
//!   0 at 0.68 and 1 at 0.85: measured were 0.83 and more for real pages, 0.66 and less for
//!   shifted alphabets),
//! - *broken* is the share of U+FFFD, private-use and non-characters,
//! - *spaced* is the share of words of one letter beyond 30 %, full at 100 %.
//!
//! Pages under 0.35 are flagged; real ones score 0.6 and more. Shorter pages than 40 words are only
//! flagged when over 10 % of them are broken. Pages of which only a part is garbled score well; what
//! commonly garbles a part is looked for apart (`displaced`).

mod displaced;

use std::collections::HashSet;

use ancre_domain::Pagination;
use unicode_normalization::UnicodeNormalization as _;

/// Pages under this score are flagged.
const MIN_SCORE: f32 = 0.35;

/// Fewer words tell nothing.
const MIN_WORDS: u32 = 40;

/// A page with more broken characters than this share is flagged, however short.
const MAX_BROKEN: f32 = 0.10;

/// And at least so many: one strange bullet on a page of two words is none.
const MIN_BROKEN: u32 = 5;

/// Pages of fewer different words, in percent, repeat them like the cells of a form; how frequent
/// their letters are says nothing.
const MIN_DIFFERENT: u32 = 5;

/// Of the letters of a page, this share must be Latin for its words to be judged.
const MIN_LATIN: f32 = 0.5;

/// How frequent a to z are, in percent: the mean of English and French (H. Beker and F. Piper,
/// *Cipher Systems*, 1982; the French Wikipedia, 2008), accents left out.
const LETTERS: [f32; 26] = [
    8.1, 1.2, 3.0, 4.0, 15.0, 1.6, 1.5, 3.4, 7.3, 0.3, 0.4, 4.7, 2.7, 6.9, 6.5, 2.4, 0.7, 6.3, 7.1,
    8.1, 4.6, 1.3, 1.2, 0.3, 1.1, 0.1,
];

/// The most frequent words of French and English with two letters or more.
const FREQUENT: [&str; 76] = [
    "au", "aux", "avec", "ce", "cette", "dans", "de", "des", "du", "elle", "en", "est", "et", "il",
    "je", "la", "le", "les", "leur", "mais", "ne", "nous", "ou", "par", "pas", "plus", "pour",
    "que", "qui", "sa", "se", "ses", "son", "sont", "sur", "un", "une", "vos", "votre", "vous",
    "an", "and", "are", "as", "at", "be", "but", "by", "can", "for", "from", "has", "have", "if",
    "in", "is", "it", "its", "more", "not", "of", "on", "or", "our", "that", "the", "their",
    "this", "to", "was", "we", "which", "will", "with", "you", "your",
];

/// The numbers of the pages whose text is hardly text, ascending as the pages are.
pub(crate) fn garbled_pages(text: &str, pagination: &Pagination) -> Vec<u32> {
    let mut starts = pagination.pages.iter().map(|page| page.start).skip(1);
    let mut characters = text.char_indices();
    let mut from = 0;
    let mut position = pagination.pages.first().map_or(0, |page| page.start);
    if let Some((at, _)) = characters.nth(position as usize) {
        from = at;
        position += 1;
    }
    let mut garbled = Vec::new();
    for page in &pagination.pages {
        let end = match starts.next() {
            Some(next) if next < position => from,
            Some(next) => {
                let at = characters.nth((next - position) as usize);
                position = next + 1;
                at.map_or(text.len(), |(at, _)| at)
            }
            None => text.len(),
        };
        if is_garbled(text.get(from..end).unwrap_or_default()) {
            garbled.push(page.number);
        }
        from = end;
    }
    garbled
}

fn is_garbled(page: &str) -> bool {
    let look = Look::at(page);
    let broken = share(look.broken, look.characters);
    if look.broken >= MIN_BROKEN && broken > MAX_BROKEN {
        return true;
    }
    if displaced::is_much_of(page) {
        return true;
    }
    let repeats = look.different * 100 < MIN_DIFFERENT * look.words;
    if repeats && share(look.spoken, look.words) > 0.5 {
        return false;
    }
    let is_judged = look.words >= MIN_WORDS && share(look.latin, look.letters) >= MIN_LATIN;
    is_judged && look.score() < MIN_SCORE
}

/// What is counted on a page.
#[derive(Debug, Default)]
struct Look {
    /// Visible characters, those of them that are none, letters, and Latin letters.
    characters: u32,
    broken: u32,
    letters: u32,
    latin: u32,
    /// Latin words; of them the different and the frequent ones, those that can be spoken, and
    /// those of one letter.
    words: u32,
    different: u32,
    frequent: u32,
    spoken: u32,
    single: u32,
    /// How often a to z occur.
    counts: [u32; 26],
}

impl Look {
    fn at(page: &str) -> Self {
        let mut look = Self::default();
        let mut different = HashSet::new();
        for token in page.split_whitespace() {
            look.count_characters(token);
            // An apostrophe and a hyphen divide words: “l'eau”, “porte-clé”.
            for word in token.split(|it: char| !it.is_alphanumeric() && !is_broken(it)) {
                if look.count_word(word) && different.insert(word) {
                    look.different += 1;
                }
            }
        }
        look
    }

    fn count_characters(&mut self, token: &str) {
        for character in token.chars() {
            self.characters += 1;
            self.broken += u32::from(is_broken(character));
            if character.is_alphabetic() {
                self.letters += 1;
                if let Some(letter) = plain_letter(character) {
                    self.latin += 1;
                    if let Some(count) = self.counts.get_mut(usize::from(letter - b'a')) {
                        *count += 1;
                    }
                }
            }
        }
    }

    /// Whether it is a Latin word, and was counted.
    fn count_word(&mut self, word: &str) -> bool {
        let letters: Option<Vec<u8>> = word.chars().map(plain_letter).collect();
        // Numbers, codes and other scripts are neither good nor bad.
        let Some(letters) = letters.filter(|letters| !letters.is_empty()) else { return false };
        self.words += 1;
        self.single += u32::from(letters.len() == 1);
        self.frequent += u32::from(FREQUENT.contains(&word.to_lowercase().as_str()));
        self.spoken += u32::from(can_be_spoken(word, &letters));
        true
    }

    fn score(&self) -> f32 {
        let frequent = (share(self.frequent, self.words) / 0.10).min(1.0);
        let words = 0.6 * share(self.spoken, self.words) + 0.4 * frequent;
        let letters = ((self.resemblance() - 0.68) / 0.17).clamp(0.0, 1.0);
        let broken = (1.0 - 2.0 * share(self.broken, self.characters)).max(0.0);
        let spaced = ((share(self.single, self.words) - 0.3) / 0.7).max(0.0);
        (0.4 * words + 0.6 * letters) * broken * (1.0 - spaced)
    }

    /// The cosine of the angle between the letters' frequencies here and in language.
    fn resemblance(&self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "a page has few characters")]
        let counts = self.counts.map(|count| count as f32);
        let product = |one: &[f32], other: &[f32]| -> f32 {
            one.iter().zip(other).map(|(one, other)| one * other).sum()
        };
        let lengths = (product(&counts, &counts) * product(&LETTERS, &LETTERS)).sqrt();
        if lengths > 0.0 { product(&counts, &LETTERS) / lengths } else { 0.0 }
    }
}

/// A replacement, a private sign, or what Unicode keeps free of characters for ever.
fn is_broken(character: char) -> bool {
    matches!(character,
        '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' | '\u{FDD0}'..='\u{FDEF}')
        || u32::from(character) & 0xFFFE == 0xFFFE
}

/// The letter a to z under a Latin letter; of a ligature, the first.
fn plain_letter(character: char) -> Option<u8> {
    if character.is_ascii() {
        return character.is_ascii_alphabetic().then(|| character.to_ascii_lowercase() as u8);
    }
    match character {
        'æ' | 'Æ' => Some(b'a'),
        'œ' | 'Œ' | 'ø' | 'Ø' => Some(b'o'),
        'ß' => Some(b's'),
        'ł' | 'Ł' => Some(b'l'),
        'đ' | 'Đ' | 'ð' => Some(b'd'),
        'ı' => Some(b'i'),
        '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | '\u{FB00}'..='\u{FB06}' => {
            let first = std::iter::once(character).nfkd().next()?;
            first.is_ascii_alphabetic().then(|| first.to_ascii_lowercase() as u8)
        }
        _ => None,
    }
}

/// Whether a mouth could say it: a vowel, no heap of consonants, no letter three times, no capital
/// after a small letter, a length words have. Abbreviations in capitals pass.
fn can_be_spoken(word: &str, letters: &[u8]) -> bool {
    const MAX_LENGTH: usize = 25;
    const MAX_CONSONANTS: usize = 5;
    let is_vowel = |letter: &u8| b"aeiouy".contains(letter);
    let mixes = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    if letters.len() > MAX_LENGTH || mixes {
        return false;
    }
    if letters.len() <= 5 && word.chars().all(char::is_uppercase) {
        return true;
    }
    let heap = letters.split(is_vowel).map(<[u8]>::len).max().unwrap_or_default();
    let thrice = letters.windows(3).any(|it| matches!(it, [a, b, c] if a == b && b == c));
    (letters.len() == 1 || letters.iter().any(is_vowel)) && heap <= MAX_CONSONANTS && !thrice
}

fn share(part: u32, of: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a page has few characters")]
    let share = part as f32 / of.max(1) as f32;
    share
}

#[cfg(test)]
mod tests {
    use ancre_domain::{PageKind, TextPage};

    use super::*;

    const FRENCH: &str = "Vous avez trente jours pour renvoyer un article qui ne convient pas. Le \
        remboursement est fait sur le moyen de paiement de la commande, en cinq jours ouvrés. Les \
        frais de retour sont à la charge du client, sauf si l'article est défectueux. Pour toute \
        question, écrivez à notre service, qui répond en deux jours.";
    const ENGLISH: &str = "You have thirty days to return an item that does not fit. The refund is \
        made to the means of payment of the order within five working days. The cost of the return \
        is paid by the customer unless the item is broken. For any question, write to our service, \
        which answers in two days, or call us on any day of the week.";

    fn shifted(text: &str, by: u8) -> String {
        let shift = |it: char| match plain_letter(it) {
            Some(letter) => char::from(b'a' + (letter - b'a' + by) % 26),
            None => it,
        };
        text.chars().map(shift).collect()
    }

    #[test]
    fn shifted_alphabets_are_garbled() {
        for by in 1..26 {
            for text in [FRENCH, ENGLISH] {
                let text = shifted(text, by);
                assert!(is_garbled(&text), "{by}: {} {text}", Look::at(&text).score());
            }
        }
    }

    #[test]
    fn glyph_numbers_taken_for_characters_are_garbled() {
        // A font without a table, whose first glyph is 29 places after its code.
        let text: String = ENGLISH
            .chars()
            .map(|it| if it == ' ' { it } else { char::from(u8::try_from(it).unwrap() - 29) })
            .collect();
        assert!(is_garbled(&text), "{} {text}", Look::at(&text).score());
    }

    #[test]
    fn a_space_after_each_letter_is_garbled() {
        let text: String = ENGLISH.chars().flat_map(|it| [it, ' ']).collect();
        assert!(is_garbled(&text), "{}", Look::at(&text).score());
    }

    #[test]
    fn private_signs_are_garbled_on_short_pages_too() {
        let private: String =
            "Bonjour".chars().map(|it| char::from_u32(0xE000 + u32::from(it)).unwrap()).collect();
        assert!(is_garbled(&private));
        assert!(is_garbled("Prix\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD} 29"));
        assert!(!is_garbled("\u{F0B7} gratuit \u{F0B7} rapide"));
    }

    #[test]
    fn a_page_of_which_a_part_is_garbled_is_too() {
        let half: String = FRENCH
            .chars()
            .map(|it| u8::try_from(it).ok().filter(|it| (62..0x7F).contains(it)))
            .map(|it| it.map_or(' ', |it| char::from(it - 29)))
            .collect();
        assert!(is_garbled(&format!("{FRENCH} {half}")));
        assert!(!is_garbled(&format!("{FRENCH} {ENGLISH} {FRENCH}")));
    }

    #[test]
    fn one_word_again_and_again_is_not() {
        let cells: String = (0..60).map(|it| format!("cell[{}][{}] ", it / 5, it % 5)).collect();
        assert!(!is_garbled(&cells), "{}", Look::at(&cells).score());
        assert!(is_garbled(&"aaa aaaa ".repeat(30)));
    }

    #[test]
    fn real_texts_are_not() {
        let german = "Sie haben dreißig Tage Zeit, um einen Artikel zurückzuschicken, der nicht \
            passt. Die Rückzahlung erfolgt innerhalb von fünf Werktagen auf das bei der Bestellung \
            verwendete Zahlungsmittel. Die Kosten der Rücksendung trägt der Kunde, außer wenn der \
            Artikel schadhaft ist. Bei Fragen schreiben Sie bitte unserem Kundendienst.";
        let polish = "Masz trzydzieści dni na zwrot artykułu, który nie pasuje. Zwrot pieniędzy \
            następuje w ciągu pięciu dni roboczych na środek płatności użyty przy zamówieniu. \
            Koszty zwrotu ponosi klient, chyba że artykuł jest wadliwy. W razie pytań prosimy \
            napisać do naszego działu obsługi klienta, który odpowiada w ciągu dwóch dni.";
        let russian =
            "У вас есть тридцать дней, чтобы вернуть товар, который не подходит. ".repeat(8);
        let arabic = "لديك ثلاثون يوما لإرجاع المنتج الذي لا يناسبك ".repeat(8);
        let chinese = "您 有 三十 天 的 时间 退回 不 合适 的 商品 ".repeat(8);
        let table =
            "Réf. Produit Prix A-12 Câble USB-C 2 m 9,90 € A-13 Adaptateur HDMI 4K 19,90 € \
            B-07 Chargeur 65 W 29,90 € B-08 Batterie 10 000 mAh 39,90 € C-01 Souris BT 5.0 14,90 € "
                .repeat(4);
        let shouted = ENGLISH.to_uppercase();
        for text in [FRENCH, ENGLISH, german, polish, &russian, &arabic, &chinese, &table, &shouted]
        {
            assert!(!is_garbled(text), "{} {text}", Look::at(text).score());
        }
    }

    #[test]
    fn the_page_is_named_and_blank_ones_are_none() {
        let garbled = shifted(ENGLISH, 7);
        let text = format!("{FRENCH}\n\n{garbled}\n\n{ENGLISH}");
        let second = u32::try_from(FRENCH.chars().count() + 2).unwrap();
        let third = second + u32::try_from(garbled.chars().count() + 2).unwrap();
        let starts = [0, second, third, third];
        let pages = starts
            .into_iter()
            .zip(1..)
            .map(|(start, number)| TextPage { number, label: None, start })
            .collect();
        let pagination = Pagination { kind: PageKind::Page, pages };
        assert_eq!(garbled_pages(&text, &pagination), [2]);
    }
}
