//! The characters of a page as PDFium gives them, each with its place.
//!
//! Some are halves of one, some stand for others, some say where a line ends. Text that runs upwards
//! or downwards, as on a turned page, is looked at as if it ran to the right.

use pdfium_render::prelude::{PdfPageText, PdfPageTextChar};

/// The most characters of a page whose direction is asked.
const QUARTER_SAMPLE: usize = 40;

/// The mark PDFium puts where a hyphen ended a line.
pub(super) const HYPHEN: char = '\u{2}';

/// A character with its place, turned so that its line runs to the right.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) character: char,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    pub(super) size: f32,
    /// Where it is among the page's characters.
    pub(super) at: usize,
}

pub(super) const SPACE: Placed =
    Placed { character: ' ', left: 0.0, right: 0.0, baseline: 0.0, size: 0.0, at: 0 };

/// The quarter of a turn in which most of the page's text runs.
pub(super) fn prevailing_quarter(text: &PdfPageText<'_>) -> u8 {
    let characters = text.chars();
    let step = (characters.len() / QUARTER_SAMPLE).max(1);
    let mut counts = [0_usize; 4];
    for character in characters.iter().step_by(step) {
        let quarter = quarter(character.angle_degrees().unwrap_or(0.0));
        if let Some(count) = counts.get_mut(usize::from(quarter)) {
            *count += 1;
        }
    }
    (0..4_u8)
        .rev()
        .max_by_key(|quarter| counts.get(usize::from(*quarter)).copied())
        .unwrap_or_default()
}

/// Puts together what PDFium gives in two halves: characters beyond U+FFFF, such as emoji, come as
/// the surrogates of UTF-16.
#[derive(Default)]
pub(super) struct Units {
    high: Option<u32>,
}

impl Units {
    pub(super) fn character(&mut self, value: u32) -> Option<char> {
        let high = self.high.take();
        let value = readable(value);
        match (high, value) {
            (_, 0xD800..=0xDBFF) => {
                self.high = Some(value);
                None
            }
            (Some(high), 0xDC00..=0xDFFF) => {
                char::from_u32(0x10000 + ((high - 0xD800) << 10) + (value - 0xDC00))
            }
            _ => char::from_u32(value),
        }
    }
}

/// What a control character stands for. Those of 0x80 to 0x9F are letters and quotes of
/// Windows-1252 that were taken for Unicode; any other is a sign without a name, which at least
/// divides words: “dall\u{4}impresa”.
fn readable(value: u32) -> u32 {
    const SPACE: u32 = ' ' as u32;
    let character = match value {
        0x80 => '€',
        0x85 => '…',
        0x8A => 'Š',
        0x8C => 'Œ',
        0x8E => 'Ž',
        0x91 => '‘',
        0x92 => '’',
        0x93 => '“',
        0x94 => '”',
        0x95 => '•',
        0x96 => '–',
        0x97 => '—',
        0x99 => '™',
        0x9A => 'š',
        0x9C => 'œ',
        0x9E => 'ž',
        0x9F => 'Ÿ',
        0x01 | 0x03..=0x09 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F..=0x9F => return SPACE,
        other => return other,
    };
    character.into()
}

pub(super) fn is_kept(character: char) -> bool {
    !character.is_control()
}

pub(super) fn placed(found: &PdfPageTextChar<'_>, character: char, at: usize) -> Option<Placed> {
    let bounds = found.loose_bounds().ok()?;
    let (x, y) = found
        .origin()
        .map_or((bounds.left().value, bounds.bottom().value), |(x, y)| (x.value, y.value));
    let (left, right) = (bounds.left().value, bounds.right().value);
    let (bottom, top) = (bounds.bottom().value, bounds.top().value);
    let (left, right, baseline) = match quarter(found.angle_degrees().unwrap_or(0.0)) {
        1 => (-top, -bottom, x),
        2 => (-right, -left, -y),
        3 => (bottom, top, -x),
        _ => (left, right, y),
    };
    let size = found.scaled_font_size().value;
    let height = if (top - bottom).is_finite() { (top - bottom).abs() } else { 0.0 };
    // The size of turned or sheared letters comes out as nothing; their box tells it then.
    let size = if size.is_finite() && size > 0.5 { size } else { height.max(1.0) };
    Some(Placed { character, left, right, baseline, size, at })
}

/// Which quarter of a turn, clockwise as PDFium counts, an angle is nearest to.
fn quarter(degrees: f32) -> u8 {
    match degrees.rem_euclid(360.0) {
        45.0..135.0 => 1,
        135.0..225.0 => 2,
        225.0..315.0 => 3,
        _ => 0,
    }
}

pub(super) fn is_bold(character: &PdfPageTextChar<'_>) -> bool {
    let name = character.font_name().to_lowercase();
    ["bold", "black", "heavy"].iter().any(|word| name.contains(word))
}

/// A no-break space belongs to French punctuation and is kept.
pub(super) fn is_no_break(character: char) -> bool {
    matches!(character, '\u{A0}' | '\u{202F}' | '\u{2007}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_of_a_character_are_one_and_a_half_is_none() {
        let mut units = Units::default();
        let found: Vec<char> = [0x41, 0xD83D, 0xDE00, 0xDE00, 0xD83D, 0x42]
            .into_iter()
            .filter_map(|it| units.character(it))
            .collect();
        assert_eq!(found, ['A', '😀', 'B']);
    }

    #[test]
    fn letters_of_another_code_are_read_as_what_they_are_and_nameless_signs_divide_words() {
        let mut units = Units::default();
        let found: String = [0x6C, 0x92, 0x9C, 0x75, 0x76, 0x04, 0x61, 0x0D]
            .into_iter()
            .filter_map(|it| units.character(it))
            .collect();
        assert_eq!(found, "l’œuv a\r");
    }
}
