//! The runner that answers with the documents' own words.
//!
//! It needs no language model: it picks the sentences of the passages that best answer each thing
//! the customer asks, joins them in document order between a greeting and a closing, and cites
//! each. It states no fact of its own: every part is a courtesy or a verbatim sentence of a
//! passage, and when the evidence is too thin it says that nothing was found. It is
//! deterministic. It does not rewrite, translate or summarise.

mod candidates;
mod evidence;
mod letter;
mod scores;
mod selection;

use std::sync::{Arc, OnceLock};

use ancre_domain::Cancellation;
use ancre_models::{
    Embedder, Embedding, Generation, GenerationRequest, ModelError, Passage, Runner,
};

use self::candidates::Candidate;
use self::evidence::Signals;
use self::scores::{NEUTRAL_SENTENCES, WeightedTerms};
use self::selection::Choice;
use crate::question::{Question, questions};
use crate::vocabulary::Wording;
use crate::words::language_of;

/// Composes replies from sentences of the passages.
pub struct ExtractiveRunner {
    embedder: Arc<dyn Embedder>,
    neutral: OnceLock<Vec<Embedding>>,
}

impl ExtractiveRunner {
    /// Its name in runs.
    pub const ID: &'static str = "extractive";

    /// A runner that compares sentences with `embedder`.
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder, neutral: OnceLock::new() }
    }

    /// What speaks for and against an answer to each question of `request`, for measuring the
    /// rule of evidence; the reply itself is [`Runner::generate`].
    ///
    /// # Errors
    ///
    /// As [`Runner::generate`].
    pub fn weigh_evidence(
        &self,
        request: &GenerationRequest<'_>,
        cancellation: &Cancellation,
    ) -> Result<Vec<Evidence>, ModelError> {
        let weighed = self.weigh(request, cancellation)?;
        Ok(weighed.questions.iter().map(|question| Evidence::from(&question.signals)).collect())
    }

    fn weigh(
        &self,
        request: &GenerationRequest<'_>,
        cancellation: &Cancellation,
    ) -> Result<Weighed, ModelError> {
        let asked = questions(request.question);
        let all = candidates::candidates(request.passages);
        if asked.is_empty() || all.is_empty() {
            return Ok(Weighed::default());
        }
        let passages = PassageWords::read(request.passages);
        let asked: Vec<(Question, WeightedTerms)> = asked
            .into_iter()
            .map(|question| {
                let weighted = WeightedTerms::new(&question.text, &passages.words);
                (question, weighted)
            })
            .collect();
        let candidates = shortlist(all, &asked);
        let vectors = self.embed_candidates(&candidates, cancellation)?;
        let neutral = self.neutral_vectors(cancellation)?;
        let mut weighed = Vec::with_capacity(asked.len());
        for (question, weighted) in asked {
            if cancellation.is_cancelled() {
                return Err(ModelError::Cancelled);
            }
            let vector = self.embedder.embed_query(&question.text)?;
            let background = scores::background(&vector, neutral);
            let scores = scores::score(
                &weighted,
                &vector,
                &candidates,
                &vectors,
                &passages.cosines,
                background,
            );
            let signals = Signals::read(
                &weighted,
                language_of(&question.text).or(Some(request.language)),
                &scores,
                &candidates,
                passages.cosines.iter().copied().fold(-1.0_f32, f32::max),
                &passages.words,
                &passages.languages,
            );
            weighed.push(WeighedQuestion { terms: weighted, scores, signals });
        }
        Ok(Weighed { candidates, vectors, questions: weighed, languages: passages.languages })
    }

    fn embed_candidates(
        &self,
        candidates: &[Candidate],
        cancellation: &Cancellation,
    ) -> Result<Vec<Embedding>, ModelError> {
        let texts: Vec<String> = candidates.iter().map(Candidate::embedded_text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.embedder.embed_passages(&texts, BATCH_SIZE, cancellation, &mut |_| {})
    }

    fn neutral_vectors(&self, cancellation: &Cancellation) -> Result<&[Embedding], ModelError> {
        if let Some(vectors) = self.neutral.get() {
            return Ok(vectors);
        }
        let vectors = self.embedder.embed_passages(
            &NEUTRAL_SENTENCES,
            BATCH_SIZE,
            cancellation,
            &mut |_| {},
        )?;
        Ok(self.neutral.get_or_init(|| vectors))
    }
}

impl Runner for ExtractiveRunner {
    fn id(&self) -> &str {
        Self::ID
    }

    fn generate(
        &self,
        request: &GenerationRequest<'_>,
        cancellation: &Cancellation,
    ) -> Result<Generation, ModelError> {
        if cancellation.is_cancelled() {
            return Err(ModelError::Cancelled);
        }
        let weighed = self.weigh(request, cancellation)?;
        let per_question = match weighed.questions.len() {
            0 | 1 => 3,
            2 => 2,
            _ => 1,
        };
        let mut taken: Vec<usize> = Vec::new();
        let mut answers: Vec<Vec<usize>> = Vec::new();
        let mut is_partial = false;
        for question in &weighed.questions {
            if !question.signals.is_sufficient() {
                is_partial = true;
                continue;
            }
            let choice = Choice {
                terms: &question.terms,
                scores: &question.scores,
                candidates: &weighed.candidates,
                vectors: &weighed.vectors,
            };
            let chosen = choice.select(&taken, per_question);
            taken.extend(&chosen);
            if !chosen.is_empty() {
                answers.push(chosen);
            }
        }
        if answers.is_empty() {
            return Ok(letter::nothing_found(request));
        }
        Ok(letter::answer(request, &weighed.candidates, &answers, &weighed.languages, is_partial))
    }
}

/// The figures behind the decision whether a question is answered.
#[derive(Debug, Clone, Copy)]
pub struct Evidence {
    /// How much nearer than neutral sentences the nearest sentence is, 1 being the same text.
    pub nearness: f32,
    /// The same for the passage that the search put first, as a whole.
    pub passage_nearness: f32,
    /// The largest share of the question's words, by weight, in one passage and its title.
    pub passage_coverage: f32,
    /// The same for one sentence with its heading; 0 for a question of one word.
    pub sentence_coverage: f32,
    /// How far the nearest sentence stands above the median one.
    pub lead: f32,
    /// Whether question and passages are in two languages.
    pub is_foreign: bool,
    /// The logarithm of the odds that there is an answer; above 0 the reply quotes.
    pub log_odds: f32,
}

impl From<&Signals> for Evidence {
    fn from(signals: &Signals) -> Self {
        Self {
            nearness: signals.nearness,
            passage_nearness: signals.passage_nearness,
            passage_coverage: signals.passage_coverage,
            sentence_coverage: signals.sentence_coverage,
            lead: signals.lead,
            is_foreign: signals.is_foreign,
            log_odds: signals.log_odds(),
        }
    }
}

#[derive(Default)]
struct Weighed {
    candidates: Vec<Candidate>,
    vectors: Vec<Embedding>,
    questions: Vec<WeighedQuestion>,
    languages: Vec<Option<ancre_domain::Language>>,
}

struct WeighedQuestion {
    terms: WeightedTerms,
    scores: scores::QuestionScores,
    signals: Signals,
}

/// The words and languages of the passages.
struct PassageWords {
    /// To what was searched.
    cosines: Vec<f32>,
    words: Vec<Wording>,
    languages: Vec<Option<ancre_domain::Language>>,
}

impl PassageWords {
    fn read(passages: &[Passage]) -> Self {
        let with_title = |p: &Passage| Wording::read(&format!("{}\n{}", p.title, p.content));
        #[expect(clippy::cast_possible_truncation, reason = "a cosine needs no more digits")]
        let cosine = |passage: &Passage| (1.0 - passage.distance) as f32;
        Self {
            cosines: passages.iter().map(cosine).collect(),
            words: passages.iter().map(with_title).collect(),
            languages: passages.iter().map(|passage| language_of(&passage.content)).collect(),
        }
    }
}

/// At most [`MAX_EMBEDDED`] candidates: those with most of the questions' words, of equals those
/// of the better passages. Predecessors that a kept one needs are kept too.
fn shortlist(all: Vec<Candidate>, asked: &[(Question, WeightedTerms)]) -> Vec<Candidate> {
    if all.len() <= MAX_EMBEDDED {
        return all;
    }
    let promise = |candidate: &Candidate| {
        let sets = [&candidate.words, &candidate.heading_words];
        let coverage = asked.iter().map(|(_, t)| t.coverage(&sets)).fold(0.0_f32, f32::max);
        coverage + PROMISE_OF_RANK / (1.0 + scores::as_f32(candidate.passage))
    };
    let mut order: Vec<(usize, f32)> = all.iter().map(promise).enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut kept = vec![false; all.len()];
    for (index, _) in order.into_iter().take(MAX_EMBEDDED) {
        kept[index] = true;
        let mut leaning = &all[index];
        while let Some(previous) = leaning.previous.filter(|_| leaning.leans_on_previous) {
            kept[previous] = true;
            leaning = &all[previous];
        }
    }
    let mut moved: Vec<Option<usize>> = Vec::with_capacity(all.len());
    let mut next = 0;
    for is_kept in &kept {
        moved.push(is_kept.then_some(next));
        next += usize::from(*is_kept);
    }
    all.into_iter()
        .zip(kept)
        .filter(|(_, is_kept)| *is_kept)
        .map(|(mut candidate, _)| {
            candidate.previous = candidate.previous.and_then(|previous| moved[previous]);
            candidate
        })
        .collect()
}

/// How many sentences are embedded for one reply; more would keep a reader waiting.
const MAX_EMBEDDED: usize = 96;
const BATCH_SIZE: usize = 16;
const PROMISE_OF_RANK: f32 = 0.8;
