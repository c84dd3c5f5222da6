//! Words without their commonest endings.
//!
//! One light stemmer for French and English together, so that nobody has to know the language of a
//! passage first. Measured on the development set it does what Snowball's two do
//! (`docs/decisions/0014-fusion.md`). A stem only serves to compare; it is never shown.

use std::borrow::Cow;

/// At least so many letters stay, so that short words keep their difference.
const SHORTEST: usize = 4;

/// Longest first, so that the longest that fits is taken.
const ENDINGS: [&str; 18] = [
    "ations", "ements", "ation", "ement", "aient", "antes", "ments", "ment", "ings", "ing", "ent",
    "ee", "ed", "er", "ez", "es", "ie", "e",
];

/// `word`, which is folded, without its commonest French or English ending.
pub fn stem(word: &str) -> Cow<'_, str> {
    if !word.is_ascii() || word.len() <= SHORTEST || word.bytes().any(|byte| byte.is_ascii_digit())
    {
        return Cow::Borrowed(word);
    }
    let mut stem = word;
    if let Some(singular) = stem.strip_suffix(['s', 'x']).filter(|rest| !rest.ends_with('s')) {
        stem = singular;
    }
    let last = stem.bytes().last();
    let ending = ENDINGS
        .iter()
        .filter(|ending| ending.bytes().last() == last)
        .find_map(|ending| stem.strip_suffix(ending).filter(|rest| rest.len() >= SHORTEST));
    let stem = ending.unwrap_or(stem);
    let stem = stem.strip_suffix(['y', 'i']).filter(|rest| rest.len() >= SHORTEST).unwrap_or(stem);
    let bytes = stem.as_bytes();
    let is_doubled = stem.len() > SHORTEST
        && bytes.last() == bytes.get(stem.len() - 2)
        && !stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    Cow::Borrowed(&stem[..stem.len() - usize::from(is_doubled)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_their_stem() {
        for family in [
            &["remboursement", "remboursements", "rembourser", "rembourse", "remboursee"][..],
            &["delai", "delais"],
            &["refund", "refunds", "refunded", "refunding"],
            &["delivery", "deliveries", "delivered"],
            &["shipping", "shipped"],
            &["commande", "commander", "commandes"],
        ] {
            let stems: Vec<_> = family.iter().map(|word| stem(word)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{family:?} → {stems:?}");
        }
    }

    #[test]
    fn codes_and_short_words_stay() {
        for word in ["e1042", "bus", "gaz", "ab12s", "été"] {
            assert_eq!(stem(word), word);
        }
    }
}
