//! Names to ids: where a name is given, an id works too.

use ancre_app::operations::{desk, rag};
use ancre_app::wire::{Nothing, WireError};
use ancre_domain::{AgentId, ErrorCode, JobId, KnowledgeBaseId, TicketId};

use crate::session::Session;

impl Session {
    /// The base with this name, without regard to case, or this id.
    pub(crate) fn knowledge_base(&self, name: &str) -> Result<KnowledgeBaseId, WireError> {
        let bases = rag::list_knowledge_bases(&self.ancre, Nothing {}, &|_| ())?;
        bases
            .into_iter()
            .map(|base| base.knowledge_base)
            .find(|base| base.id.as_str() == name || is_same(&base.name, name))
            .map(|base| base.id)
            .ok_or_else(|| not_found("knowledge base", name, "ancre kb list"))
    }

    /// The bases with these names or ids. A name with a comma in it arrives in pieces, so the
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

    /// The agent with this name, without regard to case, or this id.
    pub(crate) fn agent(&self, name: &str) -> Result<AgentId, WireError> {
        let agents = desk::list_agents(&self.ancre, Nothing {}, &|_| ())?;
        agents
            .into_iter()
            .find(|agent| agent.id.as_str() == name || is_same(&agent.details.name, name))
            .map(|agent| agent.id)
            .ok_or_else(|| not_found("agent", name, "ancre agent list"))
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

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.trim().to_lowercase()
}

fn not_found(kind: &str, name: &str, command: &str) -> WireError {
    WireError {
        code: ErrorCode::NotFound,
        message: format!("there is no {kind} “{name}”"),
        hint: Some(format!("“{command}” shows what there is.")),
        details: None,
    }
}
