//! Indexes of bases: which models there are, what a new index costs, building and changing it.

use ancre_domain::{
    Cancellation, ChunkingSettings, ErrorCode, GenerationState, IndexGeneration, IndexHealth,
    JobId, JobKind, JobState, KnowledgeBase, PageRequest,
};
use ancre_knowledge::ingestion::DEFAULT_BATCH_SIZE;
use ancre_knowledge::reindex::{ensure_fit, estimate};

use super::bases::{changed_chunking, get_knowledge_base};
use crate::Ancre;
use crate::engine::{ListedModel, Model};
use crate::jobs::{JobRequest, ReindexPayload, adopt, ask};
use crate::operations::Never;
use crate::wire::{
    Event, IndexSummary, InstalledModel, JobRef, JobSummary, KnowledgeBaseRef,
    KnowledgeBaseSummary, Nothing, Reindex, ReindexEstimate, WireError,
};

/// Lists the embedding models that are installed, the default one first.
///
/// # Errors
///
/// None: what is wrong with a model stands beside it.
pub fn list_models(
    ancre: &Ancre,
    _: Nothing,
    _: &dyn Fn(Never),
) -> Result<Vec<InstalledModel>, WireError> {
    let listed = |model: ListedModel| {
        let is_default = model.name.is_none();
        match model.description {
            Ok(model) => InstalledModel {
                error: ensure_fit(&model).err().map(Into::into),
                id: model.id,
                version: model.version,
                dimension: model.dimension,
                max_tokens: model.max_tokens,
                license: model.license,
                is_default,
            },
            Err(error) => InstalledModel {
                id: model.name.unwrap_or_else(|| crate::places::DEFAULT_PACK.to_owned()),
                version: String::new(),
                dimension: 0,
                max_tokens: 0,
                license: String::new(),
                is_default,
                error: Some(error.into()),
            },
        }
    };
    Ok(ancre.engine().models().into_iter().map(listed).collect())
}

/// Estimates what a new index of a base costs. The model is loaded, and tried if nobody knows how
/// fast it is here.
///
/// # Errors
///
/// `not_found`, `invalid_input`, and what is wrong with the model.
pub fn estimate_reindex(
    ancre: &Ancre,
    input: Reindex,
    _: &dyn Fn(Never),
) -> Result<ReindexEstimate, WireError> {
    let wanted = Wanted::of(ancre, &input)?;
    let indexer = wanted.model.indexer(ancre, DEFAULT_BATCH_SIZE);
    let cost =
        estimate(&indexer, ancre.project(), &input.kb_id, wanted.chunking, &Cancellation::new())?;
    Ok(ReindexEstimate {
        documents: cost.documents,
        chunks: cost.chunks,
        cached_chunks: cost.cached_chunks,
        milliseconds: u64::try_from(cost.duration.as_millis()).unwrap_or(u64::MAX),
        disk_bytes: cost.disk_bytes,
        passages_per_second: cost.passages_per_second,
    })
}

/// Builds a new index for a base as a job; the old one answers until it is whole. A job that builds
/// another one for the same base is cancelled; with the same settings, what it built is used.
///
/// # Errors
///
/// Before anything is queued: `not_found`, `invalid_input`, also for a model whose vectors cannot be
/// indexed, `model_missing` and `model_damaged`.
pub fn reindex(
    ancre: &Ancre,
    input: Reindex,
    progress: &dyn Fn(Never),
) -> Result<JobSummary, WireError> {
    let wanted = Wanted::of(ancre, &input)?;
    for job in jobs_of(ancre, &wanted.base)? {
        ancre.store().cancel_job(ancre.project(), &job.job_id, ancre.clock().now())?;
        ancre.jobs().interrupt(&job.job_id);
    }
    let job = ask(
        ancre,
        JobRequest {
            id: JobId::generate(ancre.clock().now()),
            kind: JobKind::Reindex,
            title: wanted.base.name,
            kb_id: Some(input.kb_id),
            payload: ReindexPayload {
                model: wanted.model.embedder.description().id.clone(),
                chunking: wanted.chunking,
            },
            items: Vec::new(),
        },
    )?;
    super::get_job(ancre, JobRef { job_id: job.id }, progress)
}

/// Brings the previous index of a base back; what answered until now becomes the previous one.
/// Documents that are not whole in it are indexed for it by a job that begins at once; `counts` of
/// the answer has them as queued.
///
/// # Errors
///
/// `not_found` when there is none; `model_missing` when its model is not installed any more;
/// `index_missing`.
pub fn restore_generation(
    ancre: &Ancre,
    input: KnowledgeBaseRef,
    progress: &dyn Fn(Never),
) -> Result<KnowledgeBaseSummary, WireError> {
    let base = ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
    let generations = ancre.store().generations(ancre.project(), &input.kb_id)?;
    let Some(previous) = in_state(&generations, GenerationState::Previous) else {
        return Err(no_previous_index(&base));
    };
    ancre.engine().describe(Some(&previous.embedding_model_id))?;
    let now = ancre.clock().now();
    ancre.store().restore_generation(ancre.project(), &input.kb_id, now)?;
    // Documents that came since have to be indexed for it.
    adopt(ancre)?;
    tell_change(ancre, &input);
    get_knowledge_base(ancre, input, progress)
}

/// Takes the previous index of a base away.
///
/// # Errors
///
/// `not_found` for the base, or when there is no previous index.
pub fn discard_generation(
    ancre: &Ancre,
    input: KnowledgeBaseRef,
    progress: &dyn Fn(Never),
) -> Result<KnowledgeBaseSummary, WireError> {
    let base = ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
    let generations = ancre.store().generations(ancre.project(), &input.kb_id)?;
    if in_state(&generations, GenerationState::Previous).is_none() {
        return Err(no_previous_index(&base));
    }
    ancre.store().discard_generation(ancre.project(), &input.kb_id)?;
    tell_change(ancre, &input);
    get_knowledge_base(ancre, input, progress)
}

/// The index of a base, as a list shows it.
pub(super) fn summary_of(ancre: &Ancre, base: &KnowledgeBase) -> Result<IndexSummary, WireError> {
    let generations = ancre.store().generations(ancre.project(), &base.id)?;
    let serving = in_state(&generations, GenerationState::Serving);
    let chunking_in_use = serving.map_or(base.chunking, |serving| serving.chunking);
    let embedding_version = serving.and_then(|serving| serving.embedding_version.clone());
    let installed = ancre.engine().describe(Some(&base.embedding_model_id));
    let health = match ancre.store().index_health(ancre.project(), &base.id)? {
        // What is wrong with the tables themselves comes first: a model does not mend it.
        IndexHealth::Ok | IndexHealth::Legacy | IndexHealth::NoTextIndex if installed.is_err() => {
            IndexHealth::ModelMissing
        }
        health => health,
    };
    let is_of_other_version =
        installed.is_ok_and(|model| Some(&model.version) != embedding_version.as_ref());
    let has_chunks = serving.is_none_or(|serving| serving.chunks > 0);
    Ok(IndexSummary {
        generation: serving.map_or(1, |serving| serving.number),
        embedding_version,
        health,
        is_outdated: has_chunks && (is_of_other_version || chunking_in_use != base.chunking),
        building: in_state(&generations, GenerationState::Building).cloned(),
        previous: in_state(&generations, GenerationState::Previous).cloned(),
        chunking_in_use,
    })
}

fn in_state(generations: &[IndexGeneration], state: GenerationState) -> Option<&IndexGeneration> {
    generations.iter().find(|generation| generation.state == state)
}

fn no_previous_index(base: &KnowledgeBase) -> WireError {
    WireError {
        code: ErrorCode::NotFound,
        message: format!("“{}” has no previous index", base.name),
        hint: Some(
            "Re-indexing a base keeps the index that it had until then, until it is discarded."
                .to_owned(),
        ),
        details: None,
    }
}

/// What a request means, with the model loaded and found fit.
struct Wanted {
    base: KnowledgeBase,
    model: Model,
    chunking: ChunkingSettings,
}

impl Wanted {
    fn of(ancre: &Ancre, input: &Reindex) -> Result<Self, WireError> {
        let base = ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
        let chunking = changed_chunking(base.chunking, input.chunk_size, input.chunk_overlap)?;
        let id = input.model.as_deref().unwrap_or(&base.embedding_model_id);
        ensure_fit(&ancre.engine().describe(Some(id))?)?;
        let model = ancre.engine().model(Some(id))?;
        Ok(Self { base, model, chunking })
    }
}

/// The jobs that build an index for a base and have not ended.
fn jobs_of(ancre: &Ancre, base: &KnowledgeBase) -> Result<Vec<JobRef>, WireError> {
    let mut found = Vec::new();
    let mut offset = 0;
    loop {
        let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
        let jobs = ancre.store().list_jobs(ancre.project(), page)?.items;
        let (count, has_ended) =
            (jobs.len(), jobs.iter().any(|job| job.state.is_ended()) || jobs.is_empty());
        found.extend(jobs.into_iter().filter_map(|job| {
            let is_wanted = job.kind == JobKind::Reindex
                && job.kb_id.as_ref() == Some(&base.id)
                && matches!(job.state, JobState::Queued | JobState::Running | JobState::Paused);
            is_wanted.then_some(JobRef { job_id: job.id })
        }));
        // Ended jobs stand last.
        if has_ended {
            return Ok(found);
        }
        offset += u32::try_from(count).unwrap_or(u32::MAX);
    }
}

fn tell_change(ancre: &Ancre, base: &KnowledgeBaseRef) {
    ancre.tell(Event::KnowledgeBasesChanged);
    ancre.tell(Event::DocumentsChanged { kb_id: base.kb_id.clone() });
}
