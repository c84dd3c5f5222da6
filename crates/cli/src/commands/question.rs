//! `ancre bench add`, `change` and `remove`: the questions that measure a base.

use ancre_app::operations::rag;
use ancre_app::wire::{Nothing, QuestionRef, SaveQuestion, WireError};
use ancre_domain::{ExpectedPassage, Question};

use crate::arguments::Answer;
use crate::output::{Outcome, line, print_json};
use crate::session::Session;

pub(crate) fn add(
    session: &Session,
    kb: &str,
    text: String,
    answer: &Answer,
) -> Result<Outcome, WireError> {
    let kb_id = session.knowledge_base(kb)?;
    let expected = expected(session, answer)?;
    let input = SaveQuestion { kb_id, id: None, text, expected, must_refuse: answer.refuse };
    save(session, input, "made")
}

/// What is not said stays as it was.
pub(crate) fn change(
    session: &Session,
    id: &str,
    text: Option<String>,
    answer: &Answer,
) -> Result<Outcome, WireError> {
    let before = session.question(id)?;
    let is_answered = answer.refuse || !answer.expect.is_empty();
    let (expected, must_refuse) = if is_answered {
        (expected(session, answer)?, answer.refuse)
    } else {
        (before.expected, before.must_refuse)
    };
    let text = text.unwrap_or(before.text);
    let input =
        SaveQuestion { kb_id: before.kb_id, id: Some(before.id), text, expected, must_refuse };
    save(session, input, "changed")
}

pub(crate) fn remove(session: &Session, id: &str) -> Result<Outcome, WireError> {
    let question = session.question(id)?;
    rag::delete_question(&session.ancre, QuestionRef { question_id: question.id }, &|_| ())?;
    if session.json {
        print_json(&Nothing {});
    } else {
        line!("deleted the question “{}”; measurements that asked it stay", question.text);
    }
    Ok(Outcome::Done)
}

/// Any passage of the sources that were named.
fn expected(session: &Session, answer: &Answer) -> Result<Vec<ExpectedPassage>, WireError> {
    let passage = |name: &String| {
        let source = session.source(name)?;
        Ok(ExpectedPassage { source_id: source.id, title: source.title, start: None, end: None })
    };
    answer.expect.iter().map(passage).collect()
}

fn save(session: &Session, input: SaveQuestion, what: &str) -> Result<Outcome, WireError> {
    let question: Question = rag::save_question(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&question);
    } else {
        line!("{what} the question “{}” ({})", question.text, question.id);
    }
    Ok(Outcome::Done)
}
