//! The table `agents`.

use ancre_domain::{
    Agent, AgentDetails, AgentId, KnowledgeBaseId, ProjectId, SearchMode, Timestamp, name_key,
};
use rusqlite::{Row, Transaction, named_params};

use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::projects_and_sources::require_project;
use super::{not_found, rows};
use crate::StoreError;

pub(super) fn create(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    details: &AgentDetails,
    now: Timestamp,
) -> Result<Agent, Trouble> {
    require_project(transaction, project)?;
    require_possible(transaction, project, None, details)?;
    let agent = Agent {
        id: AgentId::generate(now),
        project_id: project.clone(),
        details: details.clone(),
        created_at: now,
        updated_at: now,
    };
    write(
        transaction,
        &agent,
        "INSERT INTO agents (id, project_id, name, name_key, description, instructions,
                             knowledge_base_ids, top_k, max_distance, search_mode, signature,
                             created_at, updated_at)
         VALUES (:id, :project_id, :name, :name_key, :description, :instructions,
                 :knowledge_base_ids, :top_k, :max_distance, :search_mode, :signature,
                 :created_at, :updated_at)",
    )?;
    Ok(agent)
}

pub(super) fn update(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &AgentId,
    details: &AgentDetails,
    now: Timestamp,
) -> Result<Agent, Trouble> {
    let agent = require(transaction, project, id)?;
    require_possible(transaction, project, Some(id), details)?;
    let agent = Agent { details: details.clone(), updated_at: now, ..agent };
    write(
        transaction,
        &agent,
        "UPDATE agents SET name = :name, name_key = :name_key, description = :description,
             instructions = :instructions, knowledge_base_ids = :knowledge_base_ids,
             top_k = :top_k, max_distance = :max_distance, search_mode = :search_mode,
             signature = :signature,
             created_at = :created_at, updated_at = :updated_at
         WHERE id = :id AND project_id = :project_id",
    )?;
    Ok(agent)
}

/// The agent, or the error that the project has none such.
pub(super) fn require(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &AgentId,
) -> Result<Agent, Trouble> {
    let sql = "SELECT * FROM agents WHERE id = ?1 AND project_id = ?2";
    rows::one(transaction, sql, [id.as_str(), project.as_str()], read_agent)?
        .ok_or_else(|| not_found("agent", id.as_str()))
}

pub(super) fn by_name(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    name: &str,
) -> Result<Option<Agent>, Trouble> {
    // Keys that an older version wrote tell more names apart, so names are compared.
    let key = name_key(name);
    let agents = list(transaction, project)?;
    Ok(agents.into_iter().find(|agent| name_key(&agent.details.name) == key))
}

pub(super) fn list(
    transaction: &Transaction<'_>,
    project: &ProjectId,
) -> Result<Vec<Agent>, Trouble> {
    let sql = "SELECT * FROM agents WHERE project_id = ?1 ORDER BY name_key";
    rows::all(transaction, sql, [project.as_str()], read_agent)
}

pub(super) fn delete(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &AgentId,
) -> Result<(), Trouble> {
    let sql = "DELETE FROM agents WHERE id = ?1 AND project_id = ?2";
    match rows::change(transaction, sql, [id.as_str(), project.as_str()])? {
        0 => Err(not_found("agent", id.as_str())),
        _ => Ok(()),
    }
}

/// The error that the details cannot be those of agent `id` (of a fresh one: `None`), if so.
fn require_possible(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: Option<&AgentId>,
    details: &AgentDetails,
) -> Result<(), Trouble> {
    let namesake = by_name(transaction, project, &details.name)?;
    if namesake.is_some_and(|agent| Some(&agent.id) != id) {
        return Err(StoreError::NameTaken { kind: "agent", name: details.name.clone() }.into());
    }
    for kb in &details.kb_ids {
        require_knowledge_base(transaction, project, kb)?;
    }
    Ok(())
}

fn write(transaction: &Transaction<'_>, agent: &Agent, sql: &str) -> Result<(), Trouble> {
    let details = &agent.details;
    rows::change(
        transaction,
        sql,
        named_params! {
            ":id": agent.id.as_str(),
            ":project_id": agent.project_id.as_str(),
            ":name": details.name,
            ":name_key": name_key(&details.name),
            ":description": details.description,
            ":instructions": details.instructions,
            ":knowledge_base_ids": serde_json::to_string(&details.kb_ids)?,
            ":top_k": details.top_k,
            ":max_distance": details.max_distance,
            ":search_mode": details.search_mode.as_str(),
            ":signature": details.signature,
            ":created_at": agent.created_at.as_millis(),
            ":updated_at": agent.updated_at.as_millis(),
        },
    )?;
    Ok(())
}

fn read_agent(row: &Row<'_>) -> rusqlite::Result<Agent> {
    Ok(Agent {
        id: rows::id(row, "id")?,
        project_id: rows::id(row, "project_id")?,
        details: AgentDetails {
            name: row.get("name")?,
            description: row.get("description")?,
            instructions: row.get("instructions")?,
            kb_ids: rows::json::<Vec<KnowledgeBaseId>>(row, "knowledge_base_ids")?,
            top_k: row.get("top_k")?,
            max_distance: row.get("max_distance")?,
            search_mode: rows::word(row, "search_mode", SearchMode::from_word)?,
            signature: row.get("signature")?,
        },
        created_at: rows::time(row, "created_at")?,
        updated_at: rows::time(row, "updated_at")?,
    })
}
