//! Quotations, brackets and code inside a paragraph.
//!
//! A stop inside one of them may not be the end of the sentence around it. Only short ones count:
//! a quotation longer than [`LONGEST`] is read as sentences of its own, and an opening mark that
//! is never closed means nothing.

use std::ops::Range;

/// The longest quotation, in bytes, that is kept whole within its sentence.
const LONGEST: usize = 400;

const PAIRS: [(char, char); 7] =
    [('«', '»'), ('“', '”'), ('(', ')'), ('[', ']'), ('"', '"'), ('`', '`'), ('‘', '’')];

/// The closed quotations and brackets of a paragraph.
pub(super) struct Enclosures {
    by_start: Vec<Range<usize>>,
    ends: Vec<usize>,
    passed: usize,
    active: Vec<Range<usize>>,
}

impl Enclosures {
    /// Finds them; an enclosure's range includes both marks.
    pub(super) fn of(text: &str) -> Self {
        let mut open: [Option<usize>; PAIRS.len()] = [None; PAIRS.len()];
        let mut depth = [0_usize; PAIRS.len()];
        let mut by_start = Vec::new();
        for (at, character) in text.char_indices() {
            for (kind, (opening, closing)) in PAIRS.into_iter().enumerate() {
                let symmetric = opening == closing;
                if character == opening && (!symmetric || open[kind].is_none()) {
                    let fresh = open[kind].is_none_or(|start| at - start > LONGEST);
                    if fresh {
                        open[kind] = Some(at);
                        depth[kind] = 1;
                    } else {
                        depth[kind] += 1;
                    }
                } else if character == closing {
                    depth[kind] = depth[kind].saturating_sub(1);
                    if depth[kind] > 0 {
                        continue;
                    }
                    let Some(start) = open[kind].take() else { continue };
                    if at - start <= LONGEST {
                        by_start.push(start..at + closing.len_utf8());
                    } else if symmetric {
                        open[kind] = Some(at);
                        depth[kind] = 1;
                    }
                }
            }
        }
        let mut ends: Vec<usize> = by_start.iter().map(|enclosure| enclosure.end).collect();
        ends.sort_unstable();
        by_start.sort_unstable_by_key(|enclosure| enclosure.start);
        Self { by_start, ends, passed: 0, active: Vec::new() }
    }

    /// Whether the mark at byte `at`, one byte long, closes an enclosure.
    pub(super) fn close_at(&self, at: usize) -> bool {
        self.ends.binary_search(&(at + 1)).is_ok()
    }

    /// The enclosures that hold byte `at`. Successive calls must not go back.
    pub(super) fn around(&mut self, at: usize) -> impl Iterator<Item = &Range<usize>> {
        while let Some(next) = self.by_start.get(self.passed).filter(|next| next.start < at) {
            self.active.push(next.clone());
            self.passed += 1;
        }
        self.active.retain(|enclosure| enclosure.end > at);
        self.active.iter()
    }
}
