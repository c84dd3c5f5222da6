//! Small codes for vectors: one bit and one byte for each number.
//!
//! The vectors of one embedding model lie close together: most of their numbers have the same sign
//! in nearly every vector, so signs alone say little (measured on multilingual-e5-small: .41 of the
//! exact first six). What distinguishes vectors is their difference from the mean, so the codes are
//! of that difference: its signs for a first look, and each number in steps of a 127th of the
//! largest, with the vector's own step, for a second. Asymmetric comparison (an exact question
//! against coded passages) is as in Jégou, Douze and Schmid, "Product quantization for nearest
//! neighbor search", 2011.

/// The largest value of a code.
const CODE_LIMIT: f32 = 127.0;

/// The largest value of a question's number. With codes up to 127 and 8,192 dimensions the sum of
/// products stays below 2³¹: 127 · 2,047 · 8,192 = 2.13 · 10⁹.
const QUESTION_LIMIT: f32 = 2_047.0;

/// How many bits stand in a word of signs.
const WORD_BITS: usize = 64;

/// Makes codes of vectors of one dimension.
#[derive(Debug, Clone)]
pub(super) struct Quantiser {
    mean: Vec<f32>,
}

/// A question, ready to be compared with codes.
#[derive(Debug)]
pub(super) struct CodedQuestion {
    /// The signs of its difference from the mean.
    pub(super) signs: Vec<u64>,
    /// Its numbers in steps.
    pub(super) numbers: Vec<i16>,
    /// The size of a step.
    pub(super) step: f32,
    /// Its product with the mean, which every vector shares.
    pub(super) offset: f32,
}

impl Quantiser {
    /// A quantiser for vectors like those of the `sample`, each of `dimension` numbers.
    pub(super) fn of_sample(dimension: usize, sample: &[Vec<f32>]) -> Self {
        let mut sums = vec![0.0_f64; dimension];
        for vector in sample {
            for (sum, number) in sums.iter_mut().zip(vector) {
                *sum += f64::from(*number);
            }
        }
        let count = sample.len().max(1) as f64;
        #[expect(clippy::cast_possible_truncation, reason = "a mean of 32-bit numbers is one")]
        let mean = sums.into_iter().map(|sum| (sum / count) as f32).collect();
        Self { mean }
    }

    /// How many numbers its vectors have.
    pub(super) fn dimension(&self) -> usize {
        self.mean.len()
    }

    /// How many words hold the signs of a vector.
    pub(super) fn words(&self) -> usize {
        self.mean.len().div_ceil(WORD_BITS)
    }

    /// Appends the codes of a vector, and returns the size of a step of them.
    pub(super) fn encode(&self, vector: &[f32], signs: &mut Vec<u64>, codes: &mut Vec<i8>) -> f32 {
        let differences = self.differences(vector);
        push_signs(&differences, signs);
        let step = largest(&differences) / CODE_LIMIT;
        codes.extend(differences.iter().map(|number| {
            // Within ±127 by the choice of the step; `as` would saturate if rounding left it.
            #[expect(clippy::cast_possible_truncation, reason = "rounded, and saturating")]
            let code = if step > 0.0 { (number / step).round() as i8 } else { 0 };
            code
        }));
        step
    }

    /// Codes a question.
    pub(super) fn question(&self, vector: &[f32]) -> CodedQuestion {
        let mut signs = Vec::with_capacity(self.words());
        push_signs(&self.differences(vector), &mut signs);
        let step = largest(vector) / QUESTION_LIMIT;
        let numbers = vector.iter().map(|number| {
            #[expect(clippy::cast_possible_truncation, reason = "rounded, and saturating")]
            let number = if step > 0.0 { (number / step).round() as i16 } else { 0 };
            number
        });
        CodedQuestion {
            signs,
            numbers: numbers.collect(),
            step,
            offset: vector.iter().zip(&self.mean).map(|(one, other)| one * other).sum(),
        }
    }

    fn differences(&self, vector: &[f32]) -> Vec<f32> {
        vector.iter().zip(&self.mean).map(|(number, mean)| number - mean).collect()
    }
}

fn push_signs(numbers: &[f32], signs: &mut Vec<u64>) {
    signs.extend(numbers.chunks(WORD_BITS).map(|numbers| {
        numbers.iter().rev().fold(0, |word, number| (word << 1) | u64::from(*number > 0.0))
    }));
}

fn largest(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |largest, number| largest.max(number.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_of_the_difference_from_the_mean() {
        let quantiser = Quantiser::of_sample(3, &[vec![0.5, 0.1, 0.0], vec![0.7, -0.1, 0.0]]);
        let (mut signs, mut codes) = (Vec::new(), Vec::new());
        let step = quantiser.encode(&[0.7, -0.1, 0.0], &mut signs, &mut codes);
        assert_eq!(signs, [0b001]);
        assert_eq!(codes, [127, -127, 0]);
        assert!((step - 0.1 / 127.0).abs() < 1e-6, "{step}");
    }

    #[test]
    fn a_vector_that_is_the_mean_has_codes_of_nothing() {
        let quantiser = Quantiser::of_sample(2, &[vec![0.6, 0.8]]);
        let (mut signs, mut codes) = (Vec::new(), Vec::new());
        assert_eq!(quantiser.encode(&[0.6, 0.8], &mut signs, &mut codes), 0.0);
        assert_eq!(codes, [0, 0]);
    }

    #[test]
    fn signs_fill_words_from_their_lowest_bit() {
        let mut numbers = vec![-1.0; 70];
        numbers[0] = 1.0;
        numbers[65] = 1.0;
        let mut signs = Vec::new();
        push_signs(&numbers, &mut signs);
        assert_eq!(signs, [1, 2]);
    }
}
