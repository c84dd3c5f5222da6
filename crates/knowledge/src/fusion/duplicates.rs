//! Passages that say the same do not fill the list: of each the best stays.
//!
//! Two passages are near-duplicates when they share more than half of the shorter one's characters
//! in one source, as the last chunk of a document does that is little more than its overlap; or
//! when most runs of five words of the shorter are in the other (Broder's containment of shingles,
//! 1997), as boilerplate in many documents or one source in two bases. Passages with other numbers
//! or codes both stay: between two price lists the number is the answer.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use ancre_domain::{CharRange, Hit, SourceId};

/// How many words make a run.
const RUN: usize = 5;

/// The share of the shorter passage's runs that make it a near-duplicate, as measured.
const SHARE: f64 = 0.8;

/// What was kept so far.
#[derive(Debug, Default)]
pub struct Duplicates {
    places: HashMap<SourceId, Vec<CharRange>>,
    texts: Vec<Text>,
    /// The texts that have a run, so that one is compared only with those it shares something with.
    by_run: HashMap<u64, Vec<usize>>,
}

/// A passage, as it is compared.
#[derive(Debug, PartialEq, Eq)]
struct Text {
    /// The hashes of its runs of words.
    runs: HashSet<u64>,
    /// The words with digits in them.
    codes: BTreeSet<String>,
}

impl Duplicates {
    /// Keeps a passage, unless one that was kept before says the same; says whether it was kept.
    pub fn keep(&mut self, hit: &Hit) -> bool {
        let range = hit.chunk.range;
        let text = Text::of(&hit.chunk.content);
        let is_known = self.has(&text);
        let places = self.places.entry(hit.source_id.clone()).or_default();
        if is_known || places.iter().any(|kept| is_same_place(*kept, range)) {
            return false;
        }
        places.push(range);
        for run in &text.runs {
            self.by_run.entry(*run).or_default().push(self.texts.len());
        }
        self.texts.push(text);
        true
    }

    fn has(&self, text: &Text) -> bool {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for kept in text.runs.iter().filter_map(|run| self.by_run.get(run)).flatten() {
            *shared.entry(*kept).or_default() += 1;
        }
        shared.into_iter().any(|(kept, shared)| self.texts[kept].says_the_same(text, shared))
    }
}

impl Text {
    fn of(content: &str) -> Self {
        let words: Vec<String> = content
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let has_digit = |word: &&String| word.contains(|it: char| it.is_ascii_digit());
        let codes = words.iter().filter(has_digit).cloned().collect();
        let runs = words.windows(RUN.min(words.len()).max(1)).map(hash).collect();
        Self { runs, codes }
    }

    /// Whether it does, having so many runs in common with the other.
    fn says_the_same(&self, other: &Self, shared: usize) -> bool {
        let (shorter, longer) =
            if self.runs.len() <= other.runs.len() { (self, other) } else { (other, self) };
        shorter.codes.is_subset(&longer.codes) && shared as f64 >= SHARE * shorter.runs.len() as f64
    }
}

fn hash(run: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    run.hash(&mut hasher);
    hasher.finish()
}

/// Whether two ranges share more than half of the shorter one.
fn is_same_place(one: CharRange, other: CharRange) -> bool {
    let shared = CharRange { start: one.start.max(other.start), end: one.end.min(other.end) };
    2 * u64::from(shared.char_count()) > u64::from(one.char_count().min(other.char_count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, end: u32) -> CharRange {
        CharRange { start, end }
    }

    fn say_the_same(one: &str, other: &str) -> bool {
        let (one, other) = (Text::of(one), Text::of(other));
        let shared = one.runs.intersection(&other.runs).count();
        let is_same = shared > 0 && one.says_the_same(&other, shared);
        assert_eq!(is_same, shared > 0 && other.says_the_same(&one, shared));
        is_same
    }

    #[test]
    fn a_chunk_that_is_little_more_than_its_overlap_is_a_duplicate() {
        assert!(is_same_place(range(0, 2_000), range(1_800, 2_050)));
        assert!(!is_same_place(range(0, 2_000), range(1_800, 3_800)), "neighbours as usual");
        assert!(is_same_place(range(5, 9), range(5, 9)));
        assert!(!is_same_place(range(0, 10), range(20, 30)));
    }

    #[test]
    fn boilerplate_is_the_same_however_it_is_set() {
        assert!(say_the_same("Tous droits réservés. **Ancre**", "tous droits  réservés — ancre"));
        let notice = "Le service client est ouvert du lundi au vendredi, sauf les jours fériés, \
                      et répond par téléphone comme par courriel à toutes les questions.";
        assert!(say_the_same(notice, &format!("{notice} Page suivante")));
        assert!(!say_the_same(notice, "Le service client est ouvert, mais pas le lundi."));
        assert!(!say_the_same("un deux", "trois quatre"));
    }

    #[test]
    fn passages_with_other_numbers_both_stay() {
        let price = |price: &str| {
            format!("L’abonnement donne droit à tous les services de base et coûte {price} euros.")
        };
        assert!(!say_the_same(&price("19"), &price("29")));
        assert!(say_the_same(&price("19"), &price("19")));
    }
}
