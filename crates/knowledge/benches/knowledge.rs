//! What the parts around the model cost: cutting, storing, searching.
//!
//! `cargo bench -p ancre-knowledge` prints criterion's estimates for the chunker and, since
//! criterion gives no percentiles, a report of its own for ingestion and search: each figure with
//! its p50 and p95. Vectors are random or come from the embedder of tests; the model itself is
//! measured where it lives, in `ancre-models`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use ancre_domain::{
    Cancellation, CharRange, Chunk, ChunkId, ChunkingSettings, Clock, KnowledgeBase, Timestamp,
};
use ancre_knowledge::chunker::chunk_text;
use ancre_knowledge::ingestion::{DEFAULT_BATCH_SIZE, Indexer, NewText, register_text};
use ancre_knowledge::sentences::sentences;
use ancre_models::Embedder;
use ancre_store::traits::{DocumentStore, IndexedChunk, LexicalText};
use ancre_testkit::{Scene, WordEmbedder};
use criterion::{Criterion, Throughput};

const DIMENSION: u32 = 384;

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    chunking(&mut criterion);
    criterion.final_summary();
    // Under `cargo test` and with a filter only criterion's part runs.
    if std::env::args().skip(1).any(|argument| argument != "--bench") {
        return;
    }
    ingestion();
    for chunk_count in [1_000, 10_000, 100_000] {
        search(chunk_count);
    }
}

/// About `bytes` bytes of French-like help text: headings, lists, paragraphs.
fn french_text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1_000);
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text.push_str(&format!("## Étape {number}\n\n"));
        for paragraph in 0..4 {
            for sentence in 0..5 {
                text.push_str(&format!(
                    "Selon l'art. {sentence} du contrat n° {number}, M. Dupont peut demander « un \
                     remboursement » à l'été {paragraph}, p. ex. sous 14 jours ! "
                ));
            }
            text.push_str("\n\n");
        }
        text.push_str("- un compte actif\n- une facture\n\n");
    }
    text
}

fn chunking(criterion: &mut Criterion) {
    let text = french_text(10_000_000);
    let mut group = criterion.benchmark_group("10 MB of French");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("chunk_text", |bencher| {
        bencher.iter(|| chunk_text(black_box(&text), ChunkingSettings::default()));
    });
    group.bench_function("sentences", |bencher| {
        bencher.iter(|| sentences(black_box(&text)));
    });
    group.finish();
}

/// Ingests ten documents of 100 chunks, the embedder's time apart from everything else's.
fn ingestion() {
    let scene = Scene::with_embedder(WordEmbedder::new(DIMENSION));
    let base = scene.knowledge_base("Aide");
    let mut total = Duration::ZERO;
    let mut embedding = Duration::ZERO;
    let mut chunk_count = 0;
    let mut number = 0;
    while chunk_count < 1_000 {
        number += 1;
        let text = format!("Document {number}.\n\n{}", french_text(180_000));
        let contents: Vec<&str> =
            chunk_text(&text, base.chunking).into_iter().map(|slice| &text[slice.bytes]).collect();
        chunk_count += contents.len();
        let begun = Instant::now();
        let batch = DEFAULT_BATCH_SIZE;
        let flag = Cancellation::new();
        black_box(scene.embedder.embed_passages(&contents, batch, &flag, &mut |_| {}).unwrap());
        embedding += begun.elapsed();
        let begun = Instant::now();
        ingest(&scene, &base, text.clone());
        total += begun.elapsed();
    }
    let rest = total.saturating_sub(embedding);
    let per_chunk = rest.as_secs_f64() * 1_000.0 / f64::from(u32::try_from(chunk_count).unwrap());
    println!(
        "ingestion: {chunk_count} chunks in {total:.2?}; the tests' embedder {embedding:.2?}, \
         everything else {rest:.2?} = {per_chunk:.3} ms a chunk"
    );
}

fn ingest(scene: &Scene, base: &KnowledgeBase, text: String) {
    let text = NewText::pasted("Texte", text);
    let project = scene.project_id();
    let added = register_text(&*scene.store, &scene.clock, project, &base.id, text).unwrap();
    let indexer = Indexer {
        store: &*scene.store,
        embedder: &scene.embedder,
        clock: &scene.clock,
        batch_size: DEFAULT_BATCH_SIZE,
    };
    let id = &added.document.id;
    indexer.index_document(project, id, &Cancellation::new(), &mut |_| {}).unwrap();
}

/// Searches a base of `chunk_count` random unit vectors.
fn search(chunk_count: u32) {
    let scene = Scene::with_embedder(WordEmbedder::new(DIMENSION));
    let base = scene.knowledge_base("Aide");
    let mut random = Random(7);
    let per_document = 1_000;
    let filling = Instant::now();
    for number in 0..chunk_count / per_document {
        fill(&scene, &base, number, per_document, &mut random);
    }
    let filling = filling.elapsed();
    let mut times: Vec<Duration> = (0..100)
        .map(|_| {
            let query = random.unit_vector();
            let begun = Instant::now();
            let (project, k) = (scene.project_id(), 6);
            black_box(scene.store.nearest(project, &base.id, &query, k, None).unwrap());
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!(
        "search: {chunk_count} chunks: p50 {:.2?}, p95 {:.2?} (stored in {filling:.1?})",
        times[49], times[94]
    );
}

fn fill(scene: &Scene, base: &KnowledgeBase, number: u32, chunks: u32, random: &mut Random) {
    let text = NewText::pasted("Texte", format!("Document {number}. {}", "mot ".repeat(500)));
    let project = scene.project_id();
    let added = register_text(&*scene.store, &scene.clock, project, &base.id, text).unwrap();
    let id = added.document.id;
    scene.store.claim_document(project, &id).unwrap();
    let now: Timestamp = scene.clock.now();
    let chunks: Vec<Chunk> = (0..chunks)
        .map(|position| Chunk {
            id: ChunkId::generate(now),
            document_id: id.clone(),
            position,
            content: "mot ".repeat(400),
            range: CharRange { start: position, end: position + 1_600 },
            page: None,
            page_kind: None,
            page_label: None,
            heading: None,
            token_count: 400,
            tokens_outside_window: 0,
        })
        .collect();
    scene.store.store_chunks(&id, &chunks).unwrap();
    let indexed: Vec<IndexedChunk> = chunks
        .into_iter()
        .map(|chunk| IndexedChunk {
            chunk_id: chunk.id,
            windows: vec![random.unit_vector()],
            lexical: LexicalText { body: chunk.content, ..LexicalText::default() },
            language: None,
            tokens_outside_window: 0,
        })
        .collect();
    scene.store.finish_document(&id, &indexed, now).unwrap();
}

/// Numbers that are the same on every machine (xorshift64*, Vigna).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = u16::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 48).unwrap_or(0);
        f32::from(bits) / 32_768.0 - 1.0
    }

    fn unit_vector(&mut self) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..DIMENSION).map(|_| self.next()).collect();
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        for number in &mut vector {
            *number /= length;
        }
        vector
    }
}
