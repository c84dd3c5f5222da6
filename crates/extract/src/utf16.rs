//! Tells UTF-16 without a byte-order mark from everything else.
//!
//! Nearly all characters of a European text lie in one or two blocks of 256, and its spaces,
//! figures and line ends below U+0100. So one byte of each pair is zero now and then, always on the
//! same side, and that side takes hardly two values. Texts in other encodings have no zero bytes,
//! or stray ones between letters; binary files have them on both sides.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// How many bytes are looked at.
const SAMPLE: usize = 64 * 1024;

/// The UTF-16 that `bytes` are in, if they are. An odd last byte does not count.
pub(crate) fn without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE) & !1];
    let (first, second) = (Side::of(sample, 0), Side::of(sample, 1));
    let encoding = if second.is_of_blocks() && first.has_few_zeros() {
        UTF_16LE
    } else if first.is_of_blocks() && second.has_few_zeros() {
        UTF_16BE
    } else {
        return None;
    };
    is_well_formed(sample, encoding).then_some(encoding)
}

/// How often each value stands in one of the two bytes of all pairs.
struct Side {
    counts: [usize; 256],
    pair_count: usize,
}

impl Side {
    fn of(sample: &[u8], side: usize) -> Self {
        let mut counts = [0; 256];
        for byte in sample.iter().skip(side).step_by(2) {
            counts[usize::from(*byte)] += 1;
        }
        Self { counts, pair_count: sample.len() / 2 }
    }

    /// A tenth zeros at least; more than half of one value, and four fifths of two.
    fn is_of_blocks(&self) -> bool {
        let mut descending = self.counts;
        descending.sort_unstable_by(|a, b| b.cmp(a));
        let [first, second, ..] = descending;
        self.pair_count > 0
            && self.counts[0] * 10 >= self.pair_count
            && first * 2 > self.pair_count
            && (first + second) * 5 >= self.pair_count * 4
    }

    fn has_few_zeros(&self) -> bool {
        self.counts[0] * 100 <= self.pair_count
    }
}

/// Whether every surrogate has its other half, but for one cut off at the sample's end.
fn is_well_formed(sample: &[u8], encoding: &'static Encoding) -> bool {
    let units = sample.chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if encoding == UTF_16LE { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    });
    let unit_count = sample.len() / 2;
    let mut position = 0;
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => position += character.len_utf16(),
            Err(_) => return position + 1 == unit_count,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn little_endian(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn big_endian(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn both_byte_orders_are_told_apart() {
        for text in ["Été à l'œuvre.", "Hello", "Где мой заказ? Он ещё не пришёл.", "Oui 👍"]
        {
            assert_eq!(without_mark(&little_endian(text)), Some(UTF_16LE), "{text}");
            assert_eq!(without_mark(&big_endian(text)), Some(UTF_16BE), "{text}");
        }
    }

    #[test]
    fn a_byte_cut_off_the_end_does_not_matter() {
        let bytes = little_endian("Été à l'œuvre.");
        assert_eq!(without_mark(&bytes[..bytes.len() - 1]), Some(UTF_16LE));
    }

    #[test]
    fn other_bytes_are_left_alone() {
        let counters: Vec<u8> = (0..64_u32).flat_map(u32::to_le_bytes).collect();
        for bytes in [&b""[..], b"a", b"plain text", b"stray\0nul in text", b"oui\0", &counters] {
            assert_eq!(without_mark(bytes), None, "{bytes:?}");
        }
    }
}
