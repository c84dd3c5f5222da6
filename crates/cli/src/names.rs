//! Names to things: where a name is given, an id works too.
//!
//! An exact id wins over every name, a name as it is written over one that only looks like it, and
//! a name that several things answer to is refused with what it could mean. Names are compared
//! without regard to case, invisible characters and the form of an apostrophe.

use ancre_app::operations::{desk, rag};
use ancre_app::wire::{ListQuestions, ListSources, Nothing, SourceRef, WireError};
use ancre_domain::{
    Agent, ErrorCode, JobId, KnowledgeBaseId, Question, SourceAttachment, SourceId, SourceSummary,
    TicketId, name_key,
};

use crate::session::{Session, all};

/// How many things a refusal names at most.
const MOST_CANDIDATES: usize = 8;

/// What a name is looked for among.
struct Kind {
    /// As in a sentence: `knowledge base`.
    noun: &'static str,
    /// The command that shows what there is.
    command: &'static str,
}

const BASE: Kind = Kind { noun: "knowledge base", command: "ancre kb list" };
const SOURCE: Kind = Kind { noun: "source", command: "ancre source list" };
const AGENT: Kind = Kind { noun: "agent", command: "ancre agent list" };

impl Session {
    /// The base with this id or this name.
    pub(crate) fn knowledge_base(&self, name: &str) -> Result<KnowledgeBaseId, WireError> {
        let bases = rag::list_knowledge_bases(&self.ancre, Nothing {}, &|_| ())?;
        let bases: Vec<_> = bases.into_iter().map(|base| base.knowledge_base).collect();
        meant(bases, name, &BASE, |base| (base.id.as_str(), &base.name)).map(|base| base.id)
    }

    /// The bases with these ids or names. A name with a comma in it arrives in pieces, so the
    /// whole is tried first.
    pub(crate) fn knowledge_bases(
        &self,
        names: &[String],
    ) -> Result<Vec<KnowledgeBaseId>, WireError> {
        if names.len() > 1
            && let Ok(whole) = self.knowledge_base(&names.join(","))
        {
            return Ok(vec![whole]);
        }
        names.iter().map(|name| self.knowledge_base(name)).collect()
    }

    /// The source with this id or this title.
    pub(crate) fn source(&self, name: &str) -> Result<SourceSummary, WireError> {
        if let Ok(source_id) = name.parse::<SourceId>() {
            match rag::get_source(&self.ancre, SourceRef { source_id }, &|_| ()) {
                Err(error) if error.code == ErrorCode::NotFound => {}
                found => return found,
            }
        }
        let titled = |query: Option<&str>| {
            all(|page| {
                let query = query.map(str::to_owned);
                let input = ListSources { query, page, ..ListSources::default() };
                rag::list_sources(&self.ancre, input, &|_| ())
            })
        };
        let key = |source: &SourceSummary| name_key(&source.title) == name_key(name);
        // The library finds words fast; only spellings that it does not find cost a walk through it.
        let mut found = titled(Some(name))?;
        if !found.iter().any(key) {
            found = titled(None)?;
        }
        meant(found, name, &SOURCE, |source| (source.id.as_str(), &source.title))
    }

    /// A source, and its place in a base.
    pub(crate) fn attachment(
        &self,
        source: &str,
        kb: &str,
    ) -> Result<(SourceSummary, SourceAttachment), WireError> {
        let kb_id = self.knowledge_base(kb)?;
        let summary = self.source(source)?;
        let attachment = summary.attachments.iter().find(|it| it.kb_id == kb_id).cloned();
        match attachment {
            Some(attachment) => Ok((summary, attachment)),
            None => Err(not_found("such source in this base", source, "ancre kb show")),
        }
    }

    /// The agent with this id or this name.
    pub(crate) fn agent(&self, name: &str) -> Result<Agent, WireError> {
        let agents = desk::list_agents(&self.ancre, Nothing {}, &|_| ())?;
        meant(agents, name, &AGENT, |agent| (agent.id.as_str(), &agent.details.name))
    }

    /// The question with this id, in whichever base.
    pub(crate) fn question(&self, id: &str) -> Result<Question, WireError> {
        for base in rag::list_knowledge_bases(&self.ancre, Nothing {}, &|_| ())? {
            let questions = self.questions(&base.knowledge_base.id)?;
            if let Some(question) = questions.into_iter().find(|it| it.id.as_str() == id) {
                return Ok(question);
            }
        }
        Err(not_found("question", id, "ancre bench list"))
    }

    /// The questions of a base, oldest first.
    pub(crate) fn questions(&self, kb_id: &KnowledgeBaseId) -> Result<Vec<Question>, WireError> {
        all(|page| {
            let input = ListQuestions { kb_id: kb_id.clone(), page };
            rag::list_questions(&self.ancre, input, &|_| ())
        })
    }
}

/// The ticket's id; tickets have no other name.
pub(crate) fn ticket(id: &str) -> Result<TicketId, WireError> {
    id.parse().map_err(|_| not_found("ticket", id, "ancre ticket list"))
}

/// The job's id; jobs have no other name.
pub(crate) fn job(id: &str) -> Result<JobId, WireError> {
    id.parse().map_err(|_| not_found("job", id, "ancre jobs list"))
}

/// The one of these things that a name means; `named` tells a thing's id and name.
fn meant<T>(
    things: Vec<T>,
    given: &str,
    kind: &Kind,
    named: impl Fn(&T) -> (&str, &str),
) -> Result<T, WireError> {
    let key = name_key(given);
    let fits: [&dyn Fn(&T) -> bool; 3] =
        [&|thing| named(thing).0 == given, &|thing| named(thing).1 == given, &|thing| {
            name_key(named(thing).1) == key
        }];
    let Some(fit) = fits.into_iter().find(|fit| things.iter().any(fit)) else {
        return Err(not_found(kind.noun, given, kind.command));
    };
    let candidates: Vec<String> = things
        .iter()
        .filter(|thing| fit(thing))
        .map(|thing| format!("“{}” ({})", named(thing).1, named(thing).0))
        .collect();
    if candidates.len() > 1 {
        return Err(ambiguous(kind, given, &candidates));
    }
    let place = things.iter().position(fit);
    place
        .and_then(|place| things.into_iter().nth(place))
        .ok_or_else(|| not_found(kind.noun, given, kind.command))
}

fn ambiguous(kind: &Kind, given: &str, candidates: &[String]) -> WireError {
    let shown = &candidates[..candidates.len().min(MOST_CANDIDATES)];
    let rest = match candidates.len() - shown.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    WireError {
        code: ErrorCode::InvalidInput,
        message: format!("several {}s are called “{given}”: {}{rest}", kind.noun, shown.join(", ")),
        hint: Some("Name one by its id.".to_owned()),
        details: None,
    }
}

pub(crate) fn not_found(kind: &str, name: &str, command: &str) -> WireError {
    WireError {
        code: ErrorCode::NotFound,
        message: format!("there is no {kind} “{name}”"),
        hint: Some(format!("“{command}” shows what there is.")),
        details: None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // Tests may.
mod tests {
    use super::*;

    fn found(things: &[(&'static str, &'static str)], given: &str) -> Result<String, String> {
        meant(things.to_vec(), given, &BASE, |thing| (thing.0, thing.1))
            .map(|thing| thing.0.to_owned())
            .map_err(|error| error.message)
    }

    #[test]
    fn an_exact_id_wins_over_a_name() {
        let bases = [("id-b", "id-a"), ("id-a", "Help")];
        assert_eq!(found(&bases, "id-a").unwrap(), "id-a");
        assert_eq!(found(&bases[..1], "id-a").unwrap(), "id-b", "else the name is meant");
    }

    #[test]
    fn spellings_of_a_name_mean_it() {
        let bases = [("1", "Centre d’aide"), ("2", "Boutique")];
        for spelling in ["centre d'aide", "Centre\u{200b} d’aide", " Centre  d’aide"] {
            assert_eq!(found(&bases, spelling).unwrap(), "1", "{spelling:?}");
        }
    }

    #[test]
    fn a_name_that_several_things_answer_to_is_refused_with_them() {
        let bases = [("1", "Centre d’aide"), ("2", "Centre d'aide")];
        assert_eq!(found(&bases, "Centre d'aide").unwrap(), "2", "as it is written");
        let refused = found(&bases, "centre d'aide").unwrap_err();
        assert!(refused.contains("“Centre d’aide” (1), “Centre d'aide” (2)"), "{refused}");
    }
}
