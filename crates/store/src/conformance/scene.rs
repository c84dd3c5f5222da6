//! What the stories share: a clock that ticks by itself and short ways to make things.

use std::cell::Cell;

use ancre_domain::{
    AgentDetails, CharRange, Chunk, ChunkId, ChunkingSettings, Document, DocumentId, KnowledgeBase,
    KnowledgeBaseId, Language, PageKind, ProjectId, SearchMode, Source, SourceKind, Timestamp,
};

use super::Subject;
use crate::StoreError;
use crate::traits::{
    IndexedChunk, LexicalQuery, LexicalTerm, LexicalText, LexicalWeights, NewKnowledgeBase,
    NewSource, Store,
};

/// How a story ends.
pub(super) type Told = Result<(), StoreError>;

/// The dimension of the stories' bases.
pub(super) const DIMENSION: u32 = 3;

/// Weights that favour titles a little.
pub(super) const WEIGHTS: LexicalWeights = LexicalWeights { title: 2.0, heading: 1.5, body: 1.0 };

/// A subject with its default project.
pub(super) struct Scene {
    pub(super) subject: Subject,
    pub(super) project: ProjectId,
    clock: Cell<i64>,
}

impl Scene {
    pub(super) fn of(subject: Subject) -> Result<Self, StoreError> {
        let project = subject.store.default_project(Timestamp::from_millis(1))?.id;
        Ok(Self { subject, project, clock: Cell::new(1_000) })
    }

    pub(super) fn store(&self) -> &dyn Store {
        self.subject.store.as_ref()
    }

    pub(super) fn neighbour(&self) -> Result<Box<dyn Store>, StoreError> {
        (self.subject.open_another)()
    }

    /// A moment later than every one before.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.set(self.clock.get() + 1_000);
        Timestamp::from_millis(self.clock.get())
    }

    pub(super) fn base(&self, name: &str) -> Result<KnowledgeBase, StoreError> {
        self.store().create_knowledge_base(&new_base(&self.project, name), self.now())
    }

    pub(super) fn source(&self, text: &str) -> Result<Source, StoreError> {
        Ok(self.store().store_source(&new_source(&self.project, text), self.now())?.source)
    }

    /// A queued document of a fresh source with that text.
    pub(super) fn queued(&self, kb: &KnowledgeBase, text: &str) -> Result<Document, StoreError> {
        let source = self.source(text)?;
        Ok(self.store().attach_source(&self.project, &kb.id, &source.id, self.now())?.0)
    }

    /// A document that this store claimed, with one chunk for each angle, and the chunks.
    pub(super) fn indexing(
        &self,
        kb: &KnowledgeBase,
        text: &str,
        angles: &[f32],
    ) -> Result<(Document, Vec<IndexedChunk>), StoreError> {
        let document = self.queued(kb, text)?;
        self.store().claim_document(&self.project, &document.id)?;
        let chunks: Vec<Chunk> =
            (0..angles.len()).map(|at| self.chunk(&document.id, text, at)).collect();
        self.store().store_chunks(&document.id, &chunks)?;
        let indexed = chunks.iter().zip(angles).map(|(chunk, angle)| indexed(chunk, &[*angle]));
        Ok((document, indexed.collect()))
    }

    /// A ready document with one chunk for each angle.
    pub(super) fn ready(
        &self,
        kb: &KnowledgeBase,
        text: &str,
        angles: &[f32],
    ) -> Result<Document, StoreError> {
        let (document, embedded) = self.indexing(kb, text, angles)?;
        self.store().finish_document(&document.id, &embedded, self.now())
    }

    /// A ready document with one chunk for each list, and a window at each angle of it.
    pub(super) fn ready_with_windows(
        &self,
        kb: &KnowledgeBase,
        text: &str,
        chunks: &[&[f32]],
    ) -> Result<Document, StoreError> {
        let (document, _) = self.indexing(kb, text, &[])?;
        let (stored, indexed) = self.cut(&document.id, text, chunks);
        self.store().store_chunks(&document.id, &stored)?;
        self.store().finish_document(&document.id, &indexed, self.now())
    }

    /// Chunks as [`Self::ready_with_windows`] has them, not stored.
    pub(super) fn cut(
        &self,
        document: &DocumentId,
        text: &str,
        chunks: &[&[f32]],
    ) -> (Vec<Chunk>, Vec<IndexedChunk>) {
        chunks
            .iter()
            .enumerate()
            .map(|(at, angles)| {
                let chunk = self.chunk(document, text, at);
                let indexed = indexed(&chunk, angles);
                (chunk, indexed)
            })
            .unzip()
    }

    /// The contents that have the word, the best first.
    pub(super) fn with_word(
        &self,
        kb: &KnowledgeBaseId,
        word: &str,
    ) -> Result<Vec<String>, StoreError> {
        let found = self.store().lexical(&self.project, kb, &query(&[word]), WEIGHTS, 6)?;
        let ids: Vec<ChunkId> = found.matches.into_iter().map(|found| found.chunk_id).collect();
        let hits = self.store().hits(&self.project, kb, &ids, None)?;
        Ok(hits.into_iter().map(|hit| hit.chunk.content).collect())
    }

    pub(super) fn chunk(&self, document: &DocumentId, text: &str, position: usize) -> Chunk {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        Chunk {
            id: ChunkId::generate(self.now()),
            document_id: document.clone(),
            position,
            content: text.to_owned(),
            range: CharRange { start: position, end: position + length },
            page: Some(7),
            page_kind: Some(PageKind::Sheet),
            page_label: Some("Tarifs!A2:D51".to_owned()),
            heading: Some("Remboursements › Délais".to_owned()),
            token_count: length / 4,
            tokens_outside_window: 0,
        }
    }

    /// The contents nearest to `angle`, nearest first.
    pub(super) fn found(
        &self,
        kb: &KnowledgeBaseId,
        angle: f32,
        k: u32,
    ) -> Result<Vec<String>, StoreError> {
        let hits = self.store().nearest(&self.project, kb, &direction(angle), k, None)?;
        Ok(hits.into_iter().map(|hit| hit.chunk.content).collect())
    }
}

/// What an index holds of a chunk that has a window at each of these angles.
pub(super) fn indexed(chunk: &Chunk, angles: &[f32]) -> IndexedChunk {
    IndexedChunk {
        chunk_id: chunk.id.clone(),
        windows: angles.iter().map(|angle| direction(*angle)).collect(),
        lexical: LexicalText {
            title: format!("Titre de {}", chunk.content),
            heading: chunk.heading.clone().unwrap_or_default(),
            body: chunk.content.clone(),
        },
        language: Some(Language::Fr),
        tokens_outside_window: 0,
    }
}

/// A query for any of these words.
pub(super) fn query(words: &[&str]) -> LexicalQuery {
    let term = |word: &&str| LexicalTerm { words: vec![(*word).to_owned()], is_prefix: false };
    LexicalQuery { terms: words.iter().map(term).collect() }
}

/// The vector of length 1 at `degrees` in the first two of three directions. The cosine distance
/// of two is 1 - cos of the angle between them.
pub(super) fn direction(degrees: f32) -> Vec<f32> {
    let radians = degrees.to_radians();
    vec![radians.cos(), radians.sin(), 0.0]
}

pub(super) fn new_base(project: &ProjectId, name: &str) -> NewKnowledgeBase {
    NewKnowledgeBase {
        project_id: project.clone(),
        name: name.to_owned(),
        description: "Ce que nos clients demandent".to_owned(),
        embedding_model_id: "angles".to_owned(),
        embedding_version: Some("1".to_owned()),
        embedding_dim: DIMENSION,
        chunking: ChunkingSettings::default(),
    }
}

pub(super) fn new_source(project: &ProjectId, text: &str) -> NewSource {
    NewSource {
        project_id: project.clone(),
        kind: SourceKind::Upload,
        uri: Some(format!("/aide/{text}.md")),
        title: format!("Titre de {text}"),
        mime: "text/markdown".to_owned(),
        sha256: fingerprint(text),
        bytes: None,
        text: text.to_owned(),
        outline: Vec::new(),
        pagination: None,
        warnings: Vec::new(),
        language: Some(Language::Fr),
    }
}

pub(super) fn details(name: &str, kb_ids: Vec<KnowledgeBaseId>) -> AgentDetails {
    AgentDetails {
        name: name.to_owned(),
        description: "Répond aux questions de livraison".to_owned(),
        instructions: "Sois bref.".to_owned(),
        kb_ids,
        top_k: 6,
        max_distance: Some(0.1 + 0.2),
        search_mode: SearchMode::Text,
        signature: "L'équipe".to_owned(),
    }
}

/// 64 hexadecimal digits that differ where short texts do. A store never computes the real ones.
fn fingerprint(text: &str) -> String {
    let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits:0>64}").chars().rev().take(64).collect()
}

/// Whether the call was refused with this error.
macro_rules! refused {
    ($result:expr, $pattern:pat) => {{
        let result = $result;
        assert!(matches!(&result, Err($pattern)), "refused as it should be? {result:?}");
    }};
}
pub(super) use refused;
