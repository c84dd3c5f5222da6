//! Passages that say the same do not fill the list: of each the best stays.
//!
//! Two passages are near-duplicates when they share more than half of the shorter one's characters
//! in one source, as the last chunk of a document does that is little more than its overlap; or
//! when their words are the same, as boilerplate in many documents or one source in two bases.
//! Passages that differ in a single word or number both stay: in price lists that word is the answer.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use ancre_domain::{CharRange, Hit, SourceId};

/// What was kept so far.
#[derive(Debug, Default)]
pub struct Duplicates {
    places: Vec<(SourceId, CharRange)>,
    texts: HashSet<u64>,
}

impl Duplicates {
    /// Keeps a passage, unless one that was kept before says the same; says whether it was kept.
    pub fn keep(&mut self, hit: &Hit) -> bool {
        let range = hit.chunk.range;
        let overlaps = |(source, kept): &(SourceId, CharRange)| {
            *source == hit.source_id && is_same_place(*kept, range)
        };
        if self.places.iter().any(overlaps) || !self.texts.insert(fingerprint(&hit.chunk.content)) {
            return false;
        }
        self.places.push((hit.source_id.clone(), range));
        true
    }
}

/// Whether two ranges share more than half of the shorter one.
fn is_same_place(one: CharRange, other: CharRange) -> bool {
    let shared = CharRange { start: one.start.max(other.start), end: one.end.min(other.end) };
    2 * u64::from(shared.char_count()) > u64::from(one.char_count().min(other.char_count()))
}

/// The same for texts whose letters and digits are the same, however they are set.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut is_between = true;
    for character in text.chars() {
        if character.is_alphanumeric() {
            character.to_lowercase().for_each(|it| it.hash(&mut hasher));
        } else if !is_between {
            ' '.hash(&mut hasher);
        }
        is_between = !character.is_alphanumeric();
    }
    if !is_between {
        ' '.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, end: u32) -> CharRange {
        CharRange { start, end }
    }

    #[test]
    fn a_chunk_that_is_little_more_than_its_overlap_is_a_duplicate() {
        assert!(is_same_place(range(0, 2_000), range(1_800, 2_050)));
        assert!(!is_same_place(range(0, 2_000), range(1_800, 3_800)), "neighbours as usual");
        assert!(is_same_place(range(5, 9), range(5, 9)));
        assert!(!is_same_place(range(0, 10), range(20, 30)));
    }

    #[test]
    fn texts_are_the_same_by_their_words() {
        let same = fingerprint("Tous droits réservés. **Ancre**");
        assert_eq!(fingerprint("tous droits  réservés — ancre"), same);
        assert_ne!(fingerprint("Tous droits réservés. Ancre 2"), same);
        assert_ne!(fingerprint("ab c"), fingerprint("a bc"));
    }
}
