//! Damaged files for the tests of parsers: the same ones in every run.

/// `count` damaged copies: flipped bits, cuts, zeroed and doubled ranges.
pub(crate) fn mutations(bytes: &[u8], count: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(move |seed| mutation(bytes, seed))
}

fn mutation(bytes: &[u8], seed: u32) -> Vec<u8> {
    let mut random = Random(u64::from(seed) + 1);
    let mut damaged = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(damaged.len());
        let length = random.below(64).min(damaged.len() - at);
        match random.below(4) {
            0 => (0..=random.below(8)).for_each(|_| {
                let at = random.below(damaged.len());
                if let Some(byte) = damaged.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }),
            1 => damaged.truncate(at),
            2 => damaged[at..at + length].fill(0),
            _ => {
                let range = damaged[at..at + length].to_vec();
                damaged.splice(at..at, range);
            }
        }
    }
    damaged
}

/// A linear congruential generator (D. Knuth, *The Art of Computer Programming*, 3.3.4).
struct Random(u64);

impl Random {
    /// A number from 0 to `limit` without it; 0 where there is none.
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}
