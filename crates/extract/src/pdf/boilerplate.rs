//! Running headers, footers and page numbers.
//!
//! A line is left out when it stands at the same height near the top or the bottom of most pages,
//! or of most left or most right ones, and says the same, or the same but for a number that counts
//! the pages (`numbers`). So “Page 7” goes, and “Article 7” stays where articles are not pages. The
//! header of a table that goes on over the pages repeats too, but stands right over its cells, and
//! stays; so do titles, which are larger than the text.

mod numbers;

use std::collections::HashMap;

use self::numbers::{Sameness, key};
use super::line::Line;
use super::page::Page;
use super::table;

/// A shorter document is not looked at: too little repeats in it.
const MIN_PAGES: usize = 4;

/// How often a line is there at least, and on which share of the pages, or of every second one.
const MIN_COUNT: usize = 3;
const MIN_SHARE: f32 = 0.6;

/// Of many pages a smaller share is enough: parts of a long document have their own headers.
const MANY_COUNT: usize = 8;
const MANY_SHARE: f32 = 0.3;

/// What is so much larger than the text is a title, unless nearly all pages have it.
const TITLE_SIZE: f32 = 1.15;
const TITLE_SHARE: f32 = 0.8;

/// How far from the top or the bottom, as a share of the page's height.
const MARGIN: f32 = 0.15;

/// How many lines at each end are looked at.
const EDGE_LINES: usize = 4;

/// Lines whose heights differ by less, in points, are at the same.
const SAME_HEIGHT: f32 = 4.0;

/// A line near the edge of a page.
struct Edge {
    page: usize,
    line: usize,
    baseline: f32,
    size: f32,
    text: String,
}

/// Takes the lines that repeat out of the pages.
pub(super) fn remove(pages: &mut [Page]) {
    if pages.len() < MIN_PAGES {
        return;
    }
    let mut candidates: HashMap<(bool, String), Vec<Edge>> = HashMap::new();
    for (at, page) in pages.iter().enumerate() {
        let keys = Counts::of(page);
        for (is_top, line) in edge_lines(page) {
            if let Some(found) = page.lines.get(line).filter(|it| !keys.is_usual(&it.text)) {
                let Line { baseline, size, ref text, .. } = *found;
                let edge = Edge { page: at, line, baseline, size, text: text.clone() };
                candidates.entry((is_top, key(text))).or_default().push(edge);
            }
        }
    }
    let body = super::heading::body_size(pages).unwrap_or_default();
    let mut doomed: Vec<Vec<usize>> = vec![Vec::new(); pages.len()];
    for ((_, key), edges) in candidates {
        let levels = levels(edges);
        // What says the same as a header is one, also on the pages where it stands otherwise; a
        // bare number is not, nor is the title on the cover, in its larger letters.
        let headers: Vec<Header> =
            levels.iter().filter_map(|level| Header::of(level, pages.len(), body)).collect();
        let has_words = key.contains(char::is_alphabetic);
        for level in levels {
            let at = level.first().map_or(0.0, |edge| edge.baseline);
            for edge in level {
                let is_header = headers.iter().any(|header| {
                    header.sameness.holds(&edge.text, edge.page)
                        && (at - header.baseline).abs() < f32::EPSILON
                        || has_words && header.is_repeated_by(&edge)
                });
                if is_header && let Some(lines) = doomed.get_mut(edge.page) {
                    lines.push(edge.line);
                }
            }
        }
    }
    for (page, doomed) in pages.iter_mut().zip(doomed) {
        let doomed = apart_from_body(&page.lines, without_paragraphs(&page.lines, &doomed, body));
        // Copies of one page have no headers: all of it repeats.
        if doomed.len() >= page.lines.len() {
            continue;
        }
        let mut at = 0;
        page.lines.retain(|_| {
            at += 1;
            !doomed.contains(&(at - 1))
        });
    }
}

/// How often lines of a page say the same but for their numbers.
struct Counts(HashMap<String, usize>);

impl Counts {
    fn of(page: &Page) -> Self {
        let mut counts = HashMap::new();
        for line in &page.lines {
            *counts.entry(key(&line.text)).or_default() += 1;
        }
        Self(counts)
    }

    /// Whether more lines than a header and a footer say so: the cells of a table.
    fn is_usual(&self, text: &str) -> bool {
        let key = key(text);
        key.contains(char::is_alphabetic) && self.0.get(&key).is_some_and(|count| *count > 2)
    }
}

/// Those of the lines that are no paragraph of several long lines in the body's size: what letters
/// and contracts all begin with is repeated, but it is their text.
fn without_paragraphs(lines: &[Line], doomed: &[usize], body: f32) -> Vec<usize> {
    const MIN_LINES: usize = 3;
    const LONG: usize = 40;
    /// How far its lines lie from each other, in sizes.
    const REACH: f32 = 4.0;
    let is_long = |at: &usize| {
        lines.get(*at).is_some_and(|line| line.length() >= LONG && line.size >= 0.95 * body)
    };
    let (long, short): (Vec<usize>, Vec<usize>) = doomed.iter().partition(|at| is_long(at));
    let is_near = |one: usize, other: usize| match (lines.get(one), lines.get(other)) {
        (Some(line), Some(other)) => (line.baseline - other.baseline).abs() < REACH * line.size,
        _ => false,
    };
    let is_paragraph =
        |at: &usize| long.iter().filter(|other| is_near(*at, **other)).count() >= MIN_LINES;
    let mut kept_out: Vec<usize> = long.iter().copied().filter(|at| !is_paragraph(at)).collect();
    kept_out.extend(short);
    kept_out
}

/// Those of the lines that stand apart: what follows the body closely in letters of its size is of
/// the body, as in letters that all begin alike.
fn apart_from_body(lines: &[Line], mut doomed: Vec<usize>) -> Vec<usize> {
    const CLOSE: f32 = 1.6;
    let is_of_body = |line: &Line, doomed: &[usize]| {
        lines.iter().enumerate().any(|(at, other)| {
            let distance = (line.baseline - other.baseline).abs();
            // What is beside it is no line of its paragraph.
            !doomed.contains(&at)
                && (0.5 * line.size..CLOSE * line.size).contains(&distance)
                && (line.size - other.size).abs() < 0.1 * line.size
        })
    };
    while let Some(at) =
        doomed.iter().position(|at| lines.get(*at).is_some_and(|line| is_of_body(line, &doomed)))
    {
        doomed.swap_remove(at);
    }
    doomed
}

/// The outermost lines, by height: whether each is at the top, and where it is in the file's order.
fn edge_lines(page: &Page) -> Vec<(bool, usize)> {
    let mut order: Vec<usize> = (0..page.lines.len()).collect();
    let baseline = |at: &usize| page.lines.get(*at).map_or(0.0, |line| line.baseline);
    order.sort_by(|one, other| baseline(other).total_cmp(&baseline(one)));
    let (Some(highest), Some(lowest)) = (order.first().map(baseline), order.last().map(baseline))
    else {
        return Vec::new();
    };
    // Turned pages and pages whose box does not begin at 0 have other heights; what the lines
    // take is then the measure.
    let (bottom, top) = if lowest >= 0.0 && highest <= page.height {
        (0.0, page.height)
    } else {
        (lowest, highest)
    };
    let margin = MARGIN * (top - bottom);
    let mut found = Vec::new();
    let by_height: Vec<&Line> = order.iter().filter_map(|at| page.lines.get(*at)).collect();
    for (rank, at) in order.iter().enumerate() {
        let height = baseline(at);
        let is_top = rank < EDGE_LINES && height > top - margin;
        let is_bottom = rank + EDGE_LINES >= order.len() && height < bottom + margin;
        if (is_top || is_bottom) && !is_row(&by_height, rank) {
            found.push((is_top, *at));
        }
    }
    found
}

/// Whether the line is of a table, together with the one under or over it.
fn is_row(lines: &[&Line], rank: usize) -> bool {
    let Some(line) = lines.get(rank).filter(|line| line.cells.len() > 1) else { return false };
    let neighbours = [rank.checked_sub(1), rank.checked_add(1)];
    neighbours.into_iter().flatten().filter_map(|at| lines.get(at)).any(|other| {
        let distance = (line.baseline - other.baseline).abs();
        distance < 4.0 * line.size && table::is_aligned(line, other)
    })
}

/// Lines of one text, divided by their heights.
fn levels(mut edges: Vec<Edge>) -> Vec<Vec<Edge>> {
    edges.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut levels: Vec<Vec<Edge>> = Vec::new();
    for edge in edges {
        match levels.last_mut() {
            Some(level)
                if level.first().is_some_and(|it| edge.baseline - it.baseline < SAME_HEIGHT) =>
            {
                level.push(edge);
            }
            _ => levels.push(vec![edge]),
        }
    }
    levels
}

/// A line that most pages have at one height.
struct Header {
    baseline: f32,
    size: f32,
    text: String,
    sameness: Sameness,
}

impl Header {
    /// The header that lines of one height are, if they are one; `body` is the size of the text.
    fn of(level: &[Edge], page_count: usize, body: f32) -> Option<Self> {
        let first = level.first()?;
        let sameness = Sameness::of(level.iter().map(|edge| (edge.text.as_str(), edge.page)))?;
        let is_one = if first.size > TITLE_SIZE * body {
            sameness == Sameness::Text && share(level.len(), page_count) >= TITLE_SHARE
        } else {
            repeats(level, page_count)
        };
        let Edge { baseline, size, ref text, .. } = *first;
        is_one.then(|| Self { baseline, size, text: text.clone(), sameness })
    }

    /// Whether a line at another height says the same in letters of the same size.
    fn is_repeated_by(&self, edge: &Edge) -> bool {
        let says_so = match self.sameness {
            Sameness::Text => edge.text == self.text,
            Sameness::Pages { .. } => self.sameness.holds(&edge.text, edge.page),
        };
        says_so && (edge.size - self.size).abs() < 0.1 * self.size
    }
}

fn repeats(edges: &[Edge], page_count: usize) -> bool {
    let is_enough = |count: usize, of: usize| {
        count >= MIN_COUNT && share(count, of) >= MIN_SHARE
            || count >= MANY_COUNT && share(count, of) >= MANY_SHARE
    };
    let right = edges.iter().filter(|edge| edge.page % 2 == 0).count();
    is_enough(edges.len(), page_count)
        || is_enough(right, page_count.div_ceil(2))
        || is_enough(edges.len() - right, page_count / 2)
}

#[expect(clippy::cast_precision_loss, reason = "there are at most 10,000 pages")]
fn share(count: usize, of: usize) -> f32 {
    count as f32 / of.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::line::Cell;

    fn line(text: &str, baseline: f32) -> Line {
        let cells: Vec<Cell> = text
            .split(" | ")
            .zip([50.0, 200.0, 300.0])
            .map(|(text, start)| Cell {
                text: text.to_owned(),
                start,
                end: start + 40.0,
                ..Cell::default()
            })
            .collect();
        Line { text: text.to_owned(), baseline, size: 10.0, cells, ..Line::default() }
    }

    fn texts(pages: &[Page]) -> Vec<Vec<&str>> {
        pages.iter().map(|it| it.lines.iter().map(|it| it.text.as_str()).collect()).collect()
    }

    fn page(number: u32, lines: Vec<Line>) -> Page {
        Page { number, height: 842.0, lines, ..Page::default() }
    }

    #[test]
    fn headers_and_page_numbers_go_and_a_title_that_appears_once_stays() {
        let mut pages: Vec<Page> = (1..=6_u32)
            .map(|number| {
                let title = if number == 1 { "Guide des retours" } else { "Suite" };
                let body = format!("Le texte de la page {} est ici", "x".repeat(number as usize));
                page(
                    number,
                    vec![
                        line("Ancre SA", 810.0),
                        line(title, 790.0 - 9.0 * f32::from(u8::try_from(number).unwrap())),
                        line(&body, 400.0),
                        line(&format!("Page {number} sur 6"), 30.0),
                    ],
                )
            })
            .collect();
        remove(&mut pages);
        assert_eq!(texts(&pages)[0], ["Guide des retours", "Le texte de la page x est ici"]);
        assert!(texts(&pages).iter().all(|lines| lines.len() == 2), "{pages:?}");
    }

    #[test]
    fn the_title_on_the_cover_stays_where_the_pages_repeat_it() {
        let title = Line { size: 24.0, ..line("Guide des retours", 760.0) };
        let mut pages = vec![page(1, vec![title, line("Ancre SA", 500.0)])];
        pages.extend((2..=6).map(|number| {
            page(number, vec![line("Guide des retours", 810.0), line("Du texte", 400.0)])
        }));
        remove(&mut pages);
        assert_eq!(texts(&pages)[0], ["Guide des retours", "Ancre SA"]);
        assert!(texts(&pages)[1..].iter().all(|lines| *lines == ["Du texte"]));
    }

    #[test]
    fn left_and_right_pages_have_their_own_and_roman_numbers_count() {
        let mut pages: Vec<Page> = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"]
            .into_iter()
            .zip(1_u32..)
            .map(|(roman, number)| {
                let header = if number % 2 == 0 { "Ancre" } else { "Guide" };
                page(number, vec![line(header, 810.0), line("Du texte", 400.0), line(roman, 30.0)])
            })
            .collect();
        remove(&mut pages);
        assert!(texts(&pages).iter().all(|lines| *lines == ["Du texte"]), "{:?}", texts(&pages));
    }

    #[test]
    fn the_header_of_a_table_over_all_pages_stays() {
        let mut pages: Vec<Page> = (1..=5)
            .map(|number| {
                page(
                    number,
                    vec![
                        line("Forfait | Prix | Délai", 800.0),
                        line("Solo | 19 | 2", 786.0),
                        line("Duo | 29 | 1", 772.0),
                    ],
                )
            })
            .collect();
        remove(&mut pages);
        assert!(texts(&pages).iter().all(|lines| lines.len() == 3), "{:?}", texts(&pages));
    }

    #[test]
    fn what_is_written_all_over_a_page_is_of_its_body() {
        let mut pages: Vec<Page> = (1..=5)
            .map(|number| {
                let cell = |row: u8| line(&format!("cell {row}"), 800.0 - 40.0 * f32::from(row));
                page(number, (0..20).map(cell).collect())
            })
            .collect();
        remove(&mut pages);
        assert!(texts(&pages).iter().all(|lines| lines.len() == 20), "{:?}", texts(&pages));
    }

    #[test]
    fn the_paragraph_with_which_all_letters_begin_stays() {
        let opening = |at: u8| {
            let text =
                format!("Une ligne de {at} mots, longue comme celles de tous les paragraphes");
            line(&text, 800.0 - 13.0 * f32::from(at))
        };
        let mut pages: Vec<Page> = (1..=5)
            .map(|number| {
                let lines = (0..3).map(opening).chain([line(&format!("Cas {number}"), 400.0)]);
                page(number, lines.collect())
            })
            .collect();
        remove(&mut pages);
        assert!(texts(&pages).iter().all(|lines| lines.len() == 4), "{:?}", texts(&pages));
    }

    #[test]
    fn titles_and_values_with_numbers_of_their_own_stay() {
        let mut pages: Vec<Page> = (1..=12_u32)
            .map(|number| {
                let title = Line { size: 16.0, ..line(&format!("Article {number}"), 800.0) };
                page(
                    number,
                    vec![
                        title,
                        line(&format!("Prix : {} €", number * 10), 770.0),
                        line("Un texte assez long pour que sa taille soit celle du texte", 500.0),
                        line("Un autre texte, qui est aussi long que celui qui précède", 400.0),
                        line(&format!("Ancre SA - {number}"), 30.0),
                    ],
                )
            })
            .collect();
        remove(&mut pages);
        for (lines, number) in texts(&pages).iter().zip(1..) {
            assert_eq!(lines.len(), 4, "{lines:?}");
            assert_eq!(lines[0], format!("Article {number}"));
            assert_eq!(lines[1], format!("Prix : {} €", number * 10));
        }
    }

    #[test]
    fn three_pages_are_too_few_to_tell() {
        let mut pages: Vec<Page> =
            (1..=3).map(|number| page(number, vec![line("Ancre", 810.0)])).collect();
        remove(&mut pages);
        assert!(texts(&pages).iter().all(|lines| *lines == ["Ancre"]));
    }
}
