//! The chunker's promises.

use ancre_domain::{ChunkingSettings, Heading};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::{Slice, chunk_text, chunk_units, heading_path};

fn contents<'t>(text: &'t str, slices: &[Slice]) -> Vec<&'t str> {
    slices.iter().map(|slice| &text[slice.bytes.clone()]).collect()
}

fn cut(text: &str, size: u32, overlap: u32) -> Vec<&str> {
    let slices = chunk_text(text, ChunkingSettings { size, overlap });
    assert_promises(text, ChunkingSettings { size, overlap }, &slices);
    contents(text, &slices)
}

#[track_caller]
fn assert_promises(text: &str, settings: ChunkingSettings, slices: &[Slice]) {
    assert_promises_with_units(text, &[], settings, slices);
}

/// Everything that holds for every text, all units and all settings.
#[track_caller]
fn assert_promises_with_units(
    text: &str,
    units: &[u32],
    settings: ChunkingSettings,
    slices: &[Slice],
) {
    let size = settings.size.max(1);
    let overlap = settings.overlap.min(size / 2);
    let mut characters_before = 0;
    let mut bytes_before = 0;
    for (position, slice) in slices.iter().enumerate() {
        let content = &text[slice.bytes.clone()];
        let length = u32::try_from(content.chars().count()).unwrap();
        assert_eq!(slice.range.char_count(), length, "bytes and characters agree");
        characters_before += text[bytes_before..slice.bytes.start].chars().count();
        bytes_before = slice.bytes.start;
        assert_eq!(slice.range.start as usize, characters_before, "counted from the beginning");
        assert!(length <= size, "{length} characters in a chunk of {size}");
        assert!(length > 0 && content.trim_end() == content, "{content:?} ends in a blank");

        let Some(next) = slices.get(position + 1) else { continue };
        assert!(slice.range.start < next.range.start && slice.range.end < next.range.end);
        let shared = slice.range.end.saturating_sub(next.range.start);
        assert!(shared <= overlap, "{shared} characters shared, {overlap} asked for");
        let gap = next.own_start - slice.range.end;
        if shared == 0 {
            assert_eq!(next.range.start, next.own_start, "nothing but its own text");
            assert!(
                overlap == 0
                    || units.contains(&next.own_start)
                    || gap > size / 4
                    || ends_in_a_long_grapheme(text, slice, overlap),
                "nothing of {content:?} is repeated"
            );
        }
        if slice.range.end < next.range.start {
            let between = &text[slice.bytes.end..next.bytes.start];
            assert!(between.trim().is_empty(), "{between:?} lies in no chunk");
        }
    }
    let first = slices.first().map_or(text.len(), |slice| slice.bytes.start);
    let last = slices.last().map_or(text.len(), |slice| slice.bytes.end);
    assert!(text[..first].trim().is_empty() && text[last..].trim().is_empty());
}

/// Whether the last grapheme of a chunk is longer than what may be repeated, or is cut in two.
fn ends_in_a_long_grapheme(text: &str, slice: &Slice, overlap: u32) -> bool {
    let content = &text[slice.bytes.clone()];
    let last = content.graphemes(true).next_back().map_or(0, |last| last.chars().count());
    last > overlap as usize
        || last == content.chars().count()
        || text.grapheme_indices(true).all(|(at, _)| at != slice.bytes.end)
}

#[test]
fn blank_texts_have_no_chunks() {
    assert!(cut("", 100, 10).is_empty());
    assert!(cut(" \n\t\u{a0}\n", 100, 10).is_empty());
}

#[test]
fn a_short_text_is_one_chunk_without_the_blanks_around_it() {
    assert_eq!(cut("\n Un.\n\nDeux. \n", 100, 10), ["Un.\n\nDeux."]);
}

#[test]
fn paragraphs_are_added_while_the_slice_stays_within_the_limit() {
    let text = "aaaa aaaa\n\nbbbb bbbb\n\ncccc cccc";
    assert_eq!(cut(text, 20, 0), ["aaaa aaaa\n\nbbbb bbbb", "cccc cccc"]);
    assert_eq!(cut(text, 19, 0), ["aaaa aaaa", "bbbb bbbb", "cccc cccc"], "separators count");
}

#[test]
fn the_next_chunk_begins_at_a_word_of_the_one_before() {
    let text = "aaaa aaaa\n\nbbbb bbbb\n\ncccc cccc";
    assert_eq!(cut(text, 20, 6), ["aaaa aaaa\n\nbbbb bbbb", "bbbb\n\ncccc cccc"]);
    assert_eq!(cut("abcdefghij", 6, 2), ["abcdef", "efghij"], "no word begins within reach");
}

#[test]
fn what_is_repeated_of_a_list_or_a_table_begins_with_a_whole_line() {
    let text = "- Plan: Un, trente jours\n- Plan: Deux, dix jours\n\nLa suite du texte est ici.";
    let repeated = |overlap| cut(text, 60, overlap)[1].lines().next().unwrap().to_owned();
    assert_eq!(repeated(8), "jours", "no line begins within reach");
    for overlap in [23, 29, 30] {
        assert_eq!(repeated(overlap), "- Plan: Deux, dix jours");
    }
}

#[test]
fn a_slide_begins_a_chunk_unless_the_slides_before_it_are_short() {
    let slide = |title: &str| format!("# {title}\n\nVingt caractères là.");
    let deck = ["Un", "Deux", "Trois", "Quatre"].map(slide);
    let starts = starts_of(&deck);
    let text = deck.join("\n\n");
    let cut = |size| {
        let settings = ChunkingSettings { size, overlap: size / 4 };
        let slices = chunk_units(&text, &starts, settings);
        assert_promises_with_units(&text, &starts, settings, &slices);
        contents(&text, &slices).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(cut(100), deck, "each has a quarter of the limit, and none repeats another");
    assert_eq!(cut(150), [deck[..2].join("\n\n"), deck[2..].join("\n\n")]);
    assert_eq!(cut(1_000), [text.as_str()]);
}

/// Where each of `parts` begins when empty lines are between them.
fn starts_of(parts: &[String]) -> Vec<u32> {
    let lengths = parts.iter().map(|part| u32::try_from(part.chars().count()).unwrap() + 2);
    lengths.scan(0, |next, length| Some(std::mem::replace(next, *next + length))).collect()
}

#[test]
fn a_long_paragraph_is_split_at_sentence_ends() {
    let text = "M. Un est là. Deux aussi. Trois part. Quatre reste.";
    assert_eq!(cut(text, 26, 0), ["M. Un est là. Deux aussi.", "Trois part. Quatre reste."]);
}

#[test]
fn a_heading_stays_with_the_long_paragraph_it_announces() {
    let text = "# Titre\n\nUne phrase ici. Une autre phrase. Encore une phrase.";
    assert_eq!(cut(text, 26, 0)[0], "# Titre\n\nUne phrase ici.");
}

#[test]
fn a_long_sentence_is_cut_hard_but_not_inside_a_grapheme() {
    assert_eq!(cut("abcdefghij", 4, 0), ["abcd", "efgh", "ij"]);
    let family = "👩\u{200d}👩\u{200d}👧";
    let text = family.repeat(3);
    assert_eq!(cut(&text, 12, 0), [family.repeat(2), family.to_owned()]);
    assert_eq!(cut("ae\u{301}e\u{301}e\u{301}", 4, 0), ["ae\u{301}", "e\u{301}e\u{301}"]);
}

#[test]
fn a_grapheme_longer_than_the_limit_is_cut_between_characters() {
    let text = format!("e{}", "\u{301}".repeat(9));
    assert_eq!(
        cut(&text, 4, 0).iter().map(|cut| cut.chars().count()).collect::<Vec<_>>(),
        [4, 4, 2]
    );
}

#[test]
fn impossible_settings_still_come_to_an_end() {
    for (size, overlap) in [(0, 0), (0, 9), (1, 1), (2, 2), (3, 100), (7, 7), (u32::MAX, u32::MAX)]
    {
        cut("Un deux.\n\nTrois, quatre! Cinq\u{301}", size, overlap);
    }
}

#[test]
fn pathological_texts_are_cut_in_linear_time() {
    let settings = ChunkingSettings::default();
    for unit in ["a", "\n", " ", "\u{301}", "👩\u{200d}", "🇫🇷", ".", "a\n\n", "a. ", "x \n"]
    {
        let text = unit.repeat(1_000_000 / unit.len());
        assert_promises(&text, settings, &chunk_text(&text, settings));
    }
    let gap = format!("avant{}après", "\n".repeat(500_000));
    assert_eq!(cut(&gap, 2_000, 200), ["avant", "après"]);
}

#[test]
fn a_chunk_knows_the_headings_it_lies_under() {
    let heading = |level, title: &str, start| Heading { level, title: title.to_owned(), start };
    let outline = [
        heading(1, "Refunds", 10),
        heading(3, "Fees", 20),
        heading(2, "Deadlines", 30),
        heading(1, "Contact", 50),
    ];
    assert_eq!(heading_path(&outline, 9), None);
    assert_eq!(heading_path(&outline, 10).as_deref(), Some("Refunds"));
    assert_eq!(heading_path(&outline, 25).as_deref(), Some("Refunds › Fees"));
    assert_eq!(heading_path(&outline, 49).as_deref(), Some("Refunds › Deadlines"));
    assert_eq!(heading_path(&outline, 99).as_deref(), Some("Contact"));
}

proptest! {
    #[test]
    fn every_text_keeps_the_promises(
        text in r#"([a-zéÀ]{1,9}|[ .!?\n]|\n\n|\. [A-Z]|\n(- |1\. |\| )|e\u{301}|👩\u{200d}👧|\u{a0}|🇫🇷){0,300}"#,
        size in 1_u32..80,
        overlap in 0_u32..60,
    ) {
        let settings = ChunkingSettings { size, overlap };
        let slices = chunk_text(&text, settings);
        assert_promises(&text, settings, &slices);
        prop_assert_eq!(chunk_text(&text, settings), slices, "the same every time");
    }

    #[test]
    fn a_unit_begins_in_the_first_quarter_of_a_chunk_or_begins_one(
        slides in prop::collection::vec(r"[a-z]{1,9}( [a-zé]{1,9}|\. [A-Z]|\n\n[a-z]|\n- [a-z]){0,20}", 1..12),
        size in 1_u32..200,
        overlap in 0_u32..60,
    ) {
        let starts = starts_of(&slides);
        let text = slides.join("\n\n");
        let settings = ChunkingSettings { size, overlap };
        let slices = chunk_units(&text, &starts, settings);
        assert_promises_with_units(&text, &starts, settings, &slices);
        for slice in &slices {
            let inside = |start: &&u32| slice.own_start < **start && **start < slice.range.end;
            if let Some(last) = starts.iter().rfind(inside) {
                prop_assert!(last - 2 - slice.own_start < size / 4, "{:?}", &text[slice.bytes.clone()]);
            }
            if starts.contains(&slice.own_start) {
                prop_assert_eq!(slice.range.start, slice.own_start);
            }
        }
    }

    #[test]
    fn units_anywhere_keep_the_promises(
        text in r"([a-z]{1,9}|[ .\n]|\n\n|\. [A-Z]){0,200}",
        mut units in prop::collection::vec(0_u32..900, 0..20),
        size in 1_u32..80,
    ) {
        units.sort_unstable();
        let settings = ChunkingSettings { size, overlap: 0 };
        assert_promises(&text, settings, &chunk_units(&text, &units, settings));
    }

    #[test]
    fn no_cut_is_inside_a_grapheme_that_fits(
        text in r#"([a-z]|e\u{301}\u{302}|👩\u{200d}👧|🇫🇷| ){0,200}"#,
        size in 12_u32..40,
        overlap in 0_u32..6,
    ) {
        let boundaries: std::collections::BTreeSet<usize> =
            text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
        for slice in chunk_text(&text, ChunkingSettings { size, overlap }) {
            prop_assert!(boundaries.contains(&slice.bytes.start), "{slice:?} of {text:?}");
            prop_assert!(boundaries.contains(&slice.bytes.end), "{slice:?} of {text:?}");
        }
    }

    #[test]
    fn arbitrary_text_keeps_the_promises(text in any::<String>(), size in 1_u32..20) {
        let settings = ChunkingSettings { size, overlap: size / 3 };
        assert_promises(&text, settings, &chunk_text(&text, settings));
    }
}
