//! Words that are in nearly every text and so say nothing about one.
//!
//! They are left out of questions, where they cost the full-text index most of its time; passages
//! keep them, so that a phrase or a question of nothing else is still found. Folded as
//! [`super::words`] does it. Words that are common in one language and mean something in the other
//! (`but`, `or`, `on`, `the` for *thé*) stand in one list only.

use ancre_domain::Language;

/// Whether `folded` says nothing in this language; without a language, in either.
pub(super) fn is_stop_word(folded: &str, language: Option<Language>) -> bool {
    let is_in = |list: &[&str]| list.binary_search(&folded).is_ok();
    match language {
        Some(Language::Fr) => is_in(FRENCH),
        Some(Language::En) => is_in(ENGLISH),
        None => is_in(FRENCH) || is_in(ENGLISH),
    }
}

/// Sorted, for the search by halves.
#[rustfmt::skip]
const FRENCH: &[&str] = &[
    "a", "afin", "ai", "aie", "ait", "alors", "apres", "as", "au", "aucun", "aucune", "aura",
    "aurai", "aurais", "aurait", "auriez", "aussi", "autre", "autres", "aux", "avaient", "avais",
    "avait", "avant", "avec", "avez", "avoir", "avons", "ayant", "beaucoup", "bien", "bonjour",
    "bonsoir", "ca", "car", "ce", "ceci", "cela", "celle", "celles", "celui", "ces", "cet", "cette",
    "ceux", "chaque", "chez", "ci", "combien", "comme", "comment", "cordialement", "dans", "de",
    "deja", "depuis", "des", "dois", "doit", "doivent", "donc", "dont", "du", "elle", "elles", "en",
    "encore", "entre", "es", "est", "et", "etaient", "etais", "etait", "etant", "ete", "etes",
    "etre", "eu", "eux", "faire", "fais", "fait", "faites", "faut", "font", "ici", "il", "ils",
    "je", "la", "le", "les", "leur", "leurs", "lors", "lorsque", "lui", "ma", "madame", "mais",
    "me", "meme", "memes", "merci", "mes", "mienne", "moi", "moins", "mon", "monsieur", "ne", "ni",
    "nos", "notre", "nous", "on", "ont", "or", "ou", "par", "parce", "pas", "pendant", "peu",
    "peut", "peuvent", "peux", "plus", "pour", "pourquoi", "pourrai", "pourrais", "pourrait",
    "pourriez", "pouvez", "pouvoir", "pouvons", "puis", "puisque", "puisse", "quand", "que", "quel",
    "quelle", "quelles", "quelque", "quelques", "quels", "qui", "quoi", "sa", "salut", "sans", "se",
    "sera", "serai", "serait", "seront", "ses", "si", "sien", "sienne", "sinon", "soient", "sois",
    "soit", "sommes", "son", "sont", "souhaite", "souhaiterais", "sous", "suis", "sur", "svp", "ta",
    "tandis", "te", "tel", "telle", "telles", "tels", "tes", "toi", "ton", "toujours", "tous",
    "tout", "toute", "toutes", "tres", "trop", "tu", "un", "une", "va", "vais", "vas", "vers",
    "veut", "veux", "voici", "voila", "voir", "vont", "vos", "votre", "voudrais", "vous", "y",
];

/// Sorted, for the search by halves.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "anyone", "anything",
    "are", "aren", "as", "at", "be", "because", "been", "before", "being", "both", "but", "by",
    "can", "cannot", "could", "couldn", "dear", "did", "didn", "do", "does", "doesn", "doing",
    "don", "dont", "each", "either", "else", "even", "ever", "for", "from", "further", "get",
    "gets", "getting", "go", "going", "got", "had", "hadn", "has", "hasn", "have", "haven",
    "having", "he", "hello", "her", "here", "hers", "hi", "him", "his", "how", "i", "if", "im",
    "in", "instead", "into", "is", "isn", "it", "its", "just", "know", "let", "like", "many", "may",
    "me", "might", "mine", "more", "most", "much", "must", "my", "need", "no", "nor", "not", "now",
    "of", "off", "on", "once", "one", "only", "or", "other", "our", "ours", "out", "over", "own",
    "please", "regards", "same", "shall", "she", "should", "shouldn", "since", "so", "some",
    "someone", "something", "still", "such", "than", "thank", "thanks", "that", "the", "their",
    "theirs", "them", "then", "there", "these", "they", "this", "those", "though", "through", "to",
    "too", "under", "until", "up", "us", "very", "via", "want", "was", "wasn", "we", "were",
    "weren", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why",
    "will", "with", "without", "won", "would", "wouldn", "yet", "you", "your", "yours",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_folded() {
        for list in [FRENCH, ENGLISH] {
            let unsorted = list.windows(2).find(|pair| pair[0] >= pair[1]);
            assert_eq!(unsorted, None);
            assert!(list.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
        }
    }

    #[test]
    fn a_word_that_means_something_elsewhere_is_kept_there() {
        assert!(is_stop_word("but", Some(Language::En)));
        assert!(!is_stop_word("but", Some(Language::Fr)), "the goal of a game");
        assert!(!is_stop_word("the", Some(Language::Fr)), "to drink");
        assert!(is_stop_word("the", None));
    }
}
