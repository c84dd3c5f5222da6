//! Five hundred damaged `.xls` files through workers. The library that reads them can panic, hang
//! or ask for all memory on damage, so only a process of its own bounds it: each file ends in a text
//! or a typed error, and none costs more than its limits.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // Tests may.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ancre_extract::{Libraries, Limits, ReadOptions, Reader, WORKER_ARGUMENT, WorkerCommand};

const SAMPLE: &[u8] = include_bytes!("documents/docl__legacy_sample.xls");

/// Knuth's MMIX generator; the high bits are the good ones.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }
}

/// Bits flipped, a cut, a range of noughts or one that stands twice; half of the damage is past the
/// container's header, where the sheets are.
fn damaged(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let start = if chance.below(2) == 0 { 0 } else { 512.min(bytes.len() - 1) };
    let at = start + chance.below(bytes.len() - start);
    let end = (at + 1 + chance.below(64)).min(bytes.len());
    match chance.below(5) {
        0 => bytes.truncate(at),
        1 => bytes[at..end].fill(0),
        2 => bytes[at..end].fill(0xFF),
        3 => {
            let twice = bytes[at..end].to_vec();
            bytes.splice(at..at, twice);
        }
        _ => {
            for _ in 0..=chance.below(8) {
                let at = start + chance.below(bytes.len() - start);
                bytes[at] ^= 1 << chance.below(8);
            }
        }
    }
    bytes
}

#[test]
fn no_damaged_workbook_hangs_or_costs_more_than_itself() {
    let worker = WorkerCommand {
        program: env!("CARGO_BIN_EXE_ancre-extract-worker").into(),
        arguments: vec![WORKER_ARGUMENT.to_owned()],
    };
    let reader = Reader::isolated(worker, Libraries::default())
        .with_limits(Limits { workers: 1, ..Limits::default() });
    let mut chance = Chance(1_987);
    let (mut texts, mut outcomes) = (0, String::new());
    for number in 0..500 {
        let bytes = damaged(SAMPLE, &mut chance);
        let begun = Instant::now();
        match reader.read_bytes(&bytes, "damaged.xls", ReadOptions::default()) {
            Ok(_) => texts += 1,
            Err(error) => _ = writeln!(outcomes, "{number}: {error}"),
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{number} outlives its limits");
    }
    assert!(texts > 50, "damage of a few bytes leaves most workbooks readable:\n{outcomes}");
    let whole = reader.read_bytes(SAMPLE, "whole.xls", ReadOptions::default()).unwrap();
    assert!(whole.text.contains("Freshwater Ducks"), "the reader goes on afterwards");
}
