//! The loops in which a search spends its time.
//!
//! They are plain loops over slices that the compiler turns into vector instructions; `pulp` picks
//! at run time the widest ones that the processor has. Loops and not iterators: an iterator's `sum` or
//! `extend` may become a function of its own, which is then compiled for the oldest processor.

use std::ops::Range;

use pulp::Arch;

/// How many words of signs the vectors of the default model have (384 numbers): known while
/// compiling, the loop over them is unrolled.
const USUAL_WORDS: usize = 6;

/// How many signs of each vector differ from the question's. `signs` holds as many words for each
/// place of `distances` as `question` has.
pub(super) fn differing_signs(question: &[u64], signs: &[u64], distances: &mut [u16]) {
    if let Ok(question) = <&[u64; USUAL_WORDS]>::try_from(question) {
        Arch::new().dispatch(
            #[inline(always)]
            || {
                let (vectors, _) = signs.as_chunks::<USUAL_WORDS>();
                for (distance, vector) in distances.iter_mut().zip(vectors) {
                    *distance = differing(question, vector);
                }
            },
        );
        return;
    }
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (distance, vector) in distances.iter_mut().zip(signs.chunks_exact(question.len())) {
                *distance = differing(question, vector);
            }
        },
    );
}

/// At most 8,192, the longest vector that is stored.
#[inline(always)]
fn differing(one: &[u64], other: &[u64]) -> u16 {
    let mut bits = 0;
    for (one, other) in one.iter().zip(other) {
        bits += (one ^ other).count_ones();
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 8,192")]
    let bits = bits as u16;
    bits
}

/// The cosine of two vectors of length 1, as sqlite-vec's distance has it: `1 - |a - b|² / 2`.
pub(super) fn similarity(one: &[f32], other: &[f32]) -> f32 {
    /// Sums that are added up side by side.
    const LANES: usize = 16;
    let square = Arch::new().dispatch(
        #[inline(always)]
        || {
            let ((one, one_rest), (other, other_rest)) =
                (one.as_chunks::<LANES>(), other.as_chunks::<LANES>());
            let mut sums = [0.0_f32; LANES];
            for (one, other) in one.iter().zip(other) {
                for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
                    *sum += (one - other) * (one - other);
                }
            }
            let rest = one_rest.iter().zip(other_rest);
            let rest = rest.map(|(one, other)| (one - other) * (one - other)).sum::<f32>();
            sums.iter().sum::<f32>() + rest
        },
    );
    1.0 - square / 2.0
}

/// Appends to `found` the products of the question's numbers with the codes at each of `places`.
pub(super) fn products(question: &[i16], codes: &[i8], places: Range<u32>, found: &mut Vec<i32>) {
    let length = question.len();
    let Some(codes) = codes.get(places.start as usize * length..places.end as usize * length)
    else {
        return;
    };
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for codes in codes.chunks_exact(length.max(1)) {
                let mut product = 0;
                for (number, code) in question.iter().zip(codes) {
                    product += i32::from(*number) * i32::from(*code);
                }
                found.push(product);
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_counted_in_words_of_any_number() {
        for words in [1, 5, 6, 7] {
            let question = vec![0b1011; words];
            let mut signs = vec![0b1011; 2 * words];
            signs[2 * words - 1] = 0b0010;
            let mut distances = [9; 2];
            differing_signs(&question, &signs, &mut distances);
            assert_eq!(distances, [0, 2], "{words} words");
        }
    }

    #[test]
    fn similarities_are_cosines_of_vectors_of_any_length() {
        for dimension in [3, 16, 35] {
            let mut one = vec![0.0; dimension];
            let mut other = one.clone();
            (one[0], other[0], other[dimension - 1]) = (1.0, 0.6, 0.8);
            assert!((similarity(&one, &other) - 0.6).abs() < 1e-6, "{dimension} numbers");
            assert_eq!(similarity(&other, &other), 1.0);
        }
    }

    #[test]
    fn products_are_those_of_the_places_asked_for() {
        let codes = [1, 2, 3, -4, 127, -127];
        let mut found = Vec::new();
        products(&[10, -1], &codes, 1..3, &mut found);
        assert_eq!(found, [34, 127 * 10 + 127]);
        products(&[10, -1], &codes, 2..4, &mut found);
        assert_eq!(found.len(), 2, "place 3 is not there");
    }
}
