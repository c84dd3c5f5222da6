//! Text of which a part is numbers of glyphs taken for characters: “GH” for “de”.
//!
//! A page that mixes readable fonts with one such font looks well on the whole. But fonts put the
//! glyph of the space third or so, and those after it in the order of ASCII, so a missing table
//! displaces every character by nearly the same number, and the most frequent words give it away.
//! Looking at stretches of words one by one, as whole pages are, finds less of it and takes code,
//! formulas and tables of figures for garbled (measured on 1,790 pages).

use super::FREQUENT;

/// By how much characters are displaced: the code of the space, 32, less the number of its glyph.
const DISPLACEMENTS: std::ops::RangeInclusive<u8> = 28..=31;

/// The fewest different words that give a displacement away.
const MIN_WORDS: usize = 3;

/// Whether of the frequent words a quarter or more are displaced.
pub(super) fn is_much_of(page: &str) -> bool {
    let mut plain = 0_usize;
    let mut displaced = DISPLACEMENTS.map(|by| (by, 0_usize, Vec::new())).collect::<Vec<_>>();
    for token in page.split_whitespace().filter(|it| (2..=5).contains(&it.len())) {
        if FREQUENT.contains(&token.to_lowercase().as_str()) {
            plain += 1;
            continue;
        }
        for (by, count, different) in &mut displaced {
            let Some(word) = frequent_word(token, *by) else { continue };
            *count += 1;
            if !different.contains(&word) {
                different.push(word);
            }
        }
    }
    displaced
        .iter()
        .any(|(_, count, different)| different.len() >= MIN_WORDS && count * 4 >= count + plain)
}

/// The frequent word that the token is when its characters are put back. Figures would often be
/// one: 39 with 28 added is “OU”.
fn frequent_word(token: &str, by: u8) -> Option<&'static str> {
    if token.bytes().any(|it| it.is_ascii_digit()) {
        return None;
    }
    let letters: Option<Vec<u8>> = token
        .bytes()
        .map(|byte| byte.checked_add(by).map(|it| it.to_ascii_lowercase()))
        .map(|letter| letter.filter(u8::is_ascii_lowercase))
        .collect();
    let letters = letters?;
    FREQUENT.iter().find(|word| word.as_bytes() == letters).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_of_glyph_numbers_among_readable_ones_is_found() {
        let page = "rentre à la maison OH FLQpPD Q¶HVW SDV OD UpDOLWp PDLV XQ PLURLU GX PRQGH, \
            et il est aussi un lieu pour le théâtre, dans une mise en scène de la parole";
        assert!(is_much_of(page));
    }

    #[test]
    fn acronyms_and_one_displaced_word_are_not() {
        let acronyms = "GH OD OD GH OD: ces sigles sont ceux de la norme et de ses annexes.";
        assert!(!is_much_of(acronyms));
        let listing =
            "#if 0 ... #endif /* X */ void (*f)(int a, int b); /D /H -H ID GX, 4 mm 39 32 34 39 49";
        assert!(!is_much_of(&format!("{listing} {}", "and the code of the program ".repeat(4))));
    }
}
