//! Where sentences begin and end, in French and English.

use std::ops::Range;

/// The sentences of `text` as byte ranges, in order, without the blanks around them.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let _ = text;
    Vec::new()
}
