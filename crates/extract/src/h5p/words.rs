//! Which strings of a content file are somebody's words.

use crate::content::{Block, one_line};
use crate::html::blocks_of_html;

/// Fields that hold no words of the author, in any library.
const TECHNICAL: [&str; 38] = [
    "correct",
    "library",
    "subContentId",
    "metadata",
    "mime",
    "path",
    "url",
    "externalUrl",
    "copyright",
    "license",
    "width",
    "height",
    "color",
    "backgroundColor",
    "behaviour",
    "UI",
    "l10n",
    "a11y",
    "override",
    "overrideSettings",
    "id",
    "uuid",
    "currentTime",
    "icon",
    "iconType",
    "type",
    "size",
    "align",
    "matchAlt",
    "regexp",
    "language",
    "params_version",
    "quality",
    "codecs",
    "dictionary",
    "visual",
    "pageBreak",
    "target",
];

/// Ends of field names that are labels of the interface: `checkAnswerButton`, `scoreLabel`.
const LABELS: [&str; 8] =
    ["Button", "ButtonLabel", "Label", "Aria", "AriaLabel", "Color", "Url", "Icon"];

/// Names of labels that end like words do.
const LABEL_NAMES: [&str; 16] = [
    "scoreBarLabel",
    "confirmCheck",
    "confirmRetry",
    "checkAnswer",
    "submitAnswer",
    "tryAgain",
    "showSolution",
    "prevPage",
    "nextPage",
    "readspeaker",
    "cardFrontLabel",
    "progressText",
    "nextQuestion",
    "finishButtonText",
    "correctText",
    "incorrectText",
];

/// Whether a field is read of which no library says what it holds.
pub(super) fn may_hold_words(name: &str) -> bool {
    !TECHNICAL.contains(&name)
        && !LABEL_NAMES.contains(&name)
        && !LABELS.iter().any(|label| name.ends_with(label))
}

/// Whether a field is technical whatever its library says: addresses are text fields too.
pub(super) fn is_technical(name: &str) -> bool {
    TECHNICAL.contains(&name)
}

/// The blocks of a field's text, which is HTML or at least has its entities.
pub(super) fn blocks_of(text: &str) -> Vec<Block> {
    if is_no_text(text) { Vec::new() } else { blocks_of_html(text).blocks }
}

/// The words of a text on one line.
pub(super) fn plain(text: &str) -> String {
    let lines: Vec<String> = blocks_of_html(text)
        .blocks
        .into_iter()
        .filter_map(|block| match block {
            Block::Heading { text, .. }
            | Block::Paragraph(text)
            | Block::Item { text, .. }
            | Block::Verbatim(text) => Some(one_line(&text)),
            Block::Row { cells, .. } => Some(one_line(&cells.join(" "))),
            Block::Page { .. } => None,
        })
        .collect();
    lines.join(" ")
}

/// Addresses, paths of files, colours and ids.
fn is_no_text(text: &str) -> bool {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return false;
    }
    let is_hexadecimal = |text: &str| text.chars().all(|it| it.is_ascii_hexdigit() || it == '-');
    let is_address = text.contains("://") || text.starts_with("data:");
    let is_path = text.starts_with("images/")
        || text.starts_with("audios/")
        || text.starts_with("videos/")
        || text.starts_with("files/");
    let is_colour = text.strip_prefix('#').is_some_and(is_hexadecimal) || text.starts_with("rgba(");
    let is_id = text.len() == 36 && is_hexadecimal(text);
    is_address || is_path || is_colour || is_id
}
