//! Measures the rule of evidence on a retrieval set with the real model.
//!
//! Each question is asked in up to four states: of a base that has its document (`answer`), of
//! the same base without it (`removed`), of a base about something else (`other`), and of a base
//! in another language with or without its page (`foreign answer`, `foreign other`). Every
//! signal goes to standard output as a line of tab-separated values, the shares of quoted
//! questions to standard error, by half: fit on one, read the other. Samples are taken at equal
//! steps, so two runs ask the same questions. `docs/decisions/0004-extractive-evidence.md` has
//! the command and the figures.

#![allow(clippy::expect_used, reason = "a measurement ends where a step of it fails")]

mod remembering;
mod retrieval_set;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ancre_desk::extractive::{Evidence, ExtractiveRunner};
use ancre_desk::question::search_query;
use ancre_desk::words::language_of;
use ancre_domain::{Cancellation, ChunkingSettings, Language};
use ancre_knowledge::chunker::chunk_text;
use ancre_models::{
    Embedder, GenerationRequest, ModelPack, OnnxEmbedder, Passage, runtime_library_name,
};

use remembering::Remembering;
use retrieval_set::{Document, Group, Query, RetrievalSet, every_nth};

const USAGE: &str = "weigh_evidence CORPUS.jsonl QUERIES.jsonl QRELS.tsv QRELS_CROSS.tsv STRANGERS.jsonl \
     [PER_GROUP [MEMORY]]\n\
     STRANGERS are English questions that no document answers; PER_GROUP questions are taken of \
     each source (24); MEMORY is a file in which vectors are kept for the next run.";

/// What a run asks about, as in the product but for the smaller chunks, of which the sources'
/// short documents have more than one.
const CHUNKING: (u32, u32) = (1_000, 200);
const TOP_K: usize = 6;
const DOCUMENTS_PER_BASE: usize = 100;
const CHUNKS_PER_DOCUMENT: usize = 4;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, queries, qrels, cross, strangers, options @ ..] = arguments.as_slice() else {
        writeln!(std::io::stderr(), "{USAGE}").expect("it writes");
        return ExitCode::from(2);
    };
    let per_group = options.first().map_or(24, |count| count.parse().expect("a count"));
    let set = RetrievalSet::read(
        Path::new(corpus),
        Path::new(queries),
        &[Path::new(qrels), Path::new(cross)],
    );
    let strangers = retrieval_set::questions(Path::new(strangers));
    let memory = options.get(1).map(PathBuf::from);
    let embedder = Arc::new(Remembering::new(model(), memory));
    let measured = Measurement { embedder: embedder.clone(), set: &set, per_group }.run(&strangers);
    embedder.keep();
    report(&measured);
    ExitCode::SUCCESS
}

fn model() -> OnnxEmbedder {
    let folder = std::env::var_os("ANCRE_RUNTIME").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../runtime"),
        PathBuf::from,
    );
    let pack = ModelPack::open(&folder.join("models/multilingual-e5-small"))
        .expect("the model pack is there; “make setup” makes it");
    let library = folder.join("onnxruntime").join(runtime_library_name());
    OnnxEmbedder::load(&pack, &library).expect("the model loads")
}

/// One question in one state.
struct Measured {
    state: &'static str,
    source: String,
    half: usize,
    question: String,
    evidence: Evidence,
}

struct Measurement<'a> {
    embedder: Arc<Remembering>,
    set: &'a RetrievalSet,
    per_group: usize,
}

/// The chunks of some documents with their vectors.
struct Base {
    chunks: Vec<(String, Passage, Vec<f32>)>,
}

impl Measurement<'_> {
    fn run(&self, strangers: &[Query]) -> Vec<Measured> {
        let groups = self.set.groups();
        let asked: BTreeMap<&Group, Vec<&Query>> = groups
            .iter()
            .map(|group| (group, every_nth(self.set.queries_of(group), self.per_group)))
            .collect();
        let bases: BTreeMap<&Group, Base> = groups
            .iter()
            .map(|group| {
                (group, self.base(&self.set.documents_for(group, &asked, DOCUMENTS_PER_BASE)))
            })
            .collect();
        let mut measured = Vec::new();
        for (group, queries) in &asked {
            let unrelated = next_of_language(group, &groups);
            for (index, query) in queries.iter().enumerate() {
                let answers = self.set.answers_to(&query.id);
                let none: &[String] = &[];
                let mut ask = |state, base: &Group, left_out: &[String]| {
                    if let Some(evidence) = self.ask(query, &bases[base], left_out) {
                        let source = format!("{}-{}", group.source, group.lang);
                        let question = query.text.clone();
                        measured.push(Measured {
                            state,
                            source,
                            half: index % 2,
                            question,
                            evidence,
                        });
                    }
                };
                ask("answer", group, none);
                ask("removed", group, answers);
                ask("other", unrelated, none);
                let abroad = Group { lang: "en".to_owned(), source: group.source.clone() };
                if group.lang == "en" {
                } else if bases.contains_key(&abroad) {
                    if self.set.has_answer_in(&query.id, &abroad) {
                        ask("foreign answer", &abroad, none);
                    }
                } else if let Some(abroad) = groups.iter().find(|other| other.lang == "en") {
                    ask("foreign other", abroad, none);
                }
            }
        }
        let english: Vec<&Group> = groups.iter().filter(|group| group.lang == "en").collect();
        for (index, query) in
            every_nth(strangers.iter().collect(), 2 * self.per_group).into_iter().enumerate()
        {
            for base in &english {
                if let Some(evidence) = self.ask(query, &bases[*base], &[]) {
                    measured.push(Measured {
                        state: "other",
                        source: format!("strangers of {}", base.source),
                        half: index % 2,
                        question: query.text.clone(),
                        evidence,
                    });
                }
            }
        }
        measured
    }

    fn base(&self, documents: &[&Document]) -> Base {
        let settings = ChunkingSettings::new(CHUNKING.0, CHUNKING.1).expect("good settings");
        let mut chunks = Vec::new();
        for document in documents {
            let slices = chunk_text(&document.text, settings);
            for slice in slices.into_iter().take(CHUNKS_PER_DOCUMENT) {
                let passage = Passage {
                    number: 0,
                    title: document.title.clone(),
                    uri: None,
                    content: document.text[slice.bytes.clone()].to_owned(),
                    continues_before: slice.bytes.start > 0,
                    continues_after: slice.bytes.end < document.text.len(),
                    distance: 0.0,
                };
                chunks.push((document.id.clone(), passage));
            }
        }
        let texts: Vec<&str> = chunks.iter().map(|(_, passage)| passage.content.as_str()).collect();
        let vectors = self
            .embedder
            .embed_passages(&texts, 16, &Cancellation::new(), &mut |_| {})
            .expect("the model answers");
        let chunks = chunks.into_iter().zip(vectors);
        Base { chunks: chunks.map(|((id, passage), v)| (id, passage, v.vector)).collect() }
    }

    /// The evidence for the first thing that `query` asks of `base` without `left_out`.
    fn ask(&self, query: &Query, base: &Base, left_out: &[String]) -> Option<Evidence> {
        let text = search_query("", &query.text);
        let vector = self.embedder.embed_query(&text).expect("the model answers").vector;
        let mut found: Vec<Passage> = base
            .chunks
            .iter()
            .filter(|(id, ..)| !left_out.contains(id))
            .map(|(_, passage, other)| {
                let cosine: f32 = vector.iter().zip(other).map(|(a, b)| a * b).sum();
                Passage { distance: f64::from(1.0 - cosine), ..passage.clone() }
            })
            .collect();
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        found.truncate(TOP_K);
        for (number, passage) in (1..).zip(&mut found) {
            passage.number = number;
        }
        let request = GenerationRequest {
            language: language_of(&query.text).unwrap_or(Language::En),
            question: &query.text,
            passages: &found,
            instructions: "",
            signature: "",
        };
        let runner = ExtractiveRunner::new(self.embedder.clone());
        let weighed = runner.weigh_evidence(&request, &Cancellation::new());
        weighed.expect("the model answers").first().copied()
    }
}

/// The group after `group` among those of its language, round the corner.
fn next_of_language<'a>(group: &Group, groups: &'a [Group]) -> &'a Group {
    let same: Vec<&Group> = groups.iter().filter(|other| other.lang == group.lang).collect();
    let here = same.iter().position(|other| *other == group).unwrap_or_default();
    same[(here + 1) % same.len()]
}

fn report(measured: &[Measured]) {
    let mut out = std::io::stdout().lock();
    let header = "state\tsource\thalf\tlog_odds\tnearness\tpassage_nearness\tpassage_coverage\t\
                  sentence_coverage\tlead\tis_foreign\tquestion";
    writeln!(out, "{header}").expect("it writes");
    let mut shares: BTreeMap<(&str, String), [usize; 4]> = BTreeMap::new();
    for Measured { state, source, half, question, evidence: e } in measured {
        writeln!(
            out,
            "{state}\t{source}\t{half}\t{:.3}\t{:.3}\t{:.3}\t{:.3}\t{:.3}\t{:.3}\t{}\t{question}",
            e.log_odds,
            e.nearness,
            e.passage_nearness,
            e.passage_coverage,
            e.sentence_coverage,
            e.lead,
            e.is_foreign
        )
        .expect("it writes");
        for name in [String::new(), source.clone()] {
            let share = shares.entry((state, name)).or_default();
            share[2 * half] += 1;
            share[2 * half + 1] += usize::from(e.log_odds > 0.0);
        }
    }
    let mut err = std::io::stderr().lock();
    writeln!(err, "state / source: quoted of asked in the first half, in the second, share of all")
        .expect("it writes");
    for ((state, source), [asked_a, quoted_a, asked_b, quoted_b]) in shares {
        let percent = 100 * (quoted_a + quoted_b) / (asked_a + asked_b).max(1);
        writeln!(err, "{state} {source}: {quoted_a}/{asked_a} {quoted_b}/{asked_b} {percent} %")
            .expect("it writes");
    }
}
