//! The order of reading, where the file's own is plainly another.
//!
//! A file may write its lines in any order. Nearly all write them as they are read, columns
//! included, so that order stays, with two exceptions. Headers and footers are often written
//! before or after everything else: they go where they stand. And some forms are written field by
//! field, in the order in which somebody placed them; where the lines jump about like that, the
//! page is cut into columns and bands at its gaps (recursive X-Y cut: Nagy and Seth, “Hierarchical
//! representation of optically scanned documents”, 1984).

use super::line::Line;

/// The most lines before or after the body that are looked at.
const MAX_AROUND: usize = 40;

/// The fewest lines that can be out of order.
const MIN_LINES: usize = 12;

/// The share of lines, in percent, that stand higher than the one before without being to the
/// right of it, from which on a page is out of order.
const MAX_JUMPS: usize = 15;

/// A page with more lines is a drawing.
const MAX_LINES: usize = 5_000;

/// The most cuts inside cuts.
const MAX_DEPTH: u8 = 12;

/// Lines that are shorter on average, in characters, make no column of text.
const COLUMN_LENGTH: usize = 25;

/// The lines in the order in which they are read.
pub(super) fn of_reading(lines: Vec<Line>) -> Vec<Line> {
    if !is_out_of_order(&lines) {
        return around_the_body(lines);
    }
    let mut ordered = Vec::with_capacity(lines.len());
    cut(lines, MAX_DEPTH, &mut ordered);
    ordered
}

/// Puts what is written before or after the body to its end of the page.
fn around_the_body(lines: Vec<Line>) -> Vec<Line> {
    let lines = from_the_beginning(lines);
    // What comes last but stands over everything is the same, seen from the other end.
    let mut turned: Vec<Line> = lines.into_iter().rev().map(upside_down).collect();
    turned = from_the_beginning(turned);
    turned.into_iter().rev().map(upside_down).collect()
}

fn upside_down(line: Line) -> Line {
    Line { baseline: -line.baseline, ..line }
}

/// Moves the first lines that stand under all others to the end.
fn from_the_beginning(mut lines: Vec<Line>) -> Vec<Line> {
    let most = (lines.len() / 3).min(MAX_AROUND);
    let count = (1..=most).rev().find(|count| {
        let (first, rest) = lines.split_at(*count);
        let Some(place) = Place::of(rest) else { return false };
        first.iter().all(|line| {
            // What begins small goes on with a sentence of another column.
            !line.text.starts_with(char::is_lowercase)
                && (place.is_over(line) || place.is_under(line))
        })
    });
    let Some(count) = count else { return lines };
    let rest = lines.split_off(count);
    let Some(place) = Place::of(&rest) else { return lines };
    let (below, mut ordered): (Vec<Line>, Vec<Line>) =
        lines.into_iter().partition(|line| place.is_under(line));
    ordered.extend(rest);
    ordered.extend(below);
    ordered
}

/// The heights between which lines stand.
struct Place {
    bottom: f32,
    top: f32,
}

impl Place {
    /// That of lines that run down the page, as a body does.
    fn of(lines: &[Line]) -> Option<Self> {
        let (first, last) = (lines.first()?, lines.last()?);
        let baselines = || lines.iter().map(|line| line.baseline);
        let bottom = baselines().fold(f32::INFINITY, f32::min);
        let top = baselines().fold(f32::NEG_INFINITY, f32::max);
        (first.baseline > last.baseline).then_some(Self { bottom, top })
    }

    fn is_under(&self, line: &Line) -> bool {
        line.baseline < self.bottom - line.size
    }

    fn is_over(&self, line: &Line) -> bool {
        line.baseline > self.top + 0.5 * line.size
    }
}

fn is_out_of_order(lines: &[Line]) -> bool {
    let (mut rises, mut falls) = (0_usize, 0_usize);
    for pair in lines.windows(2) {
        if let [one, next] = pair {
            let rise = next.baseline - one.baseline;
            rises += usize::from(rise > 0.5 * one.size);
            falls += usize::from(rise < -0.5 * one.size);
        }
    }
    // What runs upwards is a turned page, whose lines are in order.
    if rises > 2 * falls {
        return false;
    }
    let jumps = lines.windows(2).filter(|pair| match pair {
        [one, next] => {
            let rise = next.baseline - one.baseline;
            rise > 0.8 * one.size.max(next.size) && next.start < one.start + one.size
        }
        _ => false,
    });
    (MIN_LINES..=MAX_LINES).contains(&lines.len())
        && jumps.count() * 100 > MAX_JUMPS * lines.len()
        // Their places are counted from the other side.
        && !lines.iter().any(|line| Line::is_right_to_left(&line.text))
}

fn cut(lines: Vec<Line>, depth: u8, ordered: &mut Vec<Line>) {
    let deeper = depth.checked_sub(1).filter(|_| lines.len() > 2);
    let Some(deeper) = deeper else { return append_rows(lines, ordered) };
    let parts = beside(&lines)
        .map(|at| lines.iter().cloned().partition(|line| line.start < at))
        .filter(|(left, right): &(Vec<Line>, Vec<Line>)| is_column(left) && is_column(right))
        .or_else(|| {
            let at = between(&lines)?;
            Some(lines.iter().cloned().partition(|line| line.baseline > at))
        });
    match parts {
        Some((first, second)) if !first.is_empty() && !second.is_empty() => {
            cut(first, deeper, ordered);
            cut(second, deeper, ordered);
        }
        _ => append_rows(lines, ordered),
    }
}

/// Where the widest empty stripe from top to bottom ends.
fn beside(lines: &[Line]) -> Option<f32> {
    let sides = lines.iter().map(|line| (line.start, line.end)).collect();
    widest_gap(sides, line_size(lines))
}

/// The height in the widest empty stripe from side to side.
fn between(lines: &[Line]) -> Option<f32> {
    // Counted downwards, so that a stripe ends where the next line begins.
    let sides = lines
        .iter()
        .map(|line| (-line.baseline - 0.8 * line.size, 0.2 * line.size - line.baseline))
        .collect();
    widest_gap(sides, 0.4 * line_size(lines)).map(|at| -at)
}

/// The end of the widest gap between what the sides enclose.
fn widest_gap(mut sides: Vec<(f32, f32)>, least: f32) -> Option<f32> {
    sides.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut reached = sides.first()?.1;
    let mut widest: Option<(f32, f32)> = None;
    for (start, end) in sides {
        let gap = start - reached;
        if gap > widest.map_or(least, |(width, _)| width) {
            widest = Some((gap, start));
        }
        reached = reached.max(end);
    }
    widest.map(|(_, at)| at)
}

fn line_size(lines: &[Line]) -> f32 {
    let mut sizes: Vec<f32> = lines.iter().map(|line| line.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
}

fn is_column(lines: &[Line]) -> bool {
    let length: usize = lines.iter().map(Line::length).sum();
    lines.len() > 2 && length >= COLUMN_LENGTH * lines.len()
}

/// From the top, and from the left where lines stand beside each other.
fn append_rows(mut lines: Vec<Line>, ordered: &mut Vec<Line>) {
    lines.sort_by(|one, other| other.baseline.total_cmp(&one.baseline));
    let mut row: Vec<Line> = Vec::new();
    let mut end = |row: &mut Vec<Line>| {
        row.sort_by(|one, other| one.start.total_cmp(&other.start));
        ordered.append(row);
    };
    for line in lines {
        if row.first().is_some_and(|it| it.baseline - line.baseline > 0.5 * line.size) {
            end(&mut row);
        }
        row.push(line);
    }
    end(&mut row);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, start: f32, baseline: f32) -> Line {
        let end = start + 5.0 * f32::from(u8::try_from(text.chars().count()).unwrap());
        Line { text: text.to_owned(), start, end, baseline, size: 10.0, ..Line::default() }
    }

    fn texts(lines: Vec<Line>) -> Vec<String> {
        of_reading(lines).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn a_header_and_a_footer_go_where_they_stand() {
        let body = || (0..6_u8).map(|at| line("texte", 50.0, 700.0 - 12.0 * f32::from(at)));
        let (header, footer) = (line("Haut", 50.0, 800.0), line("Pied", 50.0, 30.0));
        let first = [header.clone(), footer.clone()].into_iter().chain(body()).collect();
        let last = body().chain([footer, header]).collect();
        for lines in [first, last] {
            let texts = texts(lines);
            assert_eq!(texts.first().map(String::as_str), Some("Haut"));
            assert_eq!(texts.last().map(String::as_str), Some("Pied"));
        }
    }

    #[test]
    fn columns_stay_as_they_are_written() {
        let column =
            |text, start| (0..8_u8).map(move |at| line(text, start, 700.0 - 12.0 * f32::from(at)));
        let lines: Vec<Line> = column("à gauche", 50.0).chain(column("à droite", 300.0)).collect();
        assert_eq!(of_reading(lines.clone()), lines);
    }

    #[test]
    fn fields_that_are_written_anyhow_are_read_from_the_top_and_by_rows() {
        let places = [9, 2, 7, 0, 5, 11, 3, 10, 1, 8, 4, 6_u8];
        let lines = places
            .into_iter()
            .map(|at| {
                let row = f32::from(at / 2);
                line(&format!("{at}"), 50.0 + 100.0 * f32::from(at % 2), 700.0 - 20.0 * row)
            })
            .collect();
        let sorted: Vec<String> = (0..12).map(|at| at.to_string()).collect();
        assert_eq!(texts(lines), sorted);
    }

    #[test]
    fn columns_of_text_that_are_written_anyhow_are_read_one_after_the_other() {
        let place = |at: u8| (50.0 + 250.0 * f32::from(at / 6), 700.0 - 12.0 * f32::from(at % 6));
        let lines = [3, 0, 5, 2, 4, 1, 9, 6, 11, 8, 10, 7_u8]
            .into_iter()
            .map(|at| {
                let (start, baseline) = place(at);
                line(&format!("{at:02} une ligne d'un texte qui court"), start, baseline)
            })
            .collect();
        let sorted: Vec<String> = texts(lines).iter().map(|it| it[..2].to_owned()).collect();
        let wanted: Vec<String> = (0..12).map(|at| format!("{at:02}")).collect();
        assert_eq!(sorted, wanted);
    }
}
