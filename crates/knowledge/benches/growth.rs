//! How searching goes on when a base grows: by meaning, by words, both, with what it costs to keep.
//!
//! `cargo bench -p ancre-knowledge --bench growth` prints a line for each size in `ANCRE_SIZES`
//! (chunks; 1000,10000,100000 when absent; 1000000 takes 6 GB of disk and a quarter of an hour, or a
//! third of both with `ANCRE_WORDS=12`, which says how many words a chunk has: 250 when absent).
//! `ANCRE_VECTORS` and `ANCRE_QUESTIONS` are files of raw 32-bit floats, 384 to a vector, of a real
//! model: every further round of them has small noise. Without them vectors are made around common
//! directions, which is enough for time and not for recall. `ANCRE_WINDOWS` says how many vectors a
//! chunk has (1 when absent). Texts are words of a vocabulary with Zipf's frequencies. The
//! embedding of the question is not part of the figures.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use ancre_domain::{
    CharRange, Chunk, ChunkId, Clock, KnowledgeBase, KnowledgeBaseId, ProjectId, SearchMode,
};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::ingestion::{NewText, register_text};
use ancre_knowledge::lexical::{Query, lexical_text};
use ancre_knowledge::search::{QueryEmbedder, SearchRequest, search};
use ancre_store::traits::{DocumentStore, IndexedChunk, KnowledgeBaseStore, LexicalWeights};
use ancre_testkit::{Scene, WordEmbedder};

const DIMENSION: usize = 384;
const CHUNKS_PER_DOCUMENT: usize = 200;
const QUESTIONS: usize = 60;

fn main() {
    // Under `cargo test` nothing is measured.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let sizes = std::env::var("ANCRE_SIZES").unwrap_or("1000,10000,100000".to_owned());
    let count = |name: &str, absent: usize| {
        std::env::var(name).map_or(absent, |count| count.parse().unwrap())
    };
    let shape = Shape { windows: count("ANCRE_WINDOWS", 1), words: count("ANCRE_WORDS", 250) };
    let material = Material::read();
    println!("nothing stored");
    opening(&Scene::with_embedder(WordEmbedder::new(384)));
    for size in sizes.split(',') {
        measure(&material, size.trim().parse().unwrap(), shape);
    }
}

/// What a chunk is like.
#[derive(Clone, Copy)]
struct Shape {
    /// How many vectors it has.
    windows: usize,
    /// How many words.
    words: usize,
}

fn measure(material: &Material, size: usize, shape: Shape) {
    let scene = Scene::with_embedder(WordEmbedder::new(384));
    let base = scene.knowledge_base("Aide");
    let (project, kb) = (scene.project_id(), &base.id);
    let begun = Instant::now();
    let mut random = Random(7);
    let mut filled = 0;
    while filled < size {
        let count = CHUNKS_PER_DOCUMENT.min(size - filled);
        fill(&scene, &base, material, filled, count, shape, &mut random);
        filled += count;
    }
    let filling = begun.elapsed();
    println!(
        "{size} chunks of {} vectors and {} words, stored in {filling:.1?}, memory {} MiB, at most {} MiB",
        shape.windows,
        shape.words,
        memory("VmRSS:"),
        memory("VmHWM:")
    );
    opening(&scene);

    let questions: Vec<(String, Vec<f32>)> =
        (0..QUESTIONS).map(|at| (random.words(8), material.question(at).to_vec())).collect();
    let first = timed(|| drop(scene.store.nearest(project, kb, &questions[0].1, 6, None).unwrap()));
    // The table answers while an index is made.
    let waited = Instant::now();
    let mut times = Vec::new();
    while waited.elapsed() < Duration::from_secs(if size > 200_000 { 120 } else { 15 }) {
        let question = &questions[times.len() % QUESTIONS].1;
        times.push(timed(|| drop(scene.store.nearest(project, kb, question, 6, None).unwrap())));
        if times.len() >= 3 * QUESTIONS {
            let recent = &times[times.len() - QUESTIONS..];
            if recent.iter().sum::<Duration>() * 3 < times[..QUESTIONS].iter().sum()
                || size <= 3_000
            {
                break;
            }
        }
    }
    println!("  first search {first:.1?}; the index served after {:.1?}", waited.elapsed());
    for k in [6, 100] {
        report(&format!("by meaning, k = {k}"), &questions, |(_, vector)| {
            drop(scene.store.nearest(project, kb, vector, k, None).unwrap());
        });
    }
    recall(&scene, project, kb, &questions);
    let weights = LexicalWeights { title: 1.0, heading: 1.0, body: 1.0 };
    report("by words, k = 400", &questions, |(words, _)| {
        let query = Query::read(words).lexical_query();
        drop(scene.store.lexical(project, kb, &query, weights, 400).unwrap());
    });
    for mode in [SearchMode::Text, SearchMode::Hybrid] {
        report(&format!("whole search, {mode:?}, top 6"), &questions, |(words, vector)| {
            let request =
                SearchRequest { mode, ..SearchRequest::new(words.as_str(), vec![kb.clone()]) };
            let embedder = Given(vector);
            drop(black_box(search(&*scene.store, Some(&embedder), project, &request).unwrap()));
        });
    }
    beside_a_writer(&scene, &base, material, size, shape, &questions, &mut random);
    println!("  memory {} MiB, at most {} MiB", memory("VmRSS:"), memory("VmHWM:"));
}

/// How long it takes until a folder is open and the list of bases is there, as for the window.
fn opening(scene: &Scene) {
    report("opening, with the list of bases", &[(); 10], |()| {
        let store = scene.store.open_again().unwrap();
        drop(store.list_knowledge_bases(scene.project_id()).unwrap());
    });
}

/// How long searches take while documents are stored.
fn beside_a_writer(
    scene: &Scene,
    base: &KnowledgeBase,
    material: &Material,
    size: usize,
    shape: Shape,
    questions: &[(String, Vec<f32>)],
    random: &mut Random,
) {
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let mut times: Vec<(Duration, Duration)> = thread::scope(|scope| {
        let searcher = scope.spawn(|| {
            let mut times = Vec::new();
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                let question = &questions[times.len() % QUESTIONS].1;
                let project = scene.project_id();
                let before = waited_for_a_processor();
                let time = timed(|| {
                    drop(scene.store.nearest(project, &base.id, question, 6, None).unwrap());
                });
                times.push((time, waited_for_a_processor() - before));
            }
            times
        });
        for round in 0..10 {
            let at = size + round * CHUNKS_PER_DOCUMENT;
            fill(scene, base, material, at, CHUNKS_PER_DOCUMENT, shape, random);
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        searcher.join().unwrap()
    });
    times.sort_unstable();
    let own = times.iter().map(|(time, waited)| time.saturating_sub(*waited)).max().unwrap();
    let (longest, waited) = times[times.len() - 1];
    println!(
        "  by meaning, k = 6, while {} chunks are stored: p50 {:.2?}, longest {longest:.2?}, of which \
         {waited:.2?} waiting for a processor; longest without such waiting {own:.2?}",
        10 * CHUNKS_PER_DOCUMENT,
        times[times.len() / 2].0,
    );
}

/// How much of the table's own answer the index gives.
fn recall(
    scene: &Scene,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    questions: &[(String, Vec<f32>)],
) {
    let mut found = 0;
    for (_, vector) in questions {
        let ids = |k: u32| -> Vec<ChunkId> {
            let hits = scene.store.nearest(project, kb, vector, k, None).unwrap();
            hits.into_iter().map(|hit| hit.chunk.id).take(6).collect()
        };
        // More than an index is asked for: the table answers.
        let (index, table) = (ids(6), ids(1_001));
        found += table.iter().filter(|id| index.contains(id)).count();
    }
    println!("  recall@6 against the table: {:.4}", found as f64 / (6 * questions.len()) as f64);
}

fn report<T>(what: &str, questions: &[T], mut ask: impl FnMut(&T)) {
    let mut times: Vec<Duration> = Vec::new();
    let before = processor_time();
    for _ in 0..3 {
        times.extend(questions.iter().map(|question| timed(|| ask(question))));
    }
    let worked = (processor_time() - before) / u32::try_from(times.len()).unwrap();
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let (p50, p95) = (at(50), at(95));
    println!("  {what}: p50 {p50:.2?}, p95 {p95:.2?}, processor {worked:.2?} on the average");
}

fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

fn fill(
    scene: &Scene,
    base: &KnowledgeBase,
    material: &Material,
    first: usize,
    count: usize,
    shape: Shape,
    random: &mut Random,
) {
    let project = scene.project_id();
    let text = NewText::pasted(format!("Document {first}"), format!("Document {first}."));
    let added = register_text(&*scene.store, &scene.clock, project, &base.id, text).unwrap();
    let id = added.document.id;
    scene.store.claim_document(project, &id).unwrap();
    let now = scene.clock.now();
    let chunks: Vec<Chunk> = (0..count)
        .map(|position| {
            let content = random.words(shape.words);
            let length = u32::try_from(content.chars().count()).unwrap();
            let position = u32::try_from(position).unwrap();
            Chunk {
                id: ChunkId::generate(now),
                document_id: id.clone(),
                position,
                content,
                // One behind the other: passages of one place are near-duplicates.
                range: CharRange { start: position * 10_000, end: position * 10_000 + length },
                page: None,
                page_kind: None,
                page_label: None,
                heading: None,
                token_count: length / 4,
                tokens_outside_window: 0,
            }
        })
        .collect();
    scene.store.store_chunks(&id, &chunks).unwrap();
    let indexed: Vec<IndexedChunk> = chunks
        .iter()
        .enumerate()
        .map(|(at, chunk)| IndexedChunk {
            chunk_id: chunk.id.clone(),
            windows: (0..shape.windows)
                .map(|window| material.vector((first + at) * shape.windows + window))
                .collect(),
            lexical: lexical_text("Document", None, &chunk.content, None),
            language: None,
            tokens_outside_window: 0,
        })
        .collect();
    scene.store.finish_document(&id, &indexed, now).unwrap();
}

/// A question that is embedded already.
struct Given<'a>(&'a [f32]);

impl QueryEmbedder for Given<'_> {
    fn embed_for(&self, _: &KnowledgeBase, _: &str) -> Result<Vec<f32>, KnowledgeError> {
        Ok(self.0.to_vec())
    }
}

/// The vectors that bases are filled with.
struct Material {
    vectors: Vec<Vec<f32>>,
    questions: Vec<Vec<f32>>,
}

impl Material {
    fn read() -> Self {
        let read = |name: &str| -> Option<Vec<Vec<f32>>> {
            let bytes = std::fs::read(std::env::var(name).ok()?).unwrap();
            let number = |bytes: &[u8]| f32::from_ne_bytes(bytes.try_into().unwrap());
            let numbers: Vec<f32> = bytes.chunks_exact(4).map(number).collect();
            Some(numbers.chunks_exact(DIMENSION).map(<[f32]>::to_vec).collect())
        };
        let mut random = Random(3);
        let mut make = |count: usize| (0..count).map(|_| random.vector()).collect::<Vec<_>>();
        let vectors = read("ANCRE_VECTORS").unwrap_or_else(|| make(4_000));
        let questions = read("ANCRE_QUESTIONS").unwrap_or_else(|| make(QUESTIONS));
        Self { vectors, questions }
    }

    fn question(&self, at: usize) -> &[f32] {
        &self.questions[at * self.questions.len() / QUESTIONS]
    }

    /// The `at`-th vector: a real one, in later rounds with noise of 0.02 to a number.
    fn vector(&self, at: usize) -> Vec<f32> {
        let base = &self.vectors[at % self.vectors.len()];
        if at < self.vectors.len() {
            return base.clone();
        }
        let mut random = Random((at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        unit(base.iter().map(|number| number + random.next() * 0.035).collect())
    }
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.into_iter().map(|number| number / length).collect()
}

/// Numbers that are the same on every machine (xorshift64*, Vigna).
struct Random(u64);

impl Random {
    /// In [-1, 1).
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = u16::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 48).unwrap_or(0);
        f32::from(bits) / 32_768.0 - 1.0
    }

    /// Around a common direction, as a model's vectors are.
    fn vector(&mut self) -> Vec<f32> {
        unit((0..DIMENSION).map(|at| self.next() + if at % 3 == 0 { 1.0 } else { 0.2 }).collect())
    }

    /// Words of a vocabulary of 50,000, the n-th about as frequent as 1 / n.
    fn words(&mut self, count: usize) -> String {
        let syllables =
            ["ra", "te", "li", "mon", "sé", "cou", "ver", "pa", "dre", "gi", "nu", "flo"];
        let mut text = String::new();
        for _ in 0..count {
            let share = f64::from(self.next().midpoint(1.0)).clamp(0.0, 0.999_999);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "in 1..50,000"
            )]
            let mut rank = 50_000.0_f64.powf(share) as usize + 11;
            while rank > 0 {
                text.push_str(syllables[rank % syllables.len()]);
                rank /= syllables.len();
            }
            text.push(' ');
        }
        text
    }
}

/// How long the processor worked for this process so far, in hundredths of a second; nothing where
/// the system does not say.
fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields behind the name, which stands in brackets and may have blanks.
    let fields = status.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// How long this thread was ready to go on while something else had the processors; nothing where
/// the system does not say.
fn waited_for_a_processor() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let waited = status.split_whitespace().nth(1).and_then(|waited| waited.parse().ok());
    Duration::from_nanos(waited.unwrap_or_default())
}

/// What the system says of the memory of this process under this name, in MiB; 0 where it says
/// nothing.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1_024
}
