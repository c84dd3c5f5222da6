//! Knowledge bases.

use ancre_domain::{Agent, ChunkingSettings, KnowledgeBase};
use ancre_knowledge::reindex::ensure_fit;
use ancre_store::traits::{KnowledgeBaseChange, KnowledgeBaseListing, NewKnowledgeBase};

use super::indexes::summary_of;
use super::jobs::was_cancelled;
use crate::Ancre;
use crate::operations::{Never, name};
use crate::wire::{
    CreateKnowledgeBase, Event, KnowledgeBaseRef, KnowledgeBaseSummary, Nothing,
    UpdateKnowledgeBase, WireError,
};

/// Lists the bases by name.
///
/// # Errors
///
/// What the store says.
pub fn list_knowledge_bases(
    ancre: &Ancre,
    _: Nothing,
    _: &dyn Fn(Never),
) -> Result<Vec<KnowledgeBaseSummary>, WireError> {
    let agents = ancre.store().list_agents(ancre.project())?;
    let listings = ancre.store().list_knowledge_bases(ancre.project())?;
    let summary = |listing: KnowledgeBaseListing| {
        Ok(KnowledgeBaseSummary {
            agents: names_of_assigned(&agents, &listing.knowledge_base),
            index: summary_of(ancre, &listing.knowledge_base)?,
            knowledge_base: listing.knowledge_base,
            counts: listing.counts,
        })
    };
    listings.into_iter().map(summary).collect()
}

/// Shows one base.
///
/// # Errors
///
/// `not_found`.
pub fn get_knowledge_base(
    ancre: &Ancre,
    input: KnowledgeBaseRef,
    _: &dyn Fn(Never),
) -> Result<KnowledgeBaseSummary, WireError> {
    let knowledge_base = ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
    let counts = ancre.store().document_counts(ancre.project(), &input.kb_id)?;
    let agents = ancre.store().list_agents(ancre.project())?;
    let agents = names_of_assigned(&agents, &knowledge_base);
    let index = summary_of(ancre, &knowledge_base)?;
    Ok(KnowledgeBaseSummary { knowledge_base, counts, agents, index })
}

/// Makes an empty base with the dimension of its model. The model is not loaded for this, but its
/// pack must be there.
///
/// # Errors
///
/// `invalid_input`, also for a model whose vectors cannot be indexed, `name_taken`,
/// `model_missing`, `model_damaged`.
pub fn create_knowledge_base(
    ancre: &Ancre,
    input: CreateKnowledgeBase,
    progress: &dyn Fn(Never),
) -> Result<KnowledgeBaseSummary, WireError> {
    let name = name("knowledge base", &input.name)?;
    let defaults = ChunkingSettings::default();
    let size = input.chunk_size.unwrap_or(defaults.size);
    // A person who asks only for small chunks does not have to know of the overlap.
    let overlap = input.chunk_overlap.unwrap_or(defaults.overlap.min(size / 10));
    let chunking = ChunkingSettings::new(size, overlap)
        .map_err(|error| WireError::invalid(error.to_string()))?;
    let embedder = ancre.engine().describe(input.model.as_deref())?;
    ensure_fit(&embedder)?;
    let base = NewKnowledgeBase {
        project_id: ancre.project().clone(),
        name,
        description: input.description.trim().to_owned(),
        embedding_model_id: embedder.id,
        embedding_version: Some(embedder.version),
        embedding_dim: embedder.dimension,
        chunking,
    };
    let base = ancre.store().create_knowledge_base(&base, ancre.clock().now())?;
    ancre.tell(Event::KnowledgeBasesChanged);
    get_knowledge_base(ancre, KnowledgeBaseRef { kb_id: base.id }, progress)
}

/// Changes a base. How texts are cut applies to what is indexed from now on; a re-index applies it
/// to everything. An overlap that is not named stays as it is; where it does not fit the new size
/// (it is more than half of it) it becomes a tenth of that.
///
/// # Errors
///
/// `invalid_input`, `not_found`, `name_taken`.
pub fn update_knowledge_base(
    ancre: &Ancre,
    input: UpdateKnowledgeBase,
    progress: &dyn Fn(Never),
) -> Result<KnowledgeBaseSummary, WireError> {
    let now = ancre.store().knowledge_base(ancre.project(), &input.kb_id)?.chunking;
    let change = KnowledgeBaseChange {
        name: input.name.as_deref().map(|given| name("knowledge base", given)).transpose()?,
        description: input.description.map(|text| text.trim().to_owned()),
        chunking: Some(changed_chunking(now, input.chunk_size, input.chunk_overlap)?),
    };
    ancre.store().update_knowledge_base(ancre.project(), &input.kb_id, &change)?;
    ancre.tell(Event::KnowledgeBasesChanged);
    get_knowledge_base(ancre, KnowledgeBaseRef { kb_id: input.kb_id }, progress)
}

/// The chunking that a person asks for. Who asks only for another size does not have to know of the
/// overlap: it stays where it fits.
pub(super) fn changed_chunking(
    now: ChunkingSettings,
    size: Option<u32>,
    overlap: Option<u32>,
) -> Result<ChunkingSettings, WireError> {
    now.changed(size, overlap).map_err(|error| WireError::invalid(error.to_string()))
}

/// Deletes a base; its sources and all snapshots stay. Work on it that has not ended is cancelled.
///
/// # Errors
///
/// `not_found`; `knowledge_base_in_use` while agents are assigned to it.
pub fn delete_knowledge_base(
    ancre: &Ancre,
    input: KnowledgeBaseRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    let (store, project, now) = (ancre.store(), ancre.project(), ancre.clock().now());
    let cancelled = store.delete_knowledge_base(project, &input.kb_id, now)?;
    for id in &cancelled {
        was_cancelled(ancre, id);
    }
    ancre.tell(Event::KnowledgeBasesChanged);
    ancre.tell(Event::SourcesChanged);
    ancre.compact_when_worthwhile();
    Ok(Nothing {})
}

fn names_of_assigned(agents: &[Agent], base: &KnowledgeBase) -> Vec<String> {
    let assigned = agents.iter().filter(|agent| agent.details.kb_ids.contains(&base.id));
    assigned.map(|agent| agent.details.name.clone()).collect()
}
