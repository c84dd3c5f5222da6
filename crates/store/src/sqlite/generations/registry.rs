//! The rows of `index_generations`, and what stands for one where a base has none.

use ancre_domain::{
    ChunkingSettings, GenerationState, IndexGeneration, KnowledgeBase, KnowledgeBaseId, Timestamp,
};
use rusqlite::{Row, Transaction, params};

use crate::sqlite::knowledge_bases::read_knowledge_base;
use crate::sqlite::place::Trouble;
use crate::sqlite::vector_tables::{self, VectorTable, Windows};
use crate::sqlite::{not_found, rows, text_tables};

/// A row of `index_generations`, or what stands for it where a base has none.
#[derive(Debug, Clone)]
pub(in crate::sqlite) struct Generation {
    pub(in crate::sqlite) kb: KnowledgeBaseId,
    pub(in crate::sqlite) number: u32,
    pub(in crate::sqlite) state: GenerationState,
    pub(in crate::sqlite) embedding_model_id: String,
    pub(in crate::sqlite) embedding_version: Option<String>,
    pub(in crate::sqlite) chunking: ChunkingSettings,
    pub(in crate::sqlite) vectors: VectorTable,
    /// Whether the words of every chunk are in its text table.
    pub(in crate::sqlite) has_all_words: bool,
    pub(in crate::sqlite) created_at: Timestamp,
    pub(in crate::sqlite) finished_at: Option<Timestamp>,
}

impl Generation {
    /// The name of its text table, which may be missing.
    pub(in crate::sqlite) fn text_table(&self) -> String {
        text_tables::name(&self.kb, self.number)
    }

    /// Whether the base answers from it.
    pub(in crate::sqlite) fn is_serving(&self) -> bool {
        self.state == GenerationState::Serving
    }
}

/// The generation that answers.
pub(in crate::sqlite) fn serving(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
) -> Result<Generation, Trouble> {
    match in_state(transaction, kb, GenerationState::Serving)? {
        Some(serving) => Ok(serving),
        None => before_registries(transaction, kb),
    }
}

/// The serving generation of the base with this id, which is there.
pub(in crate::sqlite) fn serving_of(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBaseId,
) -> Result<Generation, Trouble> {
    serving(transaction, &base(transaction, kb)?)
}

/// Every generation of the base with this id, which is there.
pub(in crate::sqlite) fn all_of(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBaseId,
) -> Result<Vec<Generation>, Trouble> {
    all(transaction, &base(transaction, kb)?)
}

/// Every generation of a base by number.
pub(in crate::sqlite) fn all(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
) -> Result<Vec<Generation>, Trouble> {
    let sql = "SELECT * FROM index_generations WHERE kb_id = ?1 ORDER BY number";
    let mut generations = rows::all(transaction, sql, [kb.id.as_str()], read)?;
    if !generations.iter().any(|it| it.state == GenerationState::Serving) {
        generations.insert(0, before_registries(transaction, kb)?);
    }
    Ok(generations)
}

/// The base with this id, whatever its project: whoever asks has looked at that before.
fn base(transaction: &Transaction<'_>, kb: &KnowledgeBaseId) -> Result<KnowledgeBase, Trouble> {
    let sql = "SELECT * FROM knowledge_bases WHERE id = ?1";
    rows::one(transaction, sql, [kb.as_str()], read_knowledge_base)?
        .ok_or_else(|| not_found("knowledge base", kb.as_str()))
}

/// Writes a generation down.
pub(in crate::sqlite) fn insert(
    transaction: &Transaction<'_>,
    generation: &Generation,
) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "INSERT INTO index_generations (kb_id, number, state, embedding_model_id,
             embedding_version, embedding_dim, chunk_size, chunk_overlap, vector_table,
             text_table, created_at, finished_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            generation.kb.as_str(),
            generation.number,
            generation.state.as_str(),
            generation.embedding_model_id,
            generation.embedding_version,
            generation.vectors.dimension,
            generation.chunking.size,
            generation.chunking.overlap,
            generation.vectors.name(),
            generation.has_all_words.then(|| generation.text_table()),
            generation.created_at.as_millis(),
            generation.finished_at.map(Timestamp::as_millis),
        ],
    )?;
    Ok(())
}

/// Makes the empty tables of a generation of its own and writes it down.
pub(in crate::sqlite) fn create(
    transaction: &Transaction<'_>,
    generation: &Generation,
) -> Result<(), Trouble> {
    insert(transaction, generation)?;
    vector_tables::create(transaction, &generation.vectors)?;
    text_tables::create(transaction, &generation.text_table())
}

/// Takes a generation away with its tables, chunks and row.
pub(in crate::sqlite) fn delete(
    transaction: &Transaction<'_>,
    generation: &Generation,
) -> Result<(), Trouble> {
    let key = params![generation.kb.as_str(), generation.number];
    vector_tables::drop(transaction, &generation.vectors, || {
        rows::all(
            transaction,
            "SELECT id, windows FROM document_chunks
             WHERE kb_id = ?1 AND generation = ?2 AND windows > 0",
            params![generation.kb.as_str(), generation.number],
            |row| Ok::<Windows, _>((rows::id(row, "id")?, row.get("windows")?)),
        )
    })?;
    text_tables::drop(transaction, &generation.text_table())?;
    let sql = "DELETE FROM document_chunks WHERE kb_id = ?1 AND generation = ?2";
    rows::change(transaction, sql, key)?;
    rows::change(
        transaction,
        "DELETE FROM document_indexings
         WHERE generation = ?2 AND document_id IN (SELECT id FROM documents WHERE kb_id = ?1)",
        key,
    )?;
    let sql = "DELETE FROM index_generations WHERE kb_id = ?1 AND number = ?2";
    rows::change(transaction, sql, key)?;
    Ok(())
}

/// Takes the generation in this state away, if there is one.
pub(super) fn delete_in_state(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    state: GenerationState,
) -> Result<(), Trouble> {
    match in_state(transaction, kb, state)? {
        Some(generation) => delete(transaction, &generation),
        None => Ok(()),
    }
}

/// The generation in this state, if there is one.
pub(super) fn in_state(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    state: GenerationState,
) -> Result<Option<Generation>, Trouble> {
    let sql = "SELECT * FROM index_generations WHERE kb_id = ?1 AND state = ?2";
    rows::one(transaction, sql, [kb.id.as_str(), state.as_str()], read)
}

/// The generation in this state, or the error that there is none.
pub(super) fn require_in_state(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    state: GenerationState,
) -> Result<Generation, Trouble> {
    let kind = match state {
        GenerationState::Building => "new index of the knowledge base",
        GenerationState::Serving => "index of the knowledge base",
        GenerationState::Previous => "previous index of the knowledge base",
    };
    in_state(transaction, kb, state)?.ok_or_else(|| not_found(kind, kb.id.as_str()))
}

/// What stands for the row of a base that has none: its vectors lie in the shared table.
fn before_registries(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
) -> Result<Generation, Trouble> {
    let sql = "SELECT generation FROM knowledge_bases WHERE id = ?1";
    let number = rows::one(transaction, sql, [kb.id.as_str()], |row| row.get(0))?.unwrap_or(1);
    Ok(Generation {
        kb: kb.id.clone(),
        number,
        state: GenerationState::Serving,
        embedding_model_id: kb.embedding_model_id.clone(),
        embedding_version: None,
        chunking: kb.chunking,
        vectors: VectorTable::shared(&kb.id, number, kb.embedding_dim),
        has_all_words: false,
        created_at: kb.created_at,
        finished_at: Some(kb.created_at),
    })
}

/// The generation as others see it, with what it holds.
pub(super) fn with_counts(
    transaction: &Transaction<'_>,
    generation: &Generation,
) -> Result<IndexGeneration, Trouble> {
    let key = params![generation.kb.as_str(), generation.number];
    let documents = rows::one(
        transaction,
        "SELECT count(*) FROM document_indexings JOIN documents ON documents.id = document_id
         WHERE documents.kb_id = ?1 AND generation = ?2",
        key,
        |row| row.get(0),
    )?;
    let (chunks, _) = chunks_and_windows(transaction, generation)?;
    Ok(IndexGeneration {
        number: generation.number,
        state: generation.state,
        embedding_model_id: generation.embedding_model_id.clone(),
        embedding_version: generation.embedding_version.clone(),
        embedding_dim: generation.vectors.dimension,
        chunking: generation.chunking,
        documents: documents.unwrap_or_default(),
        chunks,
        created_at: generation.created_at,
        finished_at: generation.finished_at,
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<Generation> {
    let kb: KnowledgeBaseId = rows::id(row, "kb_id")?;
    let number = row.get("number")?;
    let dimension = row.get("embedding_dim")?;
    // A name from the database is compared, never written into SQL.
    let is_shared = row.get_ref("vector_table")?.as_str().ok() == Some(vector_tables::SHARED);
    let vectors = if is_shared {
        VectorTable::shared(&kb, number, dimension)
    } else {
        VectorTable::own(&kb, number, dimension)
    };
    Ok(Generation {
        number,
        state: rows::word(row, "state", GenerationState::from_word)?,
        embedding_model_id: row.get("embedding_model_id")?,
        embedding_version: row.get("embedding_version")?,
        chunking: ChunkingSettings {
            size: row.get("chunk_size")?,
            overlap: row.get("chunk_overlap")?,
        },
        vectors,
        has_all_words: row.get::<_, Option<String>>("text_table")?.is_some(),
        created_at: rows::time(row, "created_at")?,
        finished_at: row.get::<_, Option<i64>>("finished_at")?.map(Timestamp::from_millis),
        kb,
    })
}

/// How many chunks of a generation have vectors, and how many vectors those are.
pub(in crate::sqlite) fn chunks_and_windows(
    transaction: &Transaction<'_>,
    generation: &Generation,
) -> Result<(u32, u32), Trouble> {
    let counts = rows::one(
        transaction,
        "SELECT count(*), coalesce(sum(windows), 0) FROM document_chunks
         WHERE kb_id = ?1 AND generation = ?2 AND windows > 0",
        params![generation.kb.as_str(), generation.number],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(counts.unwrap_or_default())
}
