//! Grids: lines across and down that touch, and the cells between them.
//!
//! Lines that touch or cross belong together. Their places divide the rectangle that they cover
//! into small cells; where no line parts two of them, they are one merged cell. A side may be open,
//! as where only lines between the columns are drawn: then it is where the lines end. Whether a
//! grid is a table, and not a chart or a frame, is asked of its text (`enclosed`).

use std::ops::Range;

use super::rule::{Rule, Rules};

/// Lines this near, in points, touch, and places this near are one.
const TOUCH: f32 = 3.0;

/// Graph paper has more.
const MAX_COLUMNS: usize = 40;
const MAX_ROWS: usize = 300;

/// The share of a cell's side that a line takes at least to part it from its neighbour.
const MIN_WALL: f32 = 0.6;

/// Cells between lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::pdf) struct Grid {
    /// Where columns begin and end, from left to right.
    pub(super) xs: Vec<f32>,
    /// Where rows begin and end, from the top: falling.
    pub(super) ys: Vec<f32>,
    /// The merged cell of each small one, row by row.
    owners: Vec<usize>,
    /// The merged cells.
    pub(super) regions: Vec<Region>,
}

/// A cell, which may take several rows and columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}

impl Grid {
    /// The grids that the lines make, of at least two columns and two rows.
    pub(in crate::pdf) fn all_of(rules: &Rules) -> Vec<Self> {
        groups(rules).iter().filter_map(Self::of).collect()
    }

    fn of(rules: &Rules) -> Option<Self> {
        let xs = places(&rules.down, &rules.across);
        let mut ys = places(&rules.across, &rules.down);
        ys.reverse();
        let (column_count, row_count) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
        if !(2..=MAX_COLUMNS).contains(&column_count) || !(2..=MAX_ROWS).contains(&row_count) {
            return None;
        }
        let mut grid = Self { xs, ys, owners: Vec::new(), regions: Vec::new() };
        grid.merge(rules, column_count, row_count)?;
        Some(grid)
    }

    /// Finds the merged cells; `None` if one is no rectangle.
    fn merge(&mut self, rules: &Rules, column_count: usize, row_count: usize) -> Option<()> {
        let mut parents: Vec<usize> = (0..column_count * row_count).collect();
        let down: Vec<Vec<Rule>> = self.xs.iter().map(|x| at_place(&rules.down, *x)).collect();
        let across: Vec<Vec<Rule>> = self.ys.iter().map(|y| at_place(&rules.across, *y)).collect();
        for row in 0..row_count {
            let (top, bottom) = (*self.ys.get(row)?, *self.ys.get(row + 1)?);
            for column in 0..column_count {
                let (left, right) = (*self.xs.get(column)?, *self.xs.get(column + 1)?);
                let at = row * column_count + column;
                if column + 1 < column_count && !has_wall(down.get(column + 1)?, bottom, top) {
                    unite(&mut parents, at, at + 1);
                }
                if row + 1 < row_count && !has_wall(across.get(row + 1)?, left, right) {
                    unite(&mut parents, at, at + column_count);
                }
            }
        }
        let mut sizes: Vec<usize> = Vec::new();
        let mut known: Vec<Option<usize>> = vec![None; parents.len()];
        for at in 0..parents.len() {
            let (row, column) = (at / column_count, at % column_count);
            let slot = known.get_mut(root(&mut parents, at))?;
            let owner = *slot.get_or_insert(self.regions.len());
            match self.regions.get_mut(owner) {
                Some(region) => {
                    region.rows.end = region.rows.end.max(row + 1);
                    region.columns.start = region.columns.start.min(column);
                    region.columns.end = region.columns.end.max(column + 1);
                }
                None => {
                    self.regions.push(Region { rows: row..row + 1, columns: column..column + 1 });
                    sizes.push(0);
                }
            }
            *sizes.get_mut(owner)? += 1;
            self.owners.push(owner);
        }
        let is_rectangle =
            |(region, size): (&Region, &usize)| region.rows.len() * region.columns.len() == *size;
        self.regions.iter().zip(&sizes).all(is_rectangle).then_some(())
    }

    pub(super) fn column_count(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }

    pub(super) fn row_count(&self) -> usize {
        self.ys.len().saturating_sub(1)
    }

    /// The number of the cell at a point, if it is inside.
    pub(super) fn region_at(&self, x: f32, y: f32) -> Option<usize> {
        let column = self.xs.partition_point(|it| *it <= x).checked_sub(1)?;
        let row = self.ys.partition_point(|it| *it >= y).checked_sub(1)?;
        if column >= self.column_count() || row >= self.row_count() {
            return None;
        }
        self.owners.get(row * self.column_count() + column).copied()
    }

    /// From where to where a cell reaches, sideways.
    pub(super) fn sides(&self, region: &Region) -> Option<(f32, f32)> {
        Some((*self.xs.get(region.columns.start)?, *self.xs.get(region.columns.end)?))
    }

    /// Whether a line stands between two points of one height.
    pub(in crate::pdf) fn divides(&self, from: f32, to: f32, height: f32) -> bool {
        let (top, bottom) = (self.ys.first(), self.ys.last());
        let is_inside = top.is_some_and(|it| height < *it) && bottom.is_some_and(|it| height > *it);
        is_inside && self.region_at(from, height) != self.region_at(to, height)
    }
}

/// The places of lines, with the outer ends of those that lead to them.
fn places(lines: &[Rule], others: &[Rule]) -> Vec<f32> {
    let mut all: Vec<f32> = lines.iter().map(|line| line.at).collect();
    all.push(others.iter().map(|line| line.from).fold(f32::INFINITY, f32::min));
    all.push(others.iter().map(|line| line.to).fold(f32::NEG_INFINITY, f32::max));
    all.retain(|it| it.is_finite());
    all.sort_by(f32::total_cmp);
    all.dedup_by(|next, kept| *next - *kept <= TOUCH);
    all
}

fn at_place(lines: &[Rule], at: f32) -> Vec<Rule> {
    lines.iter().filter(|line| (line.at - at).abs() <= TOUCH).copied().collect()
}

/// Whether one of the lines parts two cells from here to there.
fn has_wall(lines: &[Rule], from: f32, to: f32) -> bool {
    let covered: f32 = lines
        .iter()
        .map(|line| (line.to.min(to) - line.from.max(from)).max(0.0))
        .fold(0.0, f32::max);
    covered >= MIN_WALL * (to - from)
}

/// The lines that touch each other, directly or through others.
fn groups(rules: &Rules) -> Vec<Rules> {
    let offset = rules.across.len();
    let mut parents: Vec<usize> = (0..offset + rules.down.len()).collect();
    let meets = |at: f32, rule: &Rule| at >= rule.from - TOUCH && at <= rule.to + TOUCH;
    for (one, across) in rules.across.iter().enumerate() {
        for (other, down) in rules.down.iter().enumerate() {
            if meets(down.at, across) && meets(across.at, down) {
                unite(&mut parents, one, offset + other);
            }
        }
    }
    let mut found: Vec<Rules> = vec![Rules::default(); parents.len()];
    for at in 0..parents.len() {
        let Some(group) = found.get_mut(root(&mut parents, at)) else { continue };
        match at.checked_sub(offset) {
            Some(at) => group.down.extend(rules.down.get(at)),
            None => group.across.extend(rules.across.get(at)),
        }
    }
    // The least are a line between two columns that crosses one between two rows.
    found.retain(|group| !group.down.is_empty() && !group.across.is_empty());
    found
}

fn root(parents: &mut [usize], at: usize) -> usize {
    let mut at = at;
    while let Some(parent) = parents.get(at).copied().filter(|parent| *parent != at) {
        let above = parents.get(parent).copied().unwrap_or(parent);
        if let Some(slot) = parents.get_mut(at) {
            *slot = above;
        }
        at = above;
    }
    at
}

fn unite(parents: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(parents, one), root(parents, other));
    if let Some(slot) = parents.get_mut(one.max(other)) {
        *slot = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rules(lines: &[[f32; 4]]) -> Rules {
        let mut rules = Rules::default();
        for [x, y, to_x, to_y] in lines {
            rules.add((*x, *y), (*to_x, *to_y));
        }
        rules.turned(0)
    }

    #[test]
    fn boxes_make_cells_and_a_missing_line_merges_two() {
        let grids = Grid::all_of(&rules(&[
            [50.0, 700.0, 250.0, 700.0],
            [50.0, 680.0, 250.0, 680.0],
            [50.0, 660.0, 250.0, 660.0],
            [50.0, 700.0, 50.0, 660.0],
            [150.0, 680.0, 150.0, 660.0],
            [250.0, 700.0, 250.0, 660.0],
        ]));
        let grid = &grids[0];
        assert_eq!((grid.column_count(), grid.row_count()), (2, 2));
        assert_eq!(grid.regions.len(), 3);
        assert_eq!(grid.regions[0], Region { rows: 0..1, columns: 0..2 });
        assert!(grid.divides(100.0, 200.0, 670.0) && !grid.divides(100.0, 200.0, 690.0));
        assert_eq!(grid.region_at(10.0, 670.0), None);
    }

    #[test]
    fn open_sides_end_where_the_lines_do() {
        let grids = Grid::all_of(&rules(&[
            [50.0, 680.0, 250.0, 680.0],
            [50.0, 660.0, 250.0, 660.0],
            [150.0, 700.0, 150.0, 640.0],
        ]));
        assert_eq!(grids[0].xs, [50.0, 150.0, 250.0]);
        assert_eq!(grids[0].ys, [700.0, 680.0, 660.0, 640.0]);
    }

    #[test]
    fn a_frame_is_no_grid_and_neither_are_lines_alone() {
        let frame = [
            [50.0, 700.0, 250.0, 700.0],
            [50.0, 600.0, 250.0, 600.0],
            [50.0, 700.0, 50.0, 600.0],
            [250.0, 700.0, 250.0, 600.0],
        ];
        assert!(Grid::all_of(&rules(&frame)).is_empty());
        assert!(Grid::all_of(&rules(&frame[..2])).is_empty());
    }

    proptest! {
        /// Whatever is drawn, each small cell is in one merged cell, which lies around it.
        #[test]
        fn merged_cells_cover_the_grid(
            lines in prop::collection::vec((0_u8..8, 0_u8..8, 0_u8..8, any::<bool>()), 4..40)
        ) {
            let line = |(at, from, to, is_across): &(u8, u8, u8, bool)| {
                let [at, from, to] = [at, from, to].map(|it| 20.0 * f32::from(*it));
                if *is_across { [from, at, to, at] } else { [at, from, at, to] }
            };
            let lines: Vec<[f32; 4]> = lines.iter().map(line).collect();
            for grid in Grid::all_of(&rules(&lines)) {
                let area: usize =
                    grid.regions.iter().map(|it| it.rows.len() * it.columns.len()).sum();
                prop_assert_eq!(area, grid.row_count() * grid.column_count());
                for x in grid.xs.windows(2).map(|pair| pair[0].midpoint(pair[1])) {
                    for y in grid.ys.windows(2).map(|pair| pair[0].midpoint(pair[1])) {
                        let region = &grid.regions[grid.region_at(x, y).unwrap()];
                        let (left, right) = grid.sides(region).unwrap();
                        prop_assert!(left < x && x < right);
                        prop_assert!(!grid.divides(x, x, y));
                    }
                }
            }
        }
    }
}
