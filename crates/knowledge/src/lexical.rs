//! What the full-text index holds of a chunk.

use ancre_domain::Language;
use ancre_extract::fold_for_index;
use ancre_store::traits::LexicalText;

/// What the full-text index holds of a chunk.
pub fn lexical_text(
    title: &str,
    heading: Option<&str>,
    content: &str,
    _: Option<Language>,
) -> LexicalText {
    LexicalText {
        title: fold_for_index(title).into_owned(),
        heading: fold_for_index(heading.unwrap_or_default()).into_owned(),
        body: fold_for_index(content).into_owned(),
    }
}
