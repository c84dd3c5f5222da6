//! Damages documents for tests, the same way each time.
//!
//! Bits that flip, ends that are cut off, ranges that are zeroed, doubled or lost: what disks,
//! mail gateways and attackers do. Only tests have it.

/// Damaged forms of a document, each damaged in one to four places.
pub(crate) fn mutations(bytes: &[u8], count: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(move |seed| {
        // The linear congruential generator of Knuth's MMIX.
        let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = move |limit: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % limit.max(1)
        };
        let mut damaged = bytes.to_vec();
        for _ in 0..=below(4) {
            let at = below(damaged.len());
            let end = (at + 1 + below(64)).min(damaged.len());
            match below(6) {
                0 => damaged.truncate(at),
                1 => damaged[at..end].fill(0),
                2 => {
                    let doubled = damaged[at..end].to_vec();
                    damaged.splice(at..at, doubled);
                }
                3 => drop(damaged.drain(at..end)),
                _ => {
                    if let Some(byte) = damaged.get_mut(at) {
                        *byte ^= 1 << below(8);
                    }
                }
            }
        }
        damaged
    })
}
