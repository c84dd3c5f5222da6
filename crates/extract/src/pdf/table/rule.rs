//! Straight lines that run across or down a page.
//!
//! A line of a table is often drawn in pieces, cell by cell, or twice, as the side of two
//! neighbours; pieces that touch or overlap are one line here.

/// A shorter piece, in points, is a dot, an accent or a tick.
const MIN_LENGTH: f32 = 3.0;

/// How much a line may slant, in points.
const MAX_SLANT: f32 = 0.8;

/// Pieces whose heights differ by no more, in points, are of one line.
const SAME_PLACE: f32 = 1.5;

/// The widest gap between pieces of a line, in points.
const MAX_GAP: f32 = 2.5;

/// A page with more lines than this in one direction is a drawing.
const MAX_RULES: usize = 1_000;

/// A line across or down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::pdf) struct Rule {
    /// The height of one across, how far right one down is.
    pub(super) at: f32,
    pub(super) from: f32,
    pub(super) to: f32,
}

/// The lines of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::pdf) struct Rules {
    pub(super) across: Vec<Rule>,
    pub(super) down: Vec<Rule>,
}

impl Rules {
    /// Adds what is drawn between two points, if it is a line across or down.
    pub(in crate::pdf) fn add(&mut self, from: (f32, f32), to: (f32, f32)) {
        let (width, height) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        if height <= MAX_SLANT && width >= MIN_LENGTH {
            let at = from.1.midpoint(to.1);
            self.across.push(Rule { at, from: from.0.min(to.0), to: from.0.max(to.0) });
        } else if width <= MAX_SLANT && height >= MIN_LENGTH {
            let at = from.0.midpoint(to.0);
            self.down.push(Rule { at, from: from.1.min(to.1), to: from.1.max(to.1) });
        }
    }

    /// The lines as they are where text that runs in this quarter of a turn runs to the right;
    /// none where there are too many to be of tables.
    pub(in crate::pdf) fn turned(self, quarter: u8) -> Self {
        let opposite = |rules: Vec<Rule>, is_at: bool, is_along: bool| -> Vec<Rule> {
            let turn = |rule: Rule| {
                let (from, to) =
                    if is_along { (-rule.to, -rule.from) } else { (rule.from, rule.to) };
                Rule { at: if is_at { -rule.at } else { rule.at }, from, to }
            };
            rules.into_iter().map(turn).collect()
        };
        let Self { across, down } = self;
        let (across, down) = match quarter {
            1 => (opposite(down, false, true), opposite(across, true, false)),
            2 => (opposite(across, true, true), opposite(down, true, true)),
            3 => (opposite(down, true, false), opposite(across, false, true)),
            _ => (across, down),
        };
        let (across, down) = (joined(across), joined(down));
        if across.len().max(down.len()) > MAX_RULES {
            return Self::default();
        }
        Self { across, down }
    }
}

/// Lines instead of their pieces.
fn joined(mut pieces: Vec<Rule>) -> Vec<Rule> {
    pieces.retain(|it| it.at.is_finite() && it.from.is_finite() && it.to.is_finite());
    pieces.sort_by(|one, other| one.at.total_cmp(&other.at));
    let mut rules: Vec<Rule> = Vec::new();
    let mut rest = pieces.as_mut_slice();
    while let Some(first) = rest.first() {
        let reach = first.at + SAME_PLACE;
        let count = rest.iter().take_while(|it| it.at <= reach).count();
        let (level, after) = rest.split_at_mut(count);
        level.sort_by(|one, other| one.from.total_cmp(&other.from));
        let start = rules.len();
        for piece in level {
            match rules.get_mut(start..).and_then(|level| level.last_mut()) {
                Some(last) if piece.from <= last.to + MAX_GAP => last.to = last.to.max(piece.to),
                _ => rules.push(*piece),
            }
        }
        rest = after;
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_touch_are_one_line_and_slanted_ones_none() {
        let mut rules = Rules::default();
        rules.add((50.0, 700.0), (100.0, 700.0));
        rules.add((160.0, 700.2), (101.0, 700.2));
        rules.add((200.0, 700.0), (260.0, 700.0));
        rules.add((50.0, 700.0), (50.0, 600.0));
        rules.add((50.0, 700.0), (100.0, 650.0));
        rules.add((50.0, 500.0), (51.0, 500.0));
        let rules = rules.turned(0);
        assert_eq!(rules.across.len(), 2);
        assert_eq!(rules.across[0], Rule { at: 700.0, from: 50.0, to: 160.0 });
        assert_eq!(rules.down, [Rule { at: 50.0, from: 600.0, to: 700.0 }]);
    }

    #[test]
    fn lines_turn_with_the_text() {
        let mut rules = Rules::default();
        rules.add((50.0, 700.0), (100.0, 700.0));
        let turned = |quarter| rules.clone().turned(quarter);
        assert_eq!(turned(1).down, [Rule { at: -700.0, from: 50.0, to: 100.0 }]);
        assert_eq!(turned(2).across, [Rule { at: -700.0, from: -100.0, to: -50.0 }]);
        assert_eq!(turned(3).down, [Rule { at: 700.0, from: -100.0, to: -50.0 }]);
    }
}
