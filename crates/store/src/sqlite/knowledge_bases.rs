//! The table `knowledge_bases`.

use ancre_domain::{
    ChunkingSettings, DocumentCounts, GenerationState, JobId, KnowledgeBase, KnowledgeBaseId,
    ProjectId, Timestamp, name_key,
};
use rusqlite::{Row, Transaction, params};

use super::generations::{self, Generation};
use super::need::Doomed;
use super::place::Trouble;
use super::projects_and_sources::require_project;
use super::vector_tables::VectorTable;
use super::{SqliteStore, fault, jobs, not_found, rows, vector_tables};
use crate::StoreError;
use crate::traits::{
    KnowledgeBaseChange, KnowledgeBaseListing, KnowledgeBaseStore, NewKnowledgeBase,
};

/// The counts of one base beside its own columns.
const COUNTS: &str = "count(*) FILTER (WHERE documents.status = 'queued') AS queued,
    count(*) FILTER (WHERE documents.status = 'indexing') AS indexing,
    count(*) FILTER (WHERE documents.status = 'ready') AS ready,
    count(*) FILTER (WHERE documents.status = 'error') AS error,
    coalesce(sum(documents.chunk_count), 0) AS chunks";

impl KnowledgeBaseStore for SqliteStore {
    fn create_knowledge_base(
        &self,
        new: &NewKnowledgeBase,
        now: Timestamp,
    ) -> Result<KnowledgeBase, StoreError> {
        self.write(|transaction| {
            require_project(transaction, &new.project_id)?;
            if !(1..=vector_tables::MAX_DIMENSION).contains(&new.embedding_dim) {
                return Err(fault(format!("no base can hold vectors of {}", new.embedding_dim)));
            }
            if by_name(transaction, &new.project_id, &new.name)?.is_some() {
                let name = new.name.clone();
                return Err(StoreError::NameTaken { kind: "knowledge base", name }.into());
            }
            let kb = insert(transaction, new, now)?;
            generations::create(transaction, &first_generation(&kb, new))?;
            Ok(kb)
        })
    }

    fn knowledge_base(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
    ) -> Result<KnowledgeBase, StoreError> {
        self.read(|transaction| require_knowledge_base(transaction, project, id))
    }

    fn find_knowledge_base(
        &self,
        project: &ProjectId,
        name: &str,
    ) -> Result<Option<KnowledgeBase>, StoreError> {
        self.read(|transaction| by_name(transaction, project, name))
    }

    fn list_knowledge_bases(
        &self,
        project: &ProjectId,
    ) -> Result<Vec<KnowledgeBaseListing>, StoreError> {
        let sql = format!(
            "SELECT knowledge_bases.*, {COUNTS}
             FROM knowledge_bases LEFT JOIN documents ON documents.kb_id = knowledge_bases.id
             WHERE project_id = ?1 GROUP BY knowledge_bases.id ORDER BY name_key"
        );
        self.read(|transaction| {
            rows::all(transaction, &sql, [project.as_str()], |row| {
                Ok(KnowledgeBaseListing {
                    knowledge_base: read_knowledge_base(row)?,
                    counts: read_counts(row)?,
                })
            })
        })
    }

    fn document_counts(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
    ) -> Result<DocumentCounts, StoreError> {
        let sql = format!("SELECT {COUNTS} FROM documents WHERE kb_id = ?1");
        self.read(|transaction| {
            require_knowledge_base(transaction, project, id)?;
            let counts = rows::one(transaction, &sql, [id.as_str()], read_counts)?;
            Ok(counts.unwrap_or_default())
        })
    }

    fn update_knowledge_base(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
        change: &KnowledgeBaseChange,
    ) -> Result<KnowledgeBase, StoreError> {
        self.write(|transaction| update(transaction, project, id, change))
    }

    fn delete_knowledge_base(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
        now: Timestamp,
    ) -> Result<Vec<JobId>, StoreError> {
        let free = |transaction: &Transaction<'_>| {
            let kb = require_knowledge_base(transaction, project, id)?;
            let agents = assigned_agents(transaction, id)?;
            if !agents.is_empty() {
                return Err(StoreError::KnowledgeBaseInUse { agents }.into());
            }
            generations::all(transaction, &kb)
        };
        let delete = |transaction: &Transaction<'_>| {
            let generations = free(transaction)?;
            let ended = jobs::end_those_of_base(transaction, id, now)?;
            for generation in generations {
                generations::delete(transaction, &generation)?;
            }
            rows::change(transaction, "DELETE FROM knowledge_bases WHERE id = ?1", [id.as_str()])?;
            Ok(ended)
        };
        self.erase_large(|transaction| Ok(Doomed::Generations(free(transaction)?)), delete)
    }
}

/// The base, or the error that the project has none such.
pub(super) fn require_knowledge_base(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &KnowledgeBaseId,
) -> Result<KnowledgeBase, Trouble> {
    rows::one(
        transaction,
        "SELECT * FROM knowledge_bases WHERE id = ?1 AND project_id = ?2",
        [id.as_str(), project.as_str()],
        read_knowledge_base,
    )?
    .ok_or_else(|| not_found("knowledge base", id.as_str()))
}

fn first_generation(kb: &KnowledgeBase, new: &NewKnowledgeBase) -> Generation {
    Generation {
        kb: kb.id.clone(),
        number: 1,
        state: GenerationState::Serving,
        embedding_model_id: kb.embedding_model_id.clone(),
        embedding_version: new.embedding_version.clone(),
        chunking: kb.chunking,
        vectors: VectorTable::own(&kb.id, 1, kb.embedding_dim),
        has_all_words: true,
        created_at: kb.created_at,
        finished_at: Some(kb.created_at),
    }
}

/// The base of this name. Keys that an older version wrote tell more names apart, so names are
/// compared and not their keys; a project has some dozens of bases.
fn by_name(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    name: &str,
) -> Result<Option<KnowledgeBase>, Trouble> {
    let sql = "SELECT * FROM knowledge_bases WHERE project_id = ?1 ORDER BY name_key";
    let bases = rows::all(transaction, sql, [project.as_str()], read_knowledge_base)?;
    let key = name_key(name);
    Ok(bases.into_iter().find(|base| name_key(&base.name) == key))
}

fn assigned_agents(
    transaction: &Transaction<'_>,
    id: &KnowledgeBaseId,
) -> Result<Vec<String>, Trouble> {
    rows::all(
        transaction,
        "SELECT name FROM agents
         WHERE EXISTS (SELECT 1 FROM json_each(knowledge_base_ids) WHERE value = ?1)
         ORDER BY name_key",
        [id.as_str()],
        |row| row.get(0),
    )
}

fn insert(
    transaction: &Transaction<'_>,
    new: &NewKnowledgeBase,
    now: Timestamp,
) -> Result<KnowledgeBase, Trouble> {
    let kb = KnowledgeBase {
        id: KnowledgeBaseId::generate(now),
        project_id: new.project_id.clone(),
        name: new.name.clone(),
        description: new.description.clone(),
        embedding_model_id: new.embedding_model_id.clone(),
        embedding_dim: new.embedding_dim,
        chunking: new.chunking,
        created_at: now,
    };
    rows::change(
        transaction,
        "INSERT INTO knowledge_bases (id, project_id, name, name_key, description,
             embedding_model_id, embedding_dim, chunk_size, chunk_overlap, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            kb.id.as_str(),
            kb.project_id.as_str(),
            kb.name,
            name_key(&kb.name),
            kb.description,
            kb.embedding_model_id,
            kb.embedding_dim,
            kb.chunking.size,
            kb.chunking.overlap,
            now.as_millis(),
        ],
    )?;
    Ok(kb)
}

fn update(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &KnowledgeBaseId,
    change: &KnowledgeBaseChange,
) -> Result<KnowledgeBase, Trouble> {
    let mut kb = require_knowledge_base(transaction, project, id)?;
    if let Some(name) = &change.name {
        if by_name(transaction, project, name)?.is_some_and(|other| other.id != kb.id) {
            let name = name.clone();
            return Err(StoreError::NameTaken { kind: "knowledge base", name }.into());
        }
        name.clone_into(&mut kb.name);
    }
    if let Some(description) = &change.description {
        description.clone_into(&mut kb.description);
    }
    kb.chunking = change.chunking.unwrap_or(kb.chunking);
    rows::change(
        transaction,
        "UPDATE knowledge_bases SET name = ?2, name_key = ?3, description = ?4, chunk_size = ?5,
             chunk_overlap = ?6
         WHERE id = ?1",
        params![
            kb.id.as_str(),
            kb.name,
            name_key(&kb.name),
            kb.description,
            kb.chunking.size,
            kb.chunking.overlap,
        ],
    )?;
    Ok(kb)
}

/// A base, from a row of `knowledge_bases`.
pub(super) fn read_knowledge_base(row: &Row<'_>) -> rusqlite::Result<KnowledgeBase> {
    Ok(KnowledgeBase {
        id: rows::id(row, "id")?,
        project_id: rows::id(row, "project_id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        embedding_model_id: row.get("embedding_model_id")?,
        embedding_dim: row.get("embedding_dim")?,
        chunking: ChunkingSettings {
            size: row.get("chunk_size")?,
            overlap: row.get("chunk_overlap")?,
        },
        created_at: rows::time(row, "created_at")?,
    })
}

fn read_counts(row: &Row<'_>) -> rusqlite::Result<DocumentCounts> {
    Ok(DocumentCounts {
        queued: row.get("queued")?,
        indexing: row.get("indexing")?,
        ready: row.get("ready")?,
        error: row.get("error")?,
        chunks: row.get("chunks")?,
    })
}
