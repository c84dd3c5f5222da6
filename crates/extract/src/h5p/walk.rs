//! The walk over a content file, beside what its libraries say of it.

use super::json::Value;
use super::semantics::{Field, Fields, Libraries};
use super::words;
use crate::ExtractError;
use crate::content::{Block, one_line};

/// What stands behind a right answer.
const CHECK_MARK: char = '✓';

/// How deep libraries lie in libraries; the file's own nesting is bounded by its parser.
const MAX_DEPTH: u8 = 130;

/// Libraries that arrange others, whose parts have titles of their own.
const CONTAINERS: [&str; 4] =
    ["H5P.Column ", "H5P.Row ", "H5P.CoursePresentation ", "H5P.InteractiveBook "];

/// Titles that the editor gives to parts that nobody has named.
const UNTITLED: [&str; 4] = ["untitled", "sans titre", "ohne titel", "sin título"];

/// The blocks of an exercise. `fields` are those of its library, where the package has it.
///
/// # Errors
///
/// [`ExtractError::Corrupt`] when it is nested deeper than the editor can write.
pub(super) fn blocks_of(
    exercise: &Value,
    fields: Option<Fields>,
    libraries: &mut Libraries<'_>,
) -> Result<Vec<Block>, ExtractError> {
    let mut walk = Walk { libraries, blocks: Vec::new() };
    let field = match fields {
        Some(fields) => Known::As(Field::Group(fields)),
        None => Known::Not,
    };
    walk.value("", exercise, &field, 0)?;
    Ok(walk.blocks)
}

/// What is known of a value.
enum Known {
    As(Field),
    /// Its name must say whether it holds words.
    Not,
}

struct Walk<'l, 'p> {
    libraries: &'l mut Libraries<'p>,
    blocks: Vec<Block>,
}

impl Walk<'_, '_> {
    fn value(
        &mut self,
        name: &str,
        value: &Value,
        known: &Known,
        depth: u8,
    ) -> Result<(), ExtractError> {
        if depth > MAX_DEPTH {
            return Err(ExtractError::corrupt("its content is nested too deeply"));
        }
        let depth = depth + 1;
        if words::is_technical(name) && !matches!(value, Value::Fields(_) if is_library(value)) {
            return Ok(());
        }
        match (value, known) {
            (_, Known::As(Field::NoWords)) => {}
            (Value::Fields(_), _) if is_library(value) => self.library(value, depth)?,
            (Value::Text(text), Known::As(Field::Text) | Known::Not) if name == "title" => {
                self.heading(text);
            }
            (Value::Text(text), Known::As(Field::Text) | Known::Not) => {
                self.blocks.extend(words::blocks_of(text));
            }
            (Value::Fields(fields), known) => self.fields(value, fields, known, depth)?,
            (Value::List(list), known) => {
                let inner = match known {
                    Known::As(Field::List(inner)) => Known::As(Field::clone(inner)),
                    // A group of one list is stored as that list.
                    Known::As(Field::Group(group)) => match group.only() {
                        Some(Field::List(inner)) => Known::As(Field::clone(&inner)),
                        _ => Known::Not,
                    },
                    _ => Known::Not,
                };
                self.list(name, list, &inner, depth)?;
            }
            (Value::Text(_), Known::As(Field::Group(group))) => {
                if let Some(only) = group.only() {
                    self.value(name, value, &Known::As(only), depth)?;
                }
            }
            (Value::Text(_) | Value::Truth(_) | Value::Other, _) => {}
        }
        Ok(())
    }

    fn fields(
        &mut self,
        value: &Value,
        fields: &[(String, Value)],
        known: &Known,
        depth: u8,
    ) -> Result<(), ExtractError> {
        // The title of a picture is the label that shows when one points at it.
        let is_picture = value.get("file").is_some();
        for (name, inner) in fields.iter().filter(|(name, _)| !(is_picture && name == "title")) {
            let field = match known {
                Known::As(Field::Group(group)) => group.field(name),
                _ => None,
            };
            match field {
                Some(field) => self.value(name, inner, &Known::As(field), depth)?,
                None if words::may_hold_words(name) => {
                    self.value(name, inner, &Known::Not, depth)?;
                }
                None => {}
            }
        }
        self.true_or_false(value);
        Ok(())
    }

    fn list(
        &mut self,
        name: &str,
        list: &[Value],
        inner: &Known,
        depth: u8,
    ) -> Result<(), ExtractError> {
        let first_is_right = name == "answers" && list.iter().all(|it| it.as_text().is_some());
        for (at, value) in list.iter().enumerate() {
            if let (true, Some(text)) = (first_is_right, value.as_text()) {
                // A choice of one stores its right answer first.
                self.answer(&words::plain(text), at == 0, &[]);
            } else if let Some(is_right) = value.get("correct") {
                self.answer_of(value, is_right.is_true());
            } else {
                self.value(name, value, inner, depth)?;
            }
        }
        Ok(())
    }

    /// An answer with what is said when it is chosen.
    fn answer_of(&mut self, answer: &Value, is_right: bool) {
        let text = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_text).map(words::plain).unwrap_or_default()
        };
        let words_of = ["text", "answer", "label", "title"].map(|name| text(answer, name));
        let words_of = words_of.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
        let feedback = answer.get("tipsAndFeedback").unwrap_or(answer);
        let said = ["tip", "chosenFeedback", "notChosenFeedback"].map(|name| text(feedback, name));
        self.answer(&words_of, is_right, &said);
    }

    fn answer(&mut self, text: &str, is_right: bool, said: &[String]) {
        let mut text = one_line(text);
        if text.is_empty() {
            return;
        }
        if is_right {
            text.push(' ');
            text.push(CHECK_MARK);
        }
        for line in said.iter().filter(|line| !line.is_empty()) {
            text.push('\n');
            text.push_str(line);
        }
        self.blocks.push(Block::Item { depth: 0, mark: "-".to_owned(), text });
    }

    /// The answer to a statement that is true or false, in the words of its two buttons.
    fn true_or_false(&mut self, question: &Value) {
        let Some(answer) = question.get("correct").and_then(Value::as_text) else { return };
        let labels = question.get("l10n");
        let label = match answer {
            "true" => labels.and_then(|it| it.get("trueText")),
            "false" => labels.and_then(|it| it.get("falseText")),
            _ => return,
        };
        let label = label.and_then(Value::as_text).map_or_else(|| answer.to_owned(), words::plain);
        self.answer(&label, true, &[]);
    }

    fn library(&mut self, value: &Value, depth: u8) -> Result<(), ExtractError> {
        let library = value.get("library").and_then(Value::as_text).unwrap_or_default();
        if CONTAINERS.iter().any(|container| library.starts_with(container)) {
            self.title(value);
        }
        let Some(params) = value.get("params") else { return Ok(()) };
        let known = match self.libraries.named(library) {
            Some(fields) => Known::As(Field::Group(fields)),
            None => Known::Not,
        };
        self.value("", params, &known, depth)
    }

    /// The title of a part, if somebody has given it one.
    fn title(&mut self, part: &Value) {
        let title = part.get("metadata").and_then(|it| it.get("title")).and_then(Value::as_text);
        let title = title.unwrap_or_default();
        let lower = title.trim().to_lowercase();
        if !UNTITLED.iter().any(|untitled| lower.starts_with(untitled)) {
            self.heading(title);
        }
    }

    fn heading(&mut self, title: &str) {
        let text = words::plain(title);
        if !text.is_empty() {
            self.blocks.push(Block::Heading { level: 2, text });
        }
    }
}

/// Whether a value is the content of a library: `{ "library": "H5P.Image 1.1", "params": … }`.
fn is_library(value: &Value) -> bool {
    value.get("library").is_some_and(|it| it.as_text().is_some()) && value.get("params").is_some()
}
