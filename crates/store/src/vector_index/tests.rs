use proptest::prelude::*;

use super::*;

/// Vectors of length 1 around a common direction, as those of a language model are.
fn vectors(count: usize, dimension: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut next = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        #[allow(clippy::cast_precision_loss)]
        let number = (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5;
        number
    };
    (0..count)
        .map(|_| {
            let vector: Vec<f32> =
                (0..dimension).map(|at| next() + if at % 3 == 0 { 1.0 } else { 0.2 }).collect();
            let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
            vector.into_iter().map(|number| number / length).collect()
        })
        .collect()
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn index_of(vectors: &[Vec<f32>], windows: usize) -> VectorIndex {
    let mut index = VectorIndex::of_sample(vectors[0].len(), vectors);
    for (key, windows) in vectors.chunks(windows).enumerate() {
        index.insert(key as u128, windows.iter().map(Vec::as_slice));
    }
    index
}

/// The chunks by half their best window and half the mean of all, exactly.
fn exact(vectors: &[Vec<f32>], windows: usize, question: &[f32], k: usize) -> Vec<ChunkKey> {
    let best = |windows: &[Vec<f32>]| {
        let products: Vec<f32> = windows.iter().map(|window| dot(window, question)).collect();
        let best = products.iter().copied().fold(f32::MIN, f32::max);
        f32::midpoint(best, products.iter().sum::<f32>() / products.len() as f32)
    };
    let mut chunks: Vec<(f32, ChunkKey)> =
        vectors.chunks(windows).zip(0..).map(|(windows, key)| (best(windows), key)).collect();
    chunks.sort_by(|one, other| other.0.total_cmp(&one.0));
    chunks.into_iter().take(k).map(|(_, key)| key).collect()
}

fn recall(found: &[Found], wanted: &[ChunkKey]) -> f64 {
    let hits = wanted.iter().filter(|key| found.iter().any(|found| found.key == **key)).count();
    hits as f64 / wanted.len() as f64
}

#[test]
fn a_chunk_is_found_once_whatever_its_windows() {
    let vectors = vectors(300, 64, 7);
    let index = index_of(&vectors, 3);
    let found = index.search(&vectors[100], 5);
    assert_eq!(found[0].key, 33);
    let windows: Vec<f32> = (99..102).map(|at| dot(&vectors[at], &vectors[100])).collect();
    let similarity = f32::midpoint(1.0, windows.iter().sum::<f32>() / 3.0);
    assert!((found[0].similarity - similarity).abs() < 0.01, "{}", found[0].similarity);
    let mut keys: Vec<_> = found.iter().map(|found| found.key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 5);
}

#[test]
fn of_many_vectors_nearly_all_of_the_nearest_are_found() {
    let vectors = vectors(12_000, 96, 3);
    let index = index_of(&vectors, 2);
    let mut sum = 0.0;
    for question in vectors.iter().step_by(600) {
        // A little off, so that the answer is not one vector and noise.
        let question: Vec<f32> = question.iter().map(|number| number * 0.7 + 0.01).collect();
        sum += recall(&index.search(&question, 24), &exact(&vectors, 2, &question, 6));
    }
    assert!(sum / 20.0 >= 0.97, "recall {}", sum / 20.0);
}

#[test]
fn what_is_taken_away_is_not_found_and_what_comes_is() {
    let vectors = vectors(90, 32, 5);
    let mut index = index_of(&vectors, 3);
    index.remove(7);
    index.remove(7);
    index.remove(1_000);
    assert_eq!(index.len(), 87);
    assert!(index.search(&vectors[22], 30).iter().all(|found| found.key != 7));
    assert_eq!(index.search(&vectors[22], 30).len(), 29, "all the others");
    index.insert(7, [vectors[22].as_slice()]);
    assert_eq!(index.search(&vectors[22], 1)[0].key, 7);
    // In place of what it had.
    index.insert(7, [vectors[0].as_slice()]);
    assert_eq!(index.len(), 88);
}

#[test]
fn odd_questions_have_no_answer_and_harm_nothing() {
    let vectors = vectors(10, 32, 5);
    let mut index = index_of(&vectors, 1);
    assert_eq!(index.search(&vectors[0][..31], 3), []);
    assert_eq!(index.search(&vectors[0], 0), []);
    assert_eq!(index.search(&vectors[0], 5_000).len(), 10);
    assert_eq!(index.search(&[0.0; 32], 3).len(), 3);
    index.insert(99, [[1.0].as_slice()]);
    assert_eq!(index.len(), 10, "a vector of another dimension is left out");
    assert_eq!(VectorIndex::of_sample(32, &[]).search(&vectors[0], 3), []);
}

#[test]
fn an_index_is_worn_when_a_quarter_of_it_is_gone() {
    let vectors = vectors(20_000, 8, 5);
    let mut index = index_of(&vectors, 1);
    for key in 0..5_000 {
        index.remove(key);
    }
    assert!(!index.is_worn());
    index.remove(5_000);
    assert!(index.is_worn());
}

proptest! {
    #[test]
    fn any_inserts_and_removes_leave_what_was_inserted_last(
        steps in prop::collection::vec((0_u128..12, 0_usize..4), 1..60),
    ) {
        let pool = vectors(64, 16, 11);
        let mut index = VectorIndex::of_sample(16, &pool);
        let mut model: std::collections::BTreeMap<ChunkKey, usize> = Default::default();
        for (at, (key, count)) in steps.into_iter().enumerate() {
            let windows = pool.iter().cycle().skip(at).take(count);
            index.insert(key, windows.map(Vec::as_slice));
            if count == 0 { model.remove(&key); } else { model.insert(key, count); }
        }
        prop_assert_eq!(index.len(), model.values().sum::<usize>());
        let mut found: Vec<_> = index.search(&pool[0], 100).iter().map(|found| found.key).collect();
        found.sort_unstable();
        prop_assert_eq!(found, model.into_keys().collect::<Vec<_>>());
    }
}

/// Figures for `docs/decisions/0017`: `ANCRE_VECTORS` and `ANCRE_QUESTIONS` are files of raw 32-bit
/// floats, 384 to a vector.
#[test]
#[ignore = "measures; needs real vectors"]
#[allow(clippy::print_stdout, clippy::cast_precision_loss)]
fn recall_and_speed_on_real_vectors() {
    let read = |name: &str| -> Vec<Vec<f32>> {
        let bytes = std::fs::read(std::env::var(name).unwrap()).unwrap();
        let number = |bytes: &[u8]| f32::from_ne_bytes(bytes.try_into().unwrap());
        let numbers: Vec<f32> = bytes.chunks_exact(4).map(number).collect();
        numbers.chunks_exact(384).map(<[f32]>::to_vec).collect()
    };
    let (real, questions) = (read("ANCRE_VECTORS"), read("ANCRE_QUESTIONS"));
    let amount: f32 = std::env::var("ANCRE_NOISE").map_or(0.02, |amount| amount.parse().unwrap());
    let sizes = std::env::var("ANCRE_SIZES").unwrap_or("10000,100000,1000000".to_owned());
    for size in sizes.split(',').map(|size| size.parse::<usize>().unwrap()) {
        // Every further round of the real vectors has noise of its own, `amount` to a number.
        let make = |at: usize| -> Vec<f32> {
            let base = &real[at % real.len()];
            if at < real.len() {
                return base.clone();
            }
            let mut state = at as u64;
            let mut noise = || {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut mixed = state;
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((mixed >> 40) as f32 / (1_u64 << 23) as f32 - 1.0) * 1.732 * amount
            };
            let vector: Vec<f32> = base.iter().map(|number| number + noise()).collect();
            let length = dot(&vector, &vector).sqrt();
            vector.into_iter().map(|number| number / length).collect()
        };
        let sample: Vec<Vec<f32>> = (0..SAMPLE.min(size)).map(make).collect();
        let mut index = VectorIndex::of_sample(384, &sample);
        let asked: Vec<&Vec<f32>> = questions.iter().step_by(questions.len() / 60).collect();
        let mut exact = vec![Vec::new(); asked.len()];
        let mut building = std::time::Duration::ZERO;
        for at in 0..size {
            let vector = make(at);
            let begin = std::time::Instant::now();
            index.insert(at as u128, [vector.as_slice()]);
            building += begin.elapsed();
            for (scored, question) in exact.iter_mut().zip(&asked) {
                scored.push((dot(&vector, question), at as ChunkKey));
                if scored.len() >= 4_096 {
                    scored.select_nth_unstable_by(8, |one, other| other.0.total_cmp(&one.0));
                    scored.truncate(8);
                }
            }
        }
        let (mut times, mut sums) = (Vec::new(), [0.0; 3]);
        for _ in 0..3 {
            for question in &asked {
                let begin = std::time::Instant::now();
                std::hint::black_box(index.search(question, 32));
                times.push(begin.elapsed());
            }
        }
        for (scored, question) in exact.iter_mut().zip(&asked) {
            scored.sort_by(|one, other| other.0.total_cmp(&one.0));
            let wanted: Vec<ChunkKey> = scored[..6].iter().map(|(_, key)| *key).collect();
            let found = index.search(question, 32);
            for (sum, k) in sums.iter_mut().zip([6, 16, 32]) {
                *sum += recall(&found[..k], &wanted) / asked.len() as f64;
            }
        }
        times.sort();
        let (middle, late) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        let [at_6, at_16, at_32] = sums;
        println!(
            "{size}: built in {building:?}; p50 {middle:?}, p95 {late:?}; of the exact 6 among the \
             first 6, 16, 32: {at_6:.4} {at_16:.4} {at_32:.4}"
        );
    }
}
