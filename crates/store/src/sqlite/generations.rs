//! What a base answers from: the generations of its index.
//!
//! The rows stand in [`registry`], how a generation is built in [`building`], how a base changes
//! from one to another in [`switching`], whether it is whole in [`health`], words that come after their chunks in
//! [`words`](super::words).

mod building;
mod health;
mod registry;
mod switching;

pub(super) use registry::{
    Generation, all, all_of, chunks_and_windows, create, delete, insert, serving, serving_of,
};

use ancre_domain::{
    Chunk, ChunkId, DocumentId, GenerationState, IndexGeneration, IndexHealth, KnowledgeBaseId,
    Language, ProjectId, Timestamp,
};

use rusqlite::Transaction;

use registry::{delete_in_state, in_state, require_in_state, with_counts};

use super::knowledge_bases::require_knowledge_base;
use super::need::Doomed;
use super::{SqliteStore, words};
use crate::StoreError;
use crate::traits::{GenerationStore, IndexedChunk, LexicalText, NewChunk, NewGeneration};

impl SqliteStore {
    /// Takes the generation in this state away, if there is one, also on a full disk.
    fn delete_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        state: GenerationState,
    ) -> Result<(), StoreError> {
        let doomed = |transaction: &Transaction<'_>| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            Ok(Doomed::Generations(in_state(transaction, &kb, state)?.into_iter().collect()))
        };
        self.erase_large(doomed, |transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            delete_in_state(transaction, &kb, state)
        })
    }
}

impl GenerationStore for SqliteStore {
    fn generations(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Vec<IndexGeneration>, StoreError> {
        self.read(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            all(transaction, &kb)?.iter().map(|it| with_counts(transaction, it)).collect()
        })
    }

    fn index_health(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<IndexHealth, StoreError> {
        self.read(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            let serving = serving(transaction, &kb)?;
            health::of(transaction, &serving)
        })
    }

    fn begin_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        new: &NewGeneration,
        now: Timestamp,
    ) -> Result<IndexGeneration, StoreError> {
        self.write(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            with_counts(transaction, &building::begin(transaction, &kb, new, now)?)
        })
    }

    fn documents_to_build(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Vec<DocumentId>, StoreError> {
        self.read(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            let building = require_in_state(transaction, &kb, GenerationState::Building)?;
            building::documents_not_whole(transaction, &building)
        })
    }

    fn add_to_generation(
        &self,
        project: &ProjectId,
        id: &DocumentId,
        number: u32,
        chunks: &[NewChunk],
        indexed: &[IndexedChunk],
        _: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|transaction| building::add(transaction, project, id, number, chunks, indexed))
    }

    fn switch_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        now: Timestamp,
    ) -> Result<IndexGeneration, StoreError> {
        self.erase(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            with_counts(transaction, &switching::switch(transaction, &kb, now)?)
        })
    }

    fn cancel_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<(), StoreError> {
        self.delete_generation(project, kb, GenerationState::Building)
    }

    fn restore_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        now: Timestamp,
    ) -> Result<IndexGeneration, StoreError> {
        self.write(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            with_counts(transaction, &switching::restore(transaction, &kb, now)?)
        })
    }

    fn discard_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<(), StoreError> {
        self.delete_generation(project, kb, GenerationState::Previous)
    }

    fn chunks_without_words(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        limit: u32,
    ) -> Result<Vec<Chunk>, StoreError> {
        self.read(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            words::chunks_without(transaction, &serving(transaction, &kb)?, limit)
        })
    }

    fn add_words(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        added: &[(ChunkId, LexicalText, Option<Language>)],
    ) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let kb = require_knowledge_base(transaction, project, kb)?;
            words::add(transaction, &serving(transaction, &kb)?, added)
        })
    }
}
