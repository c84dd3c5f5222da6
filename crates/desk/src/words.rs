//! Content words, folded so that two sentences can be compared.
//!
//! A message and a passage rarely use the same form of a word (`remboursé`, `remboursements`),
//! nor always the same language, so the fold is the same for French and English: lower case,
//! no diacritics, elisions cut, the commonest endings off. It only serves to compare; a stem is
//! never shown. A full stemmer would need to know the language of every sentence first.

use ancre_domain::Language;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

/// The content words of `text` in order, folded and stemmed; stop words are left out.
pub fn terms(text: &str) -> Vec<String> {
    tokens(text).filter(|word| is_content(word)).map(|word| stem(&word)).collect()
}

/// Whether `word`, which is folded, says what a sentence is about.
pub(crate) fn is_content(word: &str) -> bool {
    !is_stop_word(word) && (word.chars().count() > 1 || word.chars().all(char::is_numeric))
}

/// The language whose small words are the more frequent in `text`; `None` when neither leads.
pub fn language_of(text: &str) -> Option<Language> {
    let (mut french, mut english) = (0_u32, 0_u32);
    for word in tokens(text).take(LANGUAGE_SAMPLE_WORDS) {
        french += u32::from(FRENCH_MARKERS.contains(&word.as_str()));
        english += u32::from(ENGLISH_MARKERS.contains(&word.as_str()));
    }
    match french.cmp(&english) {
        std::cmp::Ordering::Greater => Some(Language::Fr),
        std::cmp::Ordering::Less => Some(Language::En),
        std::cmp::Ordering::Equal => None,
    }
}

/// Lower case without diacritics, ligatures opened.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.nfd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'œ' | 'Œ' => folded.push_str("oe"),
            'æ' | 'Æ' => folded.push_str("ae"),
            '’' => folded.push('\''),
            _ => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

/// The folded words of `text`, with what stands before an elision's apostrophe as its own word.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = String> {
    let folded = fold(text);
    let words: Vec<String> = folded
        .unicode_words()
        .flat_map(|word| word.split(['\'', '.', '_', ':']))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

/// `word`, which is folded, without its commonest French or English ending. At least four letters
/// stay, so that short words keep their difference.
pub(crate) fn stem(word: &str) -> String {
    if !word.is_ascii() || word.len() <= MIN_STEM || word.bytes().any(|byte| byte.is_ascii_digit())
    {
        return word.to_owned();
    }
    let mut stem = word;
    if let Some(singular) = stem.strip_suffix(['s', 'x']).filter(|rest| !rest.ends_with('s')) {
        stem = singular;
    }
    let ending = ENDINGS
        .iter()
        .find_map(|ending| stem.strip_suffix(ending).filter(|rest| rest.len() >= MIN_STEM));
    let stem = ending.unwrap_or(stem);
    let stem = stem.strip_suffix(['y', 'i']).filter(|rest| rest.len() >= MIN_STEM).unwrap_or(stem);
    let doubled = stem.len() > MIN_STEM
        && stem.as_bytes().last() == stem.as_bytes().get(stem.len() - 2)
        && !stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    stem[..stem.len() - usize::from(doubled)].to_owned()
}

const MIN_STEM: usize = 4;
const LANGUAGE_SAMPLE_WORDS: usize = 400;

/// Longest first, so that the longest that fits is taken.
const ENDINGS: [&str; 18] = [
    "ations", "ements", "ation", "ement", "aient", "antes", "ments", "ment", "ings", "ing", "ent",
    "ee", "ed", "er", "ez", "es", "ie", "e",
];

fn is_stop_word(word: &str) -> bool {
    FRENCH_MARKERS.contains(&word)
        || ENGLISH_MARKERS.contains(&word)
        || SHARED_STOP_WORDS.contains(&word)
}

/// Frequent small words that only French has, folded.
const FRENCH_MARKERS: &[&str] = &[
    "le",
    "la",
    "les",
    "un",
    "une",
    "des",
    "du",
    "de",
    "et",
    "ou",
    "que",
    "qui",
    "quoi",
    "quel",
    "quelle",
    "quels",
    "quelles",
    "est",
    "sont",
    "ce",
    "cet",
    "cette",
    "ces",
    "je",
    "j",
    "tu",
    "il",
    "elle",
    "nous",
    "vous",
    "ils",
    "elles",
    "mon",
    "ma",
    "mes",
    "ton",
    "ta",
    "tes",
    "son",
    "sa",
    "ses",
    "notre",
    "nos",
    "votre",
    "vos",
    "leur",
    "leurs",
    "au",
    "aux",
    "en",
    "dans",
    "pour",
    "par",
    "sur",
    "sous",
    "avec",
    "sans",
    "ne",
    "n",
    "pas",
    "plus",
    "se",
    "qu",
    "l",
    "d",
    "c",
    "y",
    "ai",
    "suis",
    "etre",
    "avoir",
    "avez",
    "avons",
    "ont",
    "peut",
    "peux",
    "puis",
    "pouvez",
    "comment",
    "combien",
    "quand",
    "pourquoi",
    "lorsque",
    "si",
    "mais",
    "donc",
    "bonjour",
    "bonsoir",
    "merci",
    "cordialement",
    "salut",
    "svp",
    "voudrais",
    "souhaite",
    "souhaiterais",
    "aimerais",
    "veux",
    "faut",
    "faire",
    "fait",
    "chez",
    "aussi",
    "tres",
    "bien",
    "cela",
    "ca",
    "comme",
    "etait",
    "sera",
    "ete",
    "moi",
    "lui",
    "vers",
    "entre",
    "quelqu",
    "jusqu",
    "lorsqu",
    "puisqu",
    "madame",
    "monsieur",
    "afin",
    "alors",
    "deja",
    "toujours",
    "encore",
    "aide",
    "aider",
    "savoir",
    "dire",
    "dois",
    "doit",
    "doivent",
    "peuvent",
    "pourriez",
    "pourrais",
    "etes",
    "quelques",
    "autre",
    "autres",
    "meme",
    "tout",
    "tous",
    "toute",
    "toutes",
];

/// Frequent small words that only English has.
const ENGLISH_MARKERS: &[&str] = &[
    "the", "of", "and", "or", "to", "is", "are", "was", "were", "be", "been", "being", "an", "i",
    "you", "he", "she", "it", "we", "they", "my", "your", "his", "her", "its", "our", "their",
    "this", "that", "these", "those", "in", "for", "with", "without", "by", "from", "not", "no",
    "how", "what", "when", "where", "why", "which", "who", "do", "does", "did", "don", "doesn",
    "can", "could", "will", "would", "should", "shall", "may", "might", "must", "have", "has",
    "had", "if", "but", "so", "as", "at", "there", "here", "any", "some", "us", "them", "hello",
    "hi", "dear", "please", "thanks", "thank", "regards", "want", "like", "need", "know", "get",
    "got", "am", "re", "ve", "ll", "m", "about", "into", "than", "then", "too", "also", "very",
    "just", "help", "tell", "let", "make", "way", "long", "take", "takes", "much", "many", "t",
    "isn", "cannot",
];

/// Small words of both languages and words that ask without saying what about (`how long does it
/// take`, `combien de temps`); they tell nothing about the language.
const SHARED_STOP_WORDS: &[&str] = &[
    "s", "on", "me", "te", "a", "possible", "question", "temps", "serai", "serait", "serons",
    "serez", "seront", "vais", "vont", "aller", "fera", "long", "take", "takes",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_their_stem() {
        for family in [
            &["remboursement", "remboursements", "rembourser", "remboursé", "remboursée"][..],
            &["délai", "délais", "DÉLAIS"],
            &["refund", "refunds", "refunded", "refunding"],
            &["delivery", "deliveries", "delivered"],
            &["shipping", "shipped"],
            &["commande", "commander", "commandes", "commandé"],
        ] {
            let stems: Vec<_> = family.iter().flat_map(|word| terms(word)).collect();
            assert_eq!(stems.len(), family.len());
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{family:?} → {stems:?}");
        }
    }

    #[test]
    fn small_words_and_elisions_are_not_content() {
        assert_eq!(terms("Quel est le délai d’expédition ?"), ["dela", "expedition"]);
        assert_eq!(terms("How do I get my invoice?"), ["invoic"]);
        assert_eq!(terms("le 14 mai"), ["14", "mai"]);
    }

    #[test]
    fn the_language_is_read_from_small_words() {
        assert_eq!(language_of("Où est passée ma commande ?"), Some(Language::Fr));
        assert_eq!(language_of("Where is my order?"), Some(Language::En));
        assert_eq!(language_of("12345 SKU"), None);
    }
}
