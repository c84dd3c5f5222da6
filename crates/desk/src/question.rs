//! What the customer asks, freed from the rest of the mail.
//!
//! A message greets, tells a story, asks one thing or three, quotes the mail it answers and signs.
//! Only the asking and its context are worth searching for. [`clean_message`] takes the frame
//! away, [`search_query`] makes one text for the search, and [`questions`] separates the things
//! that are asked, so that each can get its own answer.

mod cues;

use std::borrow::Cow;

use ancre_knowledge::sentences::sentences;

use self::cues::{ASKING_STARTS, CLAUSE_STARTS, CLOSINGS, GREETINGS, REQUESTS};
use crate::vocabulary;
use crate::words::{fold, terms};

/// One thing that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The sentence that asks, with its context where it does not stand alone.
    pub text: String,
}

/// The longest search query in characters: more does not fit an embedder's window.
pub const MAX_QUERY_CHARS: usize = 1_500;

/// How many things of one message are answered apart; the rest is left to the reviewer.
pub const MAX_QUESTIONS: usize = 4;

/// How much of a message is read for what it asks, in characters.
const MAX_MESSAGE_CHARS: usize = 20_000;

/// `message` without greeting, quoted mail, signature and control characters.
pub fn clean_message(message: &str) -> String {
    let beginning: String = message.chars().take(MAX_MESSAGE_CHARS).collect();
    let mut kept: Vec<Cow<'_, str>> = Vec::new();
    for line in beginning.lines() {
        let line = line.trim();
        if line.starts_with('>') {
            continue;
        }
        if begins_quoted_mail(line) || line == "--" || line == "__" {
            break;
        }
        let has_words = kept.iter().any(|line| !line.is_empty());
        if has_words && is_closing(line) {
            break;
        }
        let line = without_controls(line);
        kept.push(if has_words { line } else { Cow::Owned(without_greeting(&line).to_owned()) });
    }
    let text = kept.join("\n");
    text.trim().to_owned()
}

/// What is searched for a message: its subject and its cleaned words, cut at a word.
pub fn search_query(subject: &str, message: &str) -> String {
    let message = clean_message(message);
    let subject = without_reply_mark(subject.trim());
    let whole = if repeats(&message, subject) { message } else { format!("{subject}\n{message}") };
    cut_at_word(whole.trim(), MAX_QUERY_CHARS).to_owned()
}

/// The things that `text` asks, at most [`MAX_QUESTIONS`]; the whole text as one when no sentence
/// asks anything by itself. Empty only for a text without words.
pub fn questions(text: &str) -> Vec<Question> {
    let text = clean_message(text);
    let mut all = Vec::new();
    for paragraph in text.split('\n') {
        for range in sentences(paragraph) {
            let sentence = without_greeting(&paragraph[range]).trim();
            if !sentence.is_empty() && !is_closing(sentence) {
                all.extend(clauses(sentence));
            }
        }
    }
    let topic = topic(&text);
    let mut asked: Vec<Question> = Vec::new();
    let mut asked_terms: Vec<Vec<String>> = Vec::new();
    for (index, sentence) in all.iter().enumerate().filter(|(_, sentence)| asks(sentence)) {
        let own = terms(sentence);
        let text = if vocabulary::asked(sentence).len() >= STANDS_ALONE_NAMES {
            (*sentence).to_owned()
        } else if let Some(context) = topic.or_else(|| context(&all, index)) {
            let stop = if context.ends_with(['.', '!', '?', '…', ':']) { "" } else { "." };
            format!("{context}{stop} {sentence}")
        } else if own.is_empty() {
            // `Can you help me?` alone.
            continue;
        } else {
            (*sentence).to_owned()
        };
        let own = terms(&text);
        if asked_terms.iter().any(|other| mostly_same(other, &own)) {
            continue;
        }
        asked_terms.push(own);
        asked.push(Question { text: cut_at_word(&text, MAX_QUERY_CHARS).to_owned() });
    }
    asked.truncate(MAX_QUESTIONS);
    if asked.is_empty() && !all.is_empty() {
        let whole = all.join(" ");
        asked.push(Question { text: cut_at_word(&whole, MAX_QUERY_CHARS).to_owned() });
    }
    asked
}

/// A sentence that names fewer things than this leans on the one before it.
const STANDS_ALONE_NAMES: usize = 2;

/// The things that one sentence asks one after the other: `How long do I have, and when …?`.
fn clauses(sentence: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = sentence;
    if sentence.contains('?') {
        while let Some(at) = next_clause(rest) {
            let (clause, after) = rest.split_at(at);
            parts.push(clause.trim_end_matches([' ', ',', ';', '\u{a0}']));
            rest = after.trim_start();
            rest = rest.split_once(' ').map_or(rest, |(_, asking)| asking.trim_start());
        }
    }
    parts.push(rest);
    parts
}

/// Where `and when`, `et comment` or the like begins in `sentence` after a clause that asks too.
fn next_clause(sentence: &str) -> Option<usize> {
    let joints = sentence.match_indices(char::is_whitespace).map(|(at, _)| at);
    joints.filter(|at| asks(&sentence[..*at])).find(|at| {
        let after = fold(sentence[*at..].trim_start());
        let asking = ["et ", "and ", "or ", "ou "].iter().find_map(|word| after.strip_prefix(word));
        asking.is_some_and(|asking| begins_with_any(asking, CLAUSE_STARTS))
    })
}

/// The subject above the message, where it says enough to ask for something: it is the customer's
/// own summary, and better context than the story's last sentence.
fn topic(text: &str) -> Option<&str> {
    let (subject, _) = text.split_once("\n\n")?;
    let is_subject = !subject.contains(['?', '\n'])
        && !subject.ends_with(['.', '!', ','])
        && subject.split_whitespace().count() <= MAX_TOPIC_WORDS
        && vocabulary::asked(subject).len() >= STANDS_ALONE_NAMES;
    is_subject.then_some(subject)
}

const MAX_TOPIC_WORDS: usize = 10;

/// The nearest sentence before `index` that says something, else the first one after it.
fn context<'a>(all: &[&'a str], index: usize) -> Option<&'a str> {
    let says_something = |sentence: &&&str| !terms(sentence).is_empty();
    let before = all[..index].iter().rev().find(says_something);
    before.or_else(|| all[index + 1..].iter().find(says_something)).copied()
}

/// Whether the smaller set of words lies in the other but for a fifth.
fn mostly_same(one: &[String], other: &[String]) -> bool {
    let (small, large) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let shared = small.iter().filter(|term| large.contains(term)).count();
    !small.is_empty() && shared * 5 >= small.len() * 4
}

fn repeats(message: &str, subject: &str) -> bool {
    let subject = terms(subject);
    let message = terms(message);
    subject.iter().all(|term| message.contains(term))
}

/// Whether a sentence asks for something: a question, a request, or a thing that does not work.
fn asks(sentence: &str) -> bool {
    if sentence.contains('?') {
        return true;
    }
    let folded = fold(sentence);
    begins_with_any(&folded, ASKING_STARTS) || REQUESTS.iter().any(|r| folded.contains(r))
}

/// Whether `folded` begins with one of `starts` as whole words.
fn begins_with_any(folded: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| {
        folded.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// `line` without the greeting it begins with, such as `Bonjour Madame,`.
fn without_greeting(line: &str) -> &str {
    let folded = fold(line);
    let greets = GREETINGS.iter().any(|greeting| {
        folded
            .strip_prefix(greeting)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    });
    if !greets {
        return line;
    }
    let end = line.find([',', '!', '.', ':', ';']).unwrap_or(line.len());
    let greeting = &line[..end];
    if greeting.split_whitespace().count() <= MAX_GREETING_WORDS {
        line[end..].trim_start_matches([',', '!', '.', ':', ';', ' ', '\u{a0}'])
    } else {
        // "Bonjour je voudrais…": only the word of greeting goes.
        line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start())
    }
}

const MAX_GREETING_WORDS: usize = 4;

/// A short line that ends a mail; what follows is the signature.
fn is_closing(line: &str) -> bool {
    let folded = fold(line);
    line.split_whitespace().count() <= MAX_CLOSING_WORDS
        && !line.contains('?')
        && CLOSINGS.iter().any(|closing| folded.starts_with(closing))
}

const MAX_CLOSING_WORDS: usize = 7;

fn begins_quoted_mail(line: &str) -> bool {
    let folded = fold(line);
    let line = folded.trim_end_matches([' ', '\u{a0}']);
    line.starts_with("-----")
        || line.starts_with("________")
        || (line.starts_with("le ")
            && line.trim_end_matches([':', ' ', '\u{a0}', '\u{202f}']).ends_with("a ecrit"))
        || (line.starts_with("on ") && line.ends_with("wrote:"))
        || ["de : ", "de\u{a0}: ", "from: "].iter().any(|start| {
            line.strip_prefix(start)
                .is_some_and(|sender| sender.contains('@') || sender.contains('<'))
        })
}

fn without_reply_mark(subject: &str) -> &str {
    let mut rest = subject;
    while let Some(after) =
        ["re:", "re :", "fwd:", "fw:", "tr:", "tr :", "ref:"].iter().find_map(|mark| {
            rest.get(..mark.len())
                .filter(|start| start.eq_ignore_ascii_case(mark))
                .map(|_| &rest[mark.len()..])
        })
    {
        rest = after.trim_start();
    }
    rest
}

/// `line` without control and invisible formatting characters.
pub(crate) fn without_controls(line: &str) -> Cow<'_, str> {
    if line.chars().any(is_invisible) {
        Cow::Owned(line.chars().filter(|c| !is_invisible(*c)).collect())
    } else {
        Cow::Borrowed(line)
    }
}

/// Characters that show nothing but can turn or hide what stands around them: controls other than
/// tab and line feed, direction marks, zero-width marks, the byte order mark. Joiners inside emoji
/// and scripts that need them stay.
fn is_invisible(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(
            c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
                | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{ad}' | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// At most `limit` characters of `text`, ending with a whole word where one ends within reach.
pub(crate) fn cut_at_word(text: &str, limit: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text;
    };
    let cut = &text[..end];
    match cut.rfind(char::is_whitespace) {
        Some(blank) if blank > end / 2 => cut[..blank].trim_end(),
        _ => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Vec<String> {
        questions(text).into_iter().map(|question| question.text).collect()
    }

    #[test]
    fn greeting_quoted_mail_and_signature_are_no_part_of_the_question() {
        let message = "Bonjour Madame,\n\nOù est ma commande ?\n> ancien texte\n\nCordialement,\nJeanne Martin\n06 00 00 00 00";
        assert_eq!(clean_message(message), "Où est ma commande ?");
        let message = "Hi there! Where is my order?\n\nOn Monday, Paul wrote:\nold words";
        assert_eq!(clean_message(message), "Where is my order?");
        let message = "Bonjour je voudrais une facture\nLe lun. 3 mars 2025 à 10:00, Paul <p@x.fr> a écrit :\nvieux";
        assert_eq!(clean_message(message), "je voudrais une facture");
    }

    #[test]
    fn each_thing_that_is_asked_is_found() {
        let message = "Retour\n\nBonjour, j’ai commandé un manteau le 3 mars. Quel est le délai de remboursement ? \
                       Et comment obtenir une facture ? Pouvez-vous m’aider ?\nMerci d’avance";
        assert_eq!(
            asked(message),
            ["Quel est le délai de remboursement ?", "Et comment obtenir une facture ?"]
        );
    }

    #[test]
    fn two_questions_in_one_sentence_are_two() {
        assert_eq!(
            asked("Combien de temps ai-je pour renvoyer la lampe, et quand serai-je remboursée ?"),
            ["Combien de temps ai-je pour renvoyer la lampe", "quand serai-je remboursée ?"]
        );
        assert_eq!(
            asked("How do I return the lamp and when will I get my money back?"),
            ["How do I return the lamp", "when will I get my money back?"]
        );
        let one = "Can I return the lamp and the shade when they are open?";
        assert_eq!(asked(one), [one]);
    }

    #[test]
    fn a_question_that_leans_on_its_story_takes_it_along() {
        assert_eq!(asked("My parcel is lost. What now?"), ["My parcel is lost. What now?"]);
    }

    #[test]
    fn a_question_that_names_nothing_is_about_the_subject() {
        let message = "Damaged parcel\n\nMy nephew opened it at the door. What should I do?";
        assert_eq!(asked(message), ["Damaged parcel. What should I do?"]);
        let message = "Hello\n\nThe lampshade is torn. What should I do?";
        assert_eq!(asked(message), ["The lampshade is torn. What should I do?"]);
    }

    #[test]
    fn a_message_that_asks_nothing_is_one_question() {
        assert_eq!(
            asked("Mot de passe oublié\n\nsite marchand"),
            ["Mot de passe oublié site marchand"]
        );
        assert!(asked("  \n ").is_empty());
    }

    #[test]
    fn the_query_has_the_subject_once_and_a_limit() {
        assert_eq!(search_query("RE: Facture", "Bonjour,\nMa facture ?"), "Ma facture ?");
        assert_eq!(search_query("Retour", "Ma facture ?"), "Retour\nMa facture ?");
        let long = "mot ".repeat(300_000);
        assert!(search_query("x", &long).chars().count() <= MAX_QUERY_CHARS);
        let unbroken = "x".repeat(1_048_576);
        assert!(search_query("x", &unbroken).chars().count() <= MAX_QUERY_CHARS);
    }

    #[test]
    fn invisible_characters_do_not_reach_the_search() {
        assert_eq!(clean_message("fac\u{200b}ture\u{202e} ?"), "facture ?");
    }
}
