//! Tickets made by hand.
//!
//! A person pastes what a customer wrote. What is accepted is decided here, once for every
//! interface: a body with words in it, bounded lengths, no characters that hide or turn text.

use ancre_domain::{AgentId, Clock, Language, ProjectId, Ticket};
use ancre_store::traits::{DeskStore, NewTicket};

use crate::DeskError;
use crate::question::{cut_at_word, without_controls};

/// The longest subject, in characters.
pub const MAX_SUBJECT_CHARS: usize = 500;

/// The largest body, in bytes of UTF-8.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

/// How much of the body becomes the subject when none is given, in characters.
const SUBJECT_FROM_BODY_CHARS: usize = 80;

/// A ticket as a person pasted it.
#[derive(Debug, Clone)]
pub struct PastedTicket<'a> {
    /// Its subject; blank: the first words of the body.
    pub subject: &'a str,
    /// The customer's words.
    pub body: &'a str,
    /// Their language, where the caller recognised it; it decides the language of the reply.
    pub language: Option<Language>,
    /// The agent that will answer, if it was chosen.
    pub agent_id: Option<AgentId>,
}

/// Makes a ticket with the customer's first message.
///
/// # Errors
///
/// [`DeskError::EmptyMessage`] for a body without a visible character, [`DeskError::TooLarge`]
/// beyond [`MAX_SUBJECT_CHARS`] or [`MAX_BODY_BYTES`], [`DeskError::Store`] when it cannot be kept.
pub fn new_ticket(
    store: &dyn DeskStore,
    clock: &dyn Clock,
    project: &ProjectId,
    pasted: &PastedTicket<'_>,
) -> Result<Ticket, DeskError> {
    let bytes = pasted.body.len();
    if bytes > MAX_BODY_BYTES {
        return Err(DeskError::TooLarge {
            field: "message",
            actual: bytes,
            limit: MAX_BODY_BYTES,
            unit: "bytes",
        });
    }
    let body = without_controls(&pasted.body.replace("\r\n", "\n")).trim().to_owned();
    if body.is_empty() {
        return Err(DeskError::EmptyMessage);
    }
    let language = pasted.language;
    let ticket = NewTicket {
        project_id: project.clone(),
        subject: subject(pasted.subject, &body)?,
        body,
        language,
        agent_id: pasted.agent_id.clone(),
    };
    Ok(store.create_ticket(&ticket, clock.now())?)
}

/// The subject on one line, or the body's first words.
fn subject(given: &str, body: &str) -> Result<String, DeskError> {
    let length = given.chars().count();
    if length > MAX_SUBJECT_CHARS {
        return Err(DeskError::TooLarge {
            field: "subject",
            actual: length,
            limit: MAX_SUBJECT_CHARS,
            unit: "characters",
        });
    }
    let given = one_line(&without_controls(given));
    if !given.is_empty() {
        return Ok(given);
    }
    let beginning: String = body.chars().take(4 * SUBJECT_FROM_BODY_CHARS).collect();
    let words = one_line(&beginning);
    let cut = cut_at_word(&words, SUBJECT_FROM_BODY_CHARS);
    Ok(if cut.len() < words.len() { format!("{cut}…") } else { words.clone() })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_subject_becomes_the_first_words() {
        assert_eq!(subject(" \n", "Où est\nma commande ?").unwrap(), "Où est ma commande ?");
        let long = subject("", &"mot ".repeat(100)).unwrap();
        assert!(long.ends_with("mot…") && long.chars().count() <= 81, "{long}");
        let unbroken = subject("", &"x".repeat(1_000)).unwrap();
        assert_eq!(unbroken.chars().count(), 81);
    }

    #[test]
    fn a_subject_is_one_line_without_hidden_characters() {
        assert_eq!(subject("Re\u{202e}tour\r\n12", "x").unwrap(), "Retour 12");
        assert!(matches!(
            subject(&"é".repeat(501), "x"),
            Err(DeskError::TooLarge { field: "subject", .. })
        ));
    }
}
