//! The form of a text that is indexed, as against the one that is shown.
//!
//! A PDF writes “eﬃcace” with a ligature and Arabic with the shapes that letters take in a word; a
//! question is typed with plain letters. Only such ranges are folded, each to its compatibility
//! decomposition (Unicode's NFKC): over the whole text that would turn “½” into “1⁄2” and “m²” into
//! “m2”. What is not seen goes: soft hyphens, zero-width characters, marks of direction.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// Folds ligatures, presentation forms and full-width forms, and drops invisible characters.
/// Offsets into the result are not offsets into the text.
pub fn fold_for_index(text: &str) -> Cow<'_, str> {
    let has_shapes = text.chars().any(|it| is_invisible(it) || is_shape(it));
    let folded = if has_shapes { Cow::Owned(without_shapes(text)) } else { Cow::Borrowed(text) };
    match mended_article(&folded) {
        Some(mended) => Cow::Owned(mended),
        None => folded,
    }
}

fn without_shapes(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // Together, as a half-width letter and its mark become one.
        let is_same =
            |it: char| (is_invisible(it), is_shape(it)) == (is_invisible(first), is_shape(first));
        let length = rest.find(|it| !is_same(it)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(length);
        if is_shape(first) {
            folded.extend(run.nfkc());
        } else if !is_invisible(first) {
            folded.push_str(run);
        }
        rest = after;
    }
    folded
}

/// Whether it is another form of a plain letter or of several.
fn is_shape(character: char) -> bool {
    matches!(character,
        // Latin and Armenian ligatures, Hebrew forms.
        '\u{FB00}'..='\u{FB06}' | '\u{FB13}'..='\u{FB17}' | '\u{FB1D}'..='\u{FB4F}'
        // Arabic forms; the ornate parentheses among them have no other form.
        | '\u{FB50}'..='\u{FD3D}' | '\u{FD50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        // The space, full-width and half-width forms of East Asia.
        | '\u{3000}' | '\u{FF01}'..='\u{FFEE}')
}

fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// Mends the article before a hamza, “اإل” for “الإ”, of which fonts have one glyph whose
/// two letters producers of PDFs write in the order of sight. An alef before an alef with hamza is
/// in no Arabic word, so nothing else is touched; a plain “ال” for “لا” within words cannot be told
/// from the right one and stays.
fn mended_article(text: &str) -> Option<String> {
    const ALEF: char = '\u{627}';
    const LAM: char = '\u{644}';
    const HAMZA_ALEFS: [char; 3] = ['\u{622}', '\u{623}', '\u{625}'];
    let wrong = |hamza: char| [ALEF, hamza, LAM].into_iter().collect::<String>();
    let mut mended: Option<String> = None;
    for hamza in HAMZA_ALEFS {
        let current = mended.as_deref().unwrap_or(text);
        let wrong = wrong(hamza);
        if current.contains(&wrong) {
            let right: String = [ALEF, LAM, hamza].into_iter().collect();
            mended = Some(current.replace(&wrong, &right));
        }
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ligatures_and_forms_become_plain_letters() {
        for (shown, indexed) in [
            ("eﬃcace, oﬀre, ﬁn, ﬂux, ﬅyle, ﬆ", "efficace, offre, fin, flux, style, st"),
            ("ＡＢＣ１２３　ｶﾞｷﾞ", "ABC123 ガギ"),
            ("\u{FEE3}\u{FEAE}\u{FEA3}\u{FE92}\u{FE8E}", "مرحبا"),
            ("\u{FEFB}", "لا"),
            ("rembour\u{AD}sement\u{200B} main\u{FEFF}tenant", "remboursement maintenant"),
            ("\u{202B}مرحبا\u{202C}", "مرحبا"),
        ] {
            assert_eq!(fold_for_index(shown), indexed);
        }
    }

    #[test]
    fn the_arabic_article_before_a_hamza_is_mended() {
        assert_eq!(fold_for_index("اإلنتاجية"), "الإنتاجية");
        assert_eq!(fold_for_index("واألمن"), "والأمن");
        for right in ["إلى سالم", "الإنتاجية", "سلام"] {
            assert!(matches!(fold_for_index(right), Cow::Borrowed(_)), "{right}");
        }
    }

    #[test]
    fn what_means_something_else_stays_and_costs_nothing() {
        for text in
            ["½ m² № œuvre … ™ ① 10³", "l’été\u{A0}: «\u{202F}à\u{202F}»", "", "한국어 日本語"]
        {
            assert!(matches!(fold_for_index(text), Cow::Borrowed(it) if it == text), "{text}");
        }
    }
}
