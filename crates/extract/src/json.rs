//! JSON, and lines of JSON.
//!
//! Members keep the order of the file, which the usual tree of `serde_json` does not. What is not
//! well-formed is kept as it stands and marked damaged, since a person can read it: a file with
//! comments, or one that was cut off. Nesting is bounded by the parser, at 128.

use std::cell::Cell;
use std::fmt;

use ancre_domain::Warning;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::content::{Block, Content};
use crate::input::Input;
use crate::records::{self, MAX_NODES, Node};
use crate::{ExtractError, clean, decode, format};

/// Reads the document.
///
/// # Errors
///
/// [`ExtractError::Binary`], [`ExtractError::TooLarge`].
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let decoded = decode::decode(input.bytes);
    clean::refuse_control_characters(&decoded.text)?;
    let mut content = Content {
        // The headings are those of its records; the first is not its title.
        title: Some(format::stem(input.file_name)),
        warnings: decoded.warning().into_iter().collect(),
        encoding: Some(decoded.encoding),
        ..Content::default()
    };
    let left = Cell::new(MAX_NODES);
    match parse(&decoded.text, &left) {
        Ok(node) => node.into_iter().for_each(|node| records::write(node, false, &mut content)),
        Err(_) if left.get() == 0 => return Err(too_large()),
        Err(_) => read_lines(&decoded.text, &mut content)?,
    }
    Ok(content)
}

fn parse(text: &str, left: &Cell<usize>) -> Result<Option<Node>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let node = Nodes { left }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(node)
}

/// Reads one document a line; a line that is none stands as it is.
fn read_lines(text: &str, content: &mut Content) -> Result<(), ExtractError> {
    let left = Cell::new(MAX_NODES);
    let (mut nodes, mut broken) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match parse(line, &left) {
            Ok(node @ Some(Node::Object(_) | Node::List(_))) => nodes.extend(node),
            Ok(None) => {}
            Err(_) if left.get() == 0 => return Err(too_large()),
            Ok(Some(_)) | Err(_) => broken.push(line),
        }
    }
    if nodes.len() > broken.len() {
        records::write(Node::List(nodes), false, content);
    } else {
        broken = vec![text];
    }
    if !broken.is_empty() {
        content.blocks.push(Block::Verbatim(broken.join("\n")));
        content.warnings.push(Warning::Partial { pages: Vec::new() });
    }
    Ok(())
}

fn too_large() -> ExtractError {
    ExtractError::TooLarge {
        what: "the number of its values".to_owned(),
        size: "more".to_owned(),
        limit: MAX_NODES.to_string(),
    }
}

/// Builds nodes while there are some left; `None` for what is blank.
#[derive(Clone, Copy)]
struct Nodes<'a> {
    left: &'a Cell<usize>,
}

impl Nodes<'_> {
    fn text<E: serde::de::Error>(self, text: String) -> Result<Option<Node>, E> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| E::custom("too many values"))?;
        self.left.set(left);
        Ok((!text.trim().is_empty()).then_some(Node::Text(text)))
    }
}

impl<'de> DeserializeSeed<'de> for Nodes<'_> {
    type Value = Option<Node>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Node>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_> {
    type Value = Option<Node>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Option<Node>, E> {
        self.text(String::new())
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Option<Node>, E> {
        self.text(value.to_string())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Option<Node>, E> {
        self.text(value.to_string())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Option<Node>, E> {
        self.text(value.to_string())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Option<Node>, E> {
        self.text(value.to_string())
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Option<Node>, E> {
        self.text(value.to_owned())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Option<Node>, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = values.next_element_seed(self)? {
            nodes.extend(node);
        }
        Ok((!nodes.is_empty()).then_some(Node::List(nodes)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut values: A) -> Result<Option<Node>, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = values.next_key::<String>()? {
            if let Some(node) = values.next_value_seed(self)? {
                members.push((name, node));
            }
            if self.left.get() == 0 {
                return Err(A::Error::custom("too many values"));
            }
        }
        Ok((!members.is_empty()).then_some(Node::Object(members)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::mutations;
    use crate::{Parsed, parse_text};

    fn parsed(text: &str) -> Parsed {
        parse_text(text.as_bytes(), "aide.json").unwrap()
    }

    #[test]
    fn members_stand_together_in_their_order_and_objects_have_headings() {
        let parsed = parsed(
            r#"{"zone": "Europe", "active": true, "empty": null, "price": 29.90,
                "shipping": {"delay": 3, "carriers": ["Colissimo", "UPS"], "limits": {"kg": 30}}}"#,
        );
        assert_eq!(
            parsed.text,
            "zone: Europe\nactive: true\nprice: 29.9\n\n## shipping\n\ndelay: 3\n\
             carriers: Colissimo, UPS\n\n### limits\n\nkg: 30\n"
        );
        assert_eq!(parsed.title, "aide");
    }

    #[test]
    fn a_list_of_like_objects_is_a_table() {
        let text =
            parsed(r#"{"plans":[{"name":"Duo","price":29},{"name":"Solo","tags":["a","b"]}]}"#);
        assert_eq!(text.text, "## plans\n\n- name: Duo; price: 29\n- name: Solo; tags: a, b\n");
    }

    #[test]
    fn questions_with_long_answers_are_headings_over_paragraphs() {
        let answer = "You have thirty days to send it back. ".repeat(12);
        let parsed = parsed(&format!(
            r#"{{"title":"Help","items":[{{"question":"Can I return it?","answer":"{answer}"}},
               {{"question":"Where is it?","answer":"On its way."}}]}}"#
        ));
        assert_eq!(
            parsed.text,
            format!(
                "# Help\n\n## Can I return it?\n\nanswer: {}\n\n## Where is it?\n\n\
                 answer: On its way.\n",
                answer.trim()
            )
        );
        assert_eq!(parsed.title, "Help");
    }

    #[test]
    fn lines_of_json_are_one_list() {
        let parsed = parsed("{\"a\":\"x\",\"b\":1}\n\n{\"a\":\"y\",\"b\":2}\n{\"a\":\n");
        assert_eq!(parsed.text, "- a: x; b: 1\n- a: y; b: 2\n\n{\"a\":\n");
        assert_eq!(parsed.warnings, [Warning::Partial { pages: Vec::new() }]);
    }

    #[test]
    fn what_is_not_well_formed_stands_as_it_is() {
        let parsed = parsed("{\n  // the price\n  \"price\": 29\n");
        assert_eq!(parsed.text, "{\n  // the price\n  \"price\": 29\n");
        assert_eq!(parsed.warnings, [Warning::Partial { pages: Vec::new() }]);
        let deep = "[".repeat(100_000);
        assert!(parse_text(deep.as_bytes(), "a.json").is_ok());
    }

    #[test]
    fn a_million_values_are_the_limit() {
        let text = format!("[{}0]", "0,".repeat(MAX_NODES));
        let error = parse_text(text.as_bytes(), "a.json").unwrap_err();
        assert!(matches!(error, ExtractError::TooLarge { .. }), "{error}");
    }

    #[test]
    fn damaged_json_is_read_or_refused() {
        let text = r#"{"a":[{"name":"é€","x":-1.5e3},{"name":"b"}],"c":{"d":[[1],["\u00e9"]]}}"#;
        for damaged in mutations(text.as_bytes(), 500) {
            let _ = parse_text(&damaged, "a.json");
        }
    }
}
