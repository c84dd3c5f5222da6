//! The outline that a PDF has, found again in its text.
//!
//! A bookmark says a title and a page. Where the title's words stand on that page, apart from
//! case, blanks and the section's number, those lines are a heading with the bookmark's depth.

use std::collections::{HashMap, HashSet};

use pdfium_render::prelude::{PdfBookmark, PdfDocument};

use super::line::{HeadingPart, Line};
use super::page::Page;

/// The most bookmarks that are looked for, and how deep.
const MAX_BOOKMARKS: usize = 5_000;
const MAX_DEPTH: u8 = 6;

/// A title takes at most so many lines.
const MAX_LINES: usize = 4;

/// The most lines that are looked at for all of them.
const MAX_LOOKS: usize = 1_000_000;

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bookmark {
    /// What it says.
    pub(super) title: String,
    /// 1 for the outermost.
    pub(super) level: u8,
    /// The number of its page, from 1.
    pub(super) page: u32,
}

/// The outline, in its order, as far as it leads to pages.
pub(super) fn of(document: &PdfDocument<'_>) -> Vec<Bookmark> {
    let mut found = Vec::new();
    // A damaged outline may lead in circles.
    let mut seen: HashSet<PdfBookmark<'_>> = HashSet::new();
    let mut waiting: Vec<(PdfBookmark<'_>, u8)> =
        document.bookmarks().root().map(|root| (root, 1)).into_iter().collect();
    while let Some((bookmark, level)) = waiting.pop() {
        if seen.len() >= MAX_BOOKMARKS || !seen.insert(bookmark.clone()) {
            continue;
        }
        waiting.extend(bookmark.next_sibling().map(|next| (next, level)));
        if level < MAX_DEPTH {
            waiting.extend(bookmark.first_child().map(|child| (child, level + 1)));
        }
        let page = bookmark.destination().and_then(|it| it.page_index().ok());
        let page = page.and_then(|at| u32::try_from(at).ok()).and_then(|at| at.checked_add(1));
        if let (Some(title), Some(page)) = (bookmark.title(), page) {
            found.push(Bookmark { title, level, page });
        }
    }
    found
}

/// Marks what the bookmarks name, and says how many were found.
pub(super) fn mark(pages: &mut [Page], bookmarks: &[Bookmark]) -> usize {
    let places: HashMap<u32, usize> =
        pages.iter().enumerate().map(|(at, page)| (page.number, at)).collect();
    let (mut found, mut looks) = (0, 0);
    for (bookmark, group) in bookmarks.iter().zip(1_u32..) {
        let wanted = words(&bookmark.title);
        let page = places.get(&bookmark.page).and_then(|at| pages.get_mut(*at));
        let Some(page) = page.filter(|_| !wanted.is_empty()) else { continue };
        looks += page.lines.len();
        if looks > MAX_LOOKS {
            break;
        }
        let Some((at, count)) = find(&page.lines, &wanted) else { continue };
        for line in page.lines.iter_mut().skip(at).take(count) {
            line.heading = Some(HeadingPart { level: bookmark.level, group });
        }
        found += 1;
    }
    found
}

/// The lines that say exactly this, apart from the section's number, which either may lack.
fn find(lines: &[Line], wanted: &str) -> Option<(usize, usize)> {
    let bare = without_number(wanted);
    let is_it = |said: &str| said == wanted || without_number(said) == bare && !bare.is_empty();
    for from in 0..lines.len() {
        let mut said = String::new();
        for (count, line) in lines.iter().skip(from).take(MAX_LINES).enumerate() {
            if line.heading.is_some() {
                break;
            }
            said.push_str(&words(&line.text));
            if is_it(&said) {
                return Some((from, count + 1));
            }
            if said.len() > wanted.len() + 16 {
                break;
            }
        }
    }
    None
}

/// The letters and digits alone, in lower case.
fn words(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn without_number(words: &str) -> &str {
    words.trim_start_matches(|it: char| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line { text: text.to_owned(), ..Line::default() }
    }

    #[test]
    fn bookmarks_find_their_lines_and_no_others() {
        let lines = [
            "Exergue",
            "2.1 Les délais de",
            "remboursement",
            "Vous avez trente jours, les exceptions sont rares.",
            "Exceptions",
        ];
        let lines = lines.map(line).into();
        let mut pages = [Page { number: 1, lines, ..Page::default() }];
        let bookmark = |title: &str, level, page| Bookmark { title: title.to_owned(), level, page };
        let bookmarks = [
            bookmark("Les délais de remboursement", 2, 1),
            bookmark("EXCEPTIONS", 3, 1),
            bookmark("Exergue", 1, 2),
        ];
        assert_eq!(mark(&mut pages, &bookmarks), 2);
        let levels: Vec<Option<u8>> =
            pages[0].lines.iter().map(|line| line.heading.map(|it| it.level)).collect();
        assert_eq!(levels, [None, Some(2), Some(2), None, Some(3)]);
    }
}
