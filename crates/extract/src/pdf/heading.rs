//! Which lines are headings.
//!
//! The document's bookmarks name its headings (`bookmark`). A document without them, or whose
//! bookmarks are not found in its text, tells by the size of its letters: what is larger than the
//! body, short and no sentence is a heading, the sizes in descending order are its levels. Lines
//! that are bold and apart make the last level.

use std::collections::HashMap;

use super::bookmark::{self, Bookmark};
use super::item;
use super::line::{HYPHEN, HeadingPart, Line};
use super::page::Page;
use super::paragraph;

/// A heading takes at most so many lines, and characters.
const MAX_LINES: usize = 4;
const MAX_LENGTH: usize = 150;

/// How much larger than the body its letters are.
const MIN_SIZE: f32 = 1.15;

/// How many levels sizes make.
const MAX_LEVELS: usize = 3;

/// Pages with a larger share of would-be headings among their lines are slides or posters, where
/// size means nothing, in percent.
const MAX_SHARE: usize = 50;

/// Marks the lines of headings.
pub(super) fn mark(pages: &mut [Page], bookmarks: &[Bookmark]) {
    let found = bookmark::mark(pages, bookmarks);
    if found < 2 || found * 2 < bookmarks.len() {
        mark_sizes(pages, if found == 0 { 0 } else { 1 });
    } else {
        mark_title(pages);
    }
}

/// Marks the title on the first page, which outlines rarely name: its largest letters, when they
/// are much larger than the body's.
fn mark_title(pages: &mut [Page]) {
    const MIN_TITLE_SIZE: f32 = 1.4;
    let Some(body) = body_size(pages) else { return };
    let Some(page) = pages.first_mut() else { return };
    let largest = page.lines.iter().map(|line| line.size).fold(0.0, f32::max);
    let groups = groups_of(page, 0, body);
    let title = groups.iter().find(|group| {
        let size = page.lines.get(group.from).map_or(0.0, |line| line.size);
        size >= 0.95 * largest && size >= MIN_TITLE_SIZE * body
    });
    if let Some(group) = title {
        for line in page.lines.iter_mut().skip(group.from).take(group.count) {
            line.heading = Some(HeadingPart { level: 1, group: 0 });
        }
    }
}

/// Marks what is larger than the body; `taken` levels are above already.
fn mark_sizes(pages: &mut [Page], taken: usize) {
    let Some(body) = body_size(pages) else { return };
    let mut groups: Vec<Group> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let found = groups_of(page, at, body);
        let line_count: usize = found.iter().map(|group| group.count).sum();
        let is_cover = at == 0;
        if is_cover || line_count * 100 <= MAX_SHARE * page.lines.len() || found.len() <= 2 {
            groups.extend(found);
        }
    }
    let mut sizes: Vec<i64> = groups.iter().map(|group| group.rank).collect();
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    sizes.dedup();
    for (group, id) in groups.iter().zip(100_000_u32..) {
        let rank = sizes.iter().position(|size| *size == group.rank).unwrap_or_default() + taken;
        let level = u8::try_from(rank.min(MAX_LEVELS - 1) + 1).unwrap_or(1);
        let lines = pages.get_mut(group.page).map(|page| page.lines.iter_mut());
        for line in lines.into_iter().flatten().skip(group.from).take(group.count) {
            line.heading = Some(HeadingPart { level, group: id });
        }
    }
}

/// Lines that are one heading.
struct Group {
    page: usize,
    from: usize,
    count: usize,
    /// Twice the size; 0 for bold letters of the body's size.
    rank: i64,
}

fn groups_of(page: &Page, at: usize, body: f32) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut from = 0;
    while let Some(first) = page.lines.get(from) {
        let rank = rank(first, body);
        let follows = |pair: &&[Line]| match pair {
            [above, line] => {
                is_next_line(above, line)
                    && line.heading.is_none()
                    && self::rank(line, body) == rank
                    && line.is_bold == first.is_bold
            }
            _ => false,
        };
        let rest = page.lines.get(from..).unwrap_or_default();
        let count = 1 + rest.windows(2).take_while(follows).count();
        let lines = page.lines.get(from..from + count).unwrap_or_default();
        if let Some(rank) = rank
            && first.heading.is_none()
            && is_heading(lines)
            && (rank > 0 || is_apart(page, from, count))
        {
            groups.push(Group { page: at, from, count, rank });
        }
        from += count;
    }
    groups
}

/// Twice the size of letters that are larger than the body's, 0 for bold ones of its size.
fn rank(line: &Line, body: f32) -> Option<i64> {
    // Titles of columns are no headings.
    if line.table.is_some() {
        return None;
    }
    if line.size >= MIN_SIZE * body {
        #[expect(clippy::cast_possible_truncation, reason = "bounded")]
        return Some((line.size.min(10_000.0) * 2.0).round() as i64);
    }
    (line.is_bold && line.size >= 0.95 * body).then_some(0)
}

/// Whether a heading that goes on over two lines would have them so.
fn is_next_line(above: &Line, line: &Line) -> bool {
    let drop = above.baseline - line.baseline;
    (0.5 * line.size..1.7 * line.size).contains(&drop)
}

fn is_heading(lines: &[Line]) -> bool {
    let text: String = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    let is_sentence = paragraph::ends_sentence(&text) && !text.ends_with(['?', '!'])
        || text.contains(". ") && text.chars().count() > MAX_LENGTH / 2;
    lines.len() <= MAX_LINES
        && letters >= 2
        && letters * 2 > text.chars().filter(|it| !it.is_whitespace()).count()
        && text.chars().count() <= MAX_LENGTH
        && !is_sentence
        && !text.ends_with([',', HYPHEN])
        && item::mark_of(&text).is_none_or(|mark| !mark.is_certain)
        // A line of a table of contents.
        && !text.contains(" … ")
        && lines.iter().all(|line| line.cells.len() <= 2)
}

/// Whether bold lines stand alone over lighter ones: a gap above, text below, few words.
fn is_apart(page: &Page, from: usize, count: usize) -> bool {
    let lines = page.lines.get(from..from + count).unwrap_or_default();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return false };
    let begins_well =
        first.text.chars().next().is_some_and(|it| it.is_uppercase() || it.is_numeric());
    let above = from.checked_sub(1).and_then(|at| page.lines.get(at));
    let has_gap = above.is_none_or(|above| {
        let drop = above.baseline - first.baseline;
        drop < 0.0 || drop > 1.5 * first.size
    });
    let below = page.lines.get(from + count);
    let has_text = below.is_some_and(|below| {
        let drop = last.baseline - below.baseline;
        !below.is_bold && drop > 0.5 * last.size && drop < 4.0 * last.size && below.length() > 20
    });
    count <= 2
        && begins_well
        && has_gap
        && has_text
        && lines.iter().all(|line| line.cells.len() == 1 && line.text.chars().count() <= 80)
}

/// The size of most letters of the document. Long lines tell it: drawings are full of small words.
pub(super) fn body_size(pages: &[Page]) -> Option<f32> {
    const LONG: usize = 30;
    let lines = || pages.iter().flat_map(|page| &page.lines);
    prevailing_size(&mut lines().filter(|line| line.length() >= LONG))
        .or_else(|| prevailing_size(&mut lines()))
}

fn prevailing_size(lines: &mut dyn Iterator<Item = &Line>) -> Option<f32> {
    let mut counts: HashMap<i64, (usize, f32)> = HashMap::new();
    for line in lines {
        #[expect(clippy::cast_possible_truncation, reason = "bounded")]
        let key = (line.size.min(10_000.0) * 2.0).round() as i64;
        counts.entry(key).or_insert((0, line.size)).0 += line.length();
    }
    counts.into_values().max_by_key(|(count, _)| *count).map(|(_, size)| size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::line::Cell;

    fn line(text: &str, size: f32) -> Line {
        let cells = vec![Cell { text: text.to_owned(), ..Cell::default() }];
        Line { text: text.to_owned(), size, cells, ..Line::default() }
    }

    fn page(mut lines: Vec<Line>) -> Page {
        let mut baseline = 800.0;
        for line in lines.iter_mut().filter(|line| line.baseline == 0.0) {
            baseline -= 1.2 * line.size;
            line.baseline = baseline;
        }
        Page { number: 1, lines, ..Page::default() }
    }

    fn levels(page: &Page) -> Vec<Option<u8>> {
        page.lines.iter().map(|line| line.heading.map(|it| it.level)).collect()
    }

    fn body() -> Line {
        line("Vous avez trente jours pour renvoyer un article qui ne convient pas.", 10.0)
    }

    #[test]
    fn larger_letters_make_levels_by_size_unless_they_are_a_sentence() {
        let mut pages = [page(vec![
            line("Guide des", 24.0),
            line("retours", 24.0),
            body(),
            line("Délais", 14.0),
            body(),
            line("Ceci est une phrase mise en valeur.", 14.0),
            body(),
            line("12", 18.0),
            body(),
        ])];
        mark(&mut pages, &[]);
        let (one, two) = (Some(1), Some(2));
        assert_eq!(levels(&pages[0]), [one, one, None, two, None, None, None, None, None]);
    }

    #[test]
    fn the_title_that_the_bookmarks_leave_out_is_a_heading() {
        let mut pages = [page(vec![
            line("Guide des retours", 20.0),
            line("Délais", 10.0),
            body(),
            line("Exceptions", 14.0),
            body(),
        ])];
        let bookmark = |title: &str| Bookmark { title: title.to_owned(), level: 2, page: 1 };
        mark(&mut pages, &[bookmark("Délais"), bookmark("Exceptions")]);
        assert_eq!(levels(&pages[0]), [Some(1), Some(2), None, Some(2), None]);
    }

    #[test]
    fn bold_lines_with_text_under_them_are_headings() {
        let place = |mut line: Line, baseline, is_bold| {
            (line.baseline, line.is_bold) = (baseline, is_bold);
            line
        };
        let mut pages = [page(vec![
            place(body(), 700.0, false),
            place(line("Exceptions", 10.0), 676.0, true),
            place(body(), 662.0, false),
            place(line("Gras dans le texte", 10.0), 650.0, true),
            place(body(), 638.0, false),
        ])];
        mark(&mut pages, &[]);
        assert_eq!(levels(&pages[0]), [None, Some(1), None, None, None]);
    }
}
