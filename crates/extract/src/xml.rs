//! XML whose vocabulary nobody has told us: exports, feeds, manuals.
//!
//! Elements become the tree that JSON files become as well: a leaf is a value under its name,
//! elements of one name that follow each other are a list, elements amid text are part of the text.
//! Attributes that are words are members. Nothing is expanded or fetched: entities of a document
//! type stand as they are. What is not well-formed is read on as far as it goes and marked damaged.

use ancre_domain::Warning;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::content::Content;
use crate::input::Input;
use crate::records::{self, MAX_NODES, Node};
use crate::{ExtractError, clean, decode, format};

/// Elements that lie deeper lend their text to the last that does not.
const MAX_DEPTH: usize = 128;
/// How far into a document its declaration reaches, in bytes.
const DECLARATION_REACH: usize = 200;
/// Attributes that are for programs.
const TECHNICAL: [&str; 14] = [
    "id", "class", "style", "href", "src", "ref", "uuid", "guid", "rid", "version", "encoding",
    "xmlns", "type", "lang",
];

/// Reads the document.
///
/// # Errors
///
/// [`ExtractError::Binary`], [`ExtractError::TooLarge`].
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let decoded = decode::decode_declared(input.bytes, declared_encoding(input.bytes).as_deref());
    clean::refuse_control_characters(&decoded.text)?;
    let mut content = Content {
        title: Some(format::stem(input.file_name)),
        warnings: decoded.warning().into_iter().collect(),
        encoding: Some(decoded.encoding),
        ..Content::default()
    };
    let (root, is_whole) = Tree::read(&decoded.text)?;
    if let Some(root) = root {
        records::write(root, true, &mut content);
    }
    if !is_whole {
        content.warnings.push(Warning::Partial { pages: Vec::new() });
    }
    Ok(content)
}

/// What `<?xml … encoding="…"?>` says.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let start = bytes.get(..bytes.len().min(DECLARATION_REACH))?;
    let start = String::from_utf8_lossy(start);
    let declaration = start.trim_start_matches('\u{FEFF}').trim_start().strip_prefix("<?xml")?;
    let declaration = declaration.split("?>").next()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    value.get(1..)?.split(quote).next().map(str::to_owned)
}

/// An element that is open.
struct Element {
    name: String,
    attributes: Vec<(String, Node)>,
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Child(String, Node),
}

struct Tree {
    /// The first stands for the document.
    open: Vec<Element>,
    /// How many elements are open below the deepest of these.
    below: usize,
    left: usize,
    is_whole: bool,
}

impl Tree {
    /// What is below the root, and whether it is well-formed.
    fn read(text: &str) -> Result<(Option<Node>, bool), ExtractError> {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let document = Element { name: String::new(), attributes: Vec::new(), parts: Vec::new() };
        let mut tree = Self { open: vec![document], below: 0, left: MAX_NODES, is_whole: true };
        loop {
            match reader.read_event() {
                Ok(Event::Start(start)) => tree.start(&start)?,
                Ok(Event::Empty(start)) => {
                    tree.start(&start)?;
                    tree.end(start.local_name().as_ref());
                }
                Ok(Event::End(end)) => tree.end(end.local_name().as_ref()),
                Ok(Event::Text(text)) => tree.text(&text.xml10_content()),
                Ok(Event::CData(text)) => tree.text(&text.xml10_content()),
                Ok(Event::GeneralRef(entity)) => tree.text(&resolved(&entity)),
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                Ok(Event::Eof) => break,
                Err(_) => {
                    tree.is_whole = false;
                    break;
                }
            }
        }
        tree.is_whole &= tree.open.len() == 1;
        while tree.open.len() > 1 {
            tree.close();
        }
        let document = tree.open.pop().and_then(node_of);
        let root = match document {
            // The name of the root element says what the file is, not what is in it.
            Some(Node::Object(mut members)) if members.len() == 1 => members.pop().map(|it| it.1),
            other => other,
        };
        Ok((root, tree.is_whole))
    }

    fn start(&mut self, start: &BytesStart<'_>) -> Result<(), ExtractError> {
        if self.open.len() > MAX_DEPTH {
            self.below += 1;
            return Ok(());
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes().with_checks(false).flatten() {
            let name: &str = attribute.key.as_ref();
            // Those with a prefix belong to other vocabularies, which are for programs.
            let is_word = !name.contains(':') && !TECHNICAL.contains(&name.to_lowercase().as_str());
            let Ok(value) = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0) else {
                self.is_whole = false;
                continue;
            };
            if is_word && !value.trim().is_empty() {
                attributes.push((name.to_owned(), Node::Text(value.into_owned())));
            }
        }
        self.left =
            self.left.checked_sub(1 + attributes.len()).ok_or_else(|| ExtractError::TooLarge {
                what: "the number of its elements".to_owned(),
                size: "more".to_owned(),
                limit: MAX_NODES.to_string(),
            })?;
        let name = start.local_name().as_ref().to_owned();
        self.open.push(Element { name, attributes, parts: Vec::new() });
        Ok(())
    }

    fn end(&mut self, name: &str) {
        if self.below > 0 {
            self.below -= 1;
            return;
        }
        // An end that nothing began is the misspelt one of the innermost element; one that an inner
        // element lacks ends that too.
        let Some(at) = self.open.iter().skip(1).rposition(|element| element.name == name) else {
            self.is_whole = false;
            if self.open.len() > 2 {
                self.close();
            }
            return;
        };
        self.is_whole &= at + 2 == self.open.len();
        while self.open.len() > at + 1 {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(element) = self.open.pop() else { return };
        let name = element.name.clone();
        if let (Some(node), Some(parent)) = (node_of(element), self.open.last_mut()) {
            parent.parts.push(Part::Child(name, node));
        }
    }

    fn text(&mut self, text: &str) {
        let Some(element) = self.open.last_mut() else { return };
        if let Some(Part::Text(before)) = element.parts.last_mut() {
            before.push_str(text);
        } else {
            element.parts.push(Part::Text(text.to_owned()));
        }
    }
}

/// The character of a reference; of an entity that is not XML's own, the reference.
fn resolved(entity: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = entity.resolve_char_ref() {
        return character.to_string();
    }
    let name = entity.xml10_content();
    quick_xml::escape::resolve_predefined_entity(&name)
        .map_or_else(|| format!("&{name};"), str::to_owned)
}

/// What an element is; `None` when nothing is in it.
fn node_of(element: Element) -> Option<Node> {
    let Element { attributes, parts, .. } = element;
    let is_text = |part: &Part| matches!(part, Part::Text(text) if !text.trim().is_empty());
    let mut members = attributes;
    if parts.iter().any(is_text) {
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text(part) => text.push_str(&part),
                Part::Child(_, node) => flatten(node, &mut text),
            }
        }
        if members.is_empty() {
            return Some(Node::Text(text));
        }
        members.insert(0, (String::new(), Node::Text(text)));
        return Some(Node::Object(members));
    }
    let has_attributes = !members.is_empty();
    for part in parts {
        let Part::Child(name, node) = part else { continue };
        match members.last_mut() {
            Some((last, Node::List(nodes))) if *last == name => nodes.push(node),
            _ => members.push((name, Node::List(vec![node]))),
        }
    }
    for (_, node) in &mut members {
        if let Node::List(nodes) = node
            && nodes.len() == 1
            && let Some(only) = nodes.pop()
        {
            *node = only;
        }
    }
    match members.as_mut_slice() {
        [] => None,
        // An element that only holds a list is that list.
        [(_, Node::List(nodes))] if !has_attributes => Some(Node::List(std::mem::take(nodes))),
        _ => Some(Node::Object(members)),
    }
}

/// The text of what stands amid other text.
fn flatten(node: Node, text: &mut String) {
    match node {
        Node::Text(part) => text.push_str(&part),
        Node::List(nodes) => nodes.into_iter().for_each(|node| {
            flatten(node, text);
            text.push(' ');
        }),
        Node::Object(members) => members.into_iter().for_each(|(_, node)| {
            flatten(node, text);
            text.push(' ');
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::mutations;
    use crate::{Parsed, parse_text};

    fn parsed(text: &str) -> Parsed {
        parse_text(text.as_bytes(), "export.xml").unwrap()
    }

    #[test]
    fn records_are_a_table_and_leaves_are_values() {
        let parsed = parsed(
            "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY bomb \"boom\">]><x:shop xmlns:x=\"u\">\n\
             <town>Lyon &amp; &#233;t&#xE9; &bomb;</town>\n\
             <plans><plan id=\"1\" currency=\"EUR\">Duo</plan><plan currency=\"USD\">Solo</plan></plans>\n\
             <offer><name>A</name><price>1</price></offer><offer><name>B</name><price>2</price></offer>\n\
             <note><![CDATA[a < b]]></note></x:shop>",
        );
        assert_eq!(
            parsed.text,
            "town: Lyon & été &bomb;\n\n## plans\n\n- Duo; currency: EUR\n- Solo; currency: USD\n\n\
             ## offer\n\n- name: A; price: 1\n- name: B; price: 2\n\nnote: a < b\n"
        );
        assert!(parsed.warnings.is_empty());
    }

    #[test]
    fn a_manual_is_headings_and_paragraphs() {
        let parsed = parsed(
            "<article><title>Guide</title><section><title>Returns</title>\
             <para>You have <b>thirty</b> days\n to return it.</para><para>Then it is late.</para>\
             </section><section><title>Delays</title><para>Three days.</para>\
             <section><title>Abroad</title><para>Ten days.</para></section></section></article>",
        );
        assert_eq!(
            parsed.text,
            "# Guide\n\n## Returns\n\nYou have thirty days to return it.\n\nThen it is late.\n\n\
             ## Delays\n\nThree days.\n\n### Abroad\n\nTen days.\n"
        );
        assert_eq!(parsed.title, "Guide");
    }

    #[test]
    fn the_declared_encoding_holds_unless_it_lies() {
        let latin = encoding_rs::WINDOWS_1252;
        let text = "<?xml version='1.0' encoding='ISO-8859-1'?><a><b>½ été</b><c>x</c></a>";
        let parsed = parse_text(&latin.encode(text).0, "a.xml").unwrap();
        assert_eq!(parsed.text, "b: ½ été\nc: x\n");
        let lies = text.replace("ISO-8859-1", "UTF-8");
        let parsed = parse_text(&latin.encode(&lies).0, "a.xml").unwrap();
        assert_eq!(parsed.text, "b: ½ été\nc: x\n");
    }

    #[test]
    fn what_is_not_well_formed_is_read_as_far_as_it_goes() {
        for (text, expected) in [
            ("<a><b>one</b><c>two</c><d>thr", "b: one\nc: two\nd: thr\n"),
            ("<a><b>one</x><c>two</a>", "b: one\nc: two\n"),
            ("<a><b>R&D</b><c>2</c></e></a>", "b: R&D\nc: 2\n"),
        ] {
            let parsed = parsed(text);
            assert_eq!(parsed.text, expected, "{text}");
            assert_eq!(parsed.warnings, [Warning::Partial { pages: Vec::new() }], "{text}");
        }
    }

    #[test]
    fn depth_and_number_of_elements_are_bounded() {
        let deep = format!("{}deep{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(parsed(&deep).text.lines().last(), Some("a: deep"));
        let error = parse_text("<a/>".repeat(MAX_NODES + 1).as_bytes(), "a.xml").unwrap_err();
        assert!(matches!(error, ExtractError::TooLarge { .. }), "{error}");
    }

    #[test]
    fn damaged_xml_is_read_or_refused() {
        let text = "<?xml version='1.0' encoding='UTF-8'?><a b='c'><d>é&amp;</d><!-- x --><e>\
                    <f>1</f><f>2</f></e><![CDATA[y]]>z</a>";
        for damaged in mutations(text.as_bytes(), 500) {
            let _ = parse_text(&damaged, "a.xml");
        }
    }
}
