//! Damaged variants of a small valid file, the same in every run.

/// `count` damaged variants: flipped bits, cuts, zeroed, doubled and removed ranges, by a seeded
/// generator (the constants are Knuth's, *MMIX*).
pub(crate) fn mutations(bytes: &[u8], count: u32) -> impl Iterator<Item = Vec<u8>> {
    let original = bytes.to_vec();
    let mut state = 0x5EED_u64;
    let mut below = move |limit: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit.max(1)
    };
    (0..count).map(move |number| {
        let mut bytes = original.clone();
        let start = below(bytes.len());
        let end = (start + 1 + below(64)).min(bytes.len());
        match number % 5 {
            0 => {
                for _ in 0..=below(8) {
                    let at = below(bytes.len());
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << below(8);
                    }
                }
            }
            1 => bytes.truncate(start),
            2 => bytes[start..end].fill(0),
            3 => {
                let piece = bytes[start..end].to_vec();
                bytes.splice(start..start, piece);
            }
            _ => {
                bytes.drain(start..end);
            }
        }
        bytes
    })
}
