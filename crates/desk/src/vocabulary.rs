//! What customers and help centres call the same thing.
//!
//! A customer wants her money back and the page speaks of refunds; another asks in French what
//! the page says in English. `vocabulary.txt` names the concepts of customer support with their
//! expressions in both languages, and this module finds them in a text. A concept that question
//! and sentence share counts nearly as much as a shared word. Words of no concept are left as
//! they are: this is a short list made by hand, not a thesaurus.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::words::{is_content, stem, tokens};

/// A line of the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Concept(u16);

/// The words and concepts of a text that may answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wording {
    /// The content words, folded and stemmed, in order.
    pub terms: Vec<String>,
    /// The concepts, each once.
    pub concepts: Vec<Concept>,
}

impl Wording {
    /// Reads a sentence, a heading or a passage.
    pub fn read(text: &str) -> Self {
        let reading = Reading::of(text);
        let told = reading.found.iter().filter(|found| found.expression.role != Role::Asks);
        let mut concepts: Vec<Concept> =
            told.filter_map(|found| found.expression.concept).collect();
        concepts.sort_unstable();
        concepts.dedup();
        Self { terms: reading.terms_where(|_| true), concepts }
    }
}

/// One thing that a question names: a word, or an expression of a concept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Its content words, folded and stemmed; none in an expression of small words (`how long`).
    pub terms: Vec<String>,
    /// What it stands for, where the vocabulary has it.
    pub concept: Option<Concept>,
    /// Whether it only asks for the concept and does not name it.
    pub is_cue: bool,
}

/// What `question` names, each word and each concept once, in order.
pub(crate) fn asked(question: &str) -> Vec<Asked> {
    let reading = Reading::of(question);
    let mut by_place: Vec<(usize, Asked)> = Vec::new();
    let mut used = vec![false; reading.words.len()];
    for found in &reading.found {
        let Some(concept) =
            found.expression.concept.filter(|_| found.expression.role != Role::Tells)
        else {
            continue;
        };
        found.places.iter().for_each(|place| used[*place] = true);
        let terms = reading.terms_where(|place| found.places.contains(&place));
        let is_cue = found.expression.role == Role::Asks;
        by_place.push((found.places[0], Asked { terms, concept: Some(concept), is_cue }));
    }
    for place in (0..reading.words.len()).filter(|place| !used[*place]) {
        let terms = reading.terms_where(|other| other == place);
        if !terms.is_empty() {
            by_place.push((place, Asked { terms, concept: None, is_cue: false }));
        }
    }
    by_place.sort_by_key(|(place, _)| *place);
    let mut asked: Vec<Asked> = Vec::new();
    for (_, one) in by_place {
        let is_known = |known: &Asked| match one.concept {
            Some(_) => known.concept == one.concept,
            None => known.terms == one.terms,
        };
        if !asked.iter().any(is_known) {
            asked.push(one);
        }
    }
    asked
}

/// Whether an expression may stand in a question, in an answer, or in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Names,
    Asks,
    Tells,
}

#[derive(Debug)]
struct Expression {
    /// `None` for what only takes its words away from other expressions.
    concept: Option<Concept>,
    role: Role,
    /// Stems, small words included; at least one.
    words: Vec<String>,
    /// Before which word a gap is allowed.
    gap: Option<usize>,
}

impl Expression {
    /// The places of its words when it begins at `start`.
    fn places(&self, words: &[Word], start: usize) -> Option<Vec<usize>> {
        let gaps = if self.gap.is_some() { 0..=MAX_GAP } else { 0..=0 };
        gaps.into_iter().find_map(|width| {
            let place = |index: usize| {
                start + index + if self.gap.is_some_and(|gap| index >= gap) { width } else { 0 }
            };
            let fits = |index: usize| {
                words.get(place(index)).is_some_and(|word| word.stem == self.words[index])
            };
            (0..self.words.len()).all(fits).then(|| (0..self.words.len()).map(place).collect())
        })
    }
}

/// How many words may stand in a gap: `send my blue lamp back`.
const MAX_GAP: usize = 3;
const GAP: &str = "...";

struct Word {
    stem: String,
    is_content: bool,
}

struct Found {
    expression: &'static Expression,
    /// Where its words stand.
    places: Vec<usize>,
}

/// A text's words with the expressions in it, which share no word.
struct Reading {
    words: Vec<Word>,
    found: Vec<Found>,
}

impl Reading {
    fn of(text: &str) -> Self {
        let words: Vec<Word> = tokens(text)
            .map(|word| Word { stem: stem(&word), is_content: is_content(&word) })
            .collect();
        let mut is_used = vec![false; words.len()];
        let mut found: Vec<Found> = Vec::new();
        for start in 0..words.len() {
            let beginning = VOCABULARY.by_first_word.get(&words[start].stem);
            let fitting = beginning.into_iter().flatten().find_map(|expression| {
                let places = expression.places(&words, start)?;
                let is_free = places.iter().all(|place| !is_used[*place]);
                is_free.then_some(Found { expression, places })
            });
            if let Some(fitting) = fitting {
                fitting.places.iter().for_each(|place| is_used[*place] = true);
                found.push(fitting);
            }
        }
        Self { words, found }
    }

    fn terms_where(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<String> {
        let content = self.words.iter().enumerate().filter(|(_, word)| word.is_content);
        content.filter(|(at, _)| is_wanted(*at)).map(|(_, word)| word.stem.clone()).collect()
    }
}

#[derive(Debug, Default)]
struct Vocabulary {
    /// The expressions that begin with a stem, the longest first.
    by_first_word: HashMap<String, Vec<Expression>>,
}

static VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::read(include_str!("vocabulary.txt")));

impl Vocabulary {
    fn read(lines: &str) -> Self {
        let mut by_first_word: HashMap<String, Vec<Expression>> = HashMap::new();
        for (number, (name, expressions)) in (0_u16..).zip(concept_lines(lines)) {
            let concept = (name != NO_CONCEPT).then_some(Concept(number));
            for expression in expressions {
                let Some(expression) = read_expression(expression, concept) else { continue };
                let first = expression.words[0].clone();
                by_first_word.entry(first).or_default().push(expression);
            }
        }
        for expressions in by_first_word.values_mut() {
            expressions.sort_by_key(|expression| Reverse(expression.words.len()));
        }
        Self { by_first_word }
    }
}

/// The name of lines that keep words away from concepts.
const NO_CONCEPT: &str = "-";

/// The name and the expressions of each line that is not a comment.
fn concept_lines(lines: &str) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
    lines.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (name, expressions) = line.split_once(": ")?;
        Some((name, expressions.split([',', '/']).map(str::trim)))
    })
}

fn read_expression(text: &str, concept: Option<Concept>) -> Option<Expression> {
    let (role, text) = match text.split_at_checked(1) {
        Some(("?", rest)) => (Role::Asks, rest),
        Some(("!", rest)) => (Role::Tells, rest),
        _ => (Role::Names, text),
    };
    let stems = |text: &str| tokens(text).map(|word| stem(&word)).collect::<Vec<_>>();
    let (words, gap) = match text.split_once(GAP) {
        Some((before, after)) => {
            let mut words = stems(before);
            let gap = words.len();
            words.extend(stems(after));
            (words, Some(gap))
        }
        None => (stems(text), None),
    };
    (!words.is_empty()).then_some(Expression { concept, role, words, gap })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(concept: Concept) -> &'static str {
        let mut lines = concept_lines(include_str!("vocabulary.txt"));
        lines.nth(usize::from(concept.0)).map(|(name, _)| name).expect("it has a line")
    }

    fn told(text: &str) -> Vec<&'static str> {
        Wording::read(text).concepts.into_iter().map(name).collect()
    }

    fn asked_for(text: &str) -> Vec<&'static str> {
        asked(text).into_iter().filter_map(|one| one.concept).map(name).collect()
    }

    #[test]
    fn a_paraphrase_asks_for_what_the_page_tells() {
        for (question, page, concept) in [
            ("When will I get my money back?", "A refund takes 14 days.", "refund"),
            ("How long does shipping take?", "Standard delivery takes 3 to 5 days.", "duration"),
            ("How long does shipping take?", "Standard delivery takes 3 to 5 days.", "delivery"),
            ("Je voudrais être remboursé", "Le remboursement prend 14 jours.", "refund"),
            ("Où est mon colis ?", "Suivre un colis", "tracking"),
            ("Comment vous renvoyer l’article ?", "Faire un retour", "return"),
            ("My package hasn't arrived", "Late or lost parcels", "not arrived"),
            ("I want to send the blue lamp back", "Making a return", "return"),
            ("I can't log in", "The sign-in page", "log in"),
            ("Can I pay by check?", "Cheques are not accepted.", "cheque"),
            ("J’ai besoin d’une facture", "Download your bill", "invoice"),
            ("How do I reset my password?", "Mot de passe oublié", "password"),
            ("Combien ça coûte ?", "The price is on the label.", "price"),
        ] {
            assert!(
                asked_for(question).contains(&concept),
                "{question}: {:?}",
                asked_for(question)
            );
            assert!(told(page).contains(&concept), "{page}: {:?}", told(page));
        }
    }

    #[test]
    fn a_word_with_two_meanings_counts_only_in_its_own() {
        for (text, concept) in [
            ("Click here in order to continue.", "order"),
            ("The names are in alphabetical order.", "order"),
            ("Tapez-le dans la ligne de commande.", "order"),
            ("J’ai lu un livre.", "delivery"),
            ("Feel free to ask.", "free"),
            ("Sauvegardez sur la carte mère.", "card"),
            ("La taille de police est trop petite.", "size"),
            ("Please check the box.", "cheque"),
        ] {
            assert!(!told(text).contains(&concept), "{text}: {:?}", told(text));
        }
        assert!(told("Votre commande est livrée.").contains(&"delivery"));
        assert!(told("Your order is free.").contains(&"order"));
    }

    #[test]
    fn what_only_asks_is_not_told_and_what_only_tells_is_not_asked() {
        assert_eq!(told("How long it takes depends."), Vec::<&str>::new());
        assert_eq!(asked_for("It came 3 days ago."), Vec::<&str>::new());
        let cue = asked("How long?").remove(0);
        assert!(cue.is_cue && cue.terms.is_empty());
    }

    #[test]
    fn the_longer_expression_takes_its_words() {
        assert_eq!(told("Your bank account"), ["bank account"]);
        assert_eq!(told("une mise à jour"), ["update"]);
    }

    #[test]
    fn a_question_names_each_thing_once() {
        let terms: Vec<_> = asked("Refund? I want my money back for the lamp.")
            .into_iter()
            .map(|one| one.terms)
            .collect();
        assert_eq!(terms, [vec!["refund".to_owned()], vec!["lamp".to_owned()]]);
    }

    #[test]
    fn the_file_is_in_order() {
        let mut known: HashMap<(Vec<String>, Option<usize>), &str> = HashMap::new();
        let mut clashes = Vec::new();
        let lines: Vec<&str> = include_str!("vocabulary.txt").lines().collect();
        for line in lines.iter().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            assert_eq!(line.matches('/').count(), 1, "French / English: {line}");
        }
        for (name, expressions) in concept_lines(include_str!("vocabulary.txt")) {
            for text in expressions {
                let expression = read_expression(text, None).expect("an expression has words");
                let is_small = tokens(text).all(|word| !is_content(&word));
                assert!(!is_small || expression.words.len() > 1, "{name}: {text} is a small word");
                let first = known.insert((expression.words, expression.gap), name);
                clashes
                    .extend(first.filter(|first| *first != name).map(|first| (text, first, name)));
            }
        }
        assert!(clashes.is_empty(), "an expression has one concept: {clashes:?}");
    }
}
