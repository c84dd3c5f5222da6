//! Nested data, of JSON or XML, as a text that answers questions.
//!
//! What a person would do with a data file: members of one object stand together as `name: value`
//! lines; a list of like objects is a table; an object with a title has it as a heading, with the
//! rest below; long texts are paragraphs. Names are kept as they are, because people search for
//! them.

use std::sync::Arc;

use crate::content::{Block, Content, one_line};

/// Nothing blank is in it: builders leave that out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Text(String),
    List(Vec<Node>),
    /// Members in their order; a name may be there twice, or be blank.
    Object(Vec<(String, Node)>),
}

/// How many values and members of a document are read.
pub(crate) const MAX_NODES: usize = 1_000_000;

/// A longer value is a text, in characters.
const LONG: usize = 200;
/// An object with more characters is no row of a table.
const MAX_ROW: usize = 400;
/// A longer path of names is no heading, in characters.
const MAX_PATH: usize = 60;
const MAX_COLUMNS: usize = 50;
/// A list of that many short values stands on one line.
const MAX_INLINE: usize = 12;

/// Members that title their object, the best first.
const TITLES: [&str; 12] = [
    "title", "titre", "question", "name", "nom", "subject", "sujet", "heading", "label", "libelle",
    "libellé", "term",
];
/// Elements whose names say only that they are text.
const PROSE: [&str; 10] =
    ["", "p", "para", "simpara", "text", "texte", "content", "contenu", "body", "description"];

/// Writes the document below `root` into `content`.
pub(crate) fn write(root: Node, is_markup: bool, content: &mut Content) {
    let mut writer = RecordWriter { content, is_markup };
    match root {
        Node::Object(mut members) => {
            if let Some(title) = take_title(&mut members) {
                writer.content.title = Some(title.clone());
                writer.content.heading(1, title);
            }
            writer.members(members, 2);
        }
        node => writer.member("", node, 2),
    }
}

struct RecordWriter<'a> {
    content: &'a mut Content,
    /// Whether names are those of elements, which are often mere structure.
    is_markup: bool,
}

impl RecordWriter<'_> {
    fn members(&mut self, members: Vec<(String, Node)>, level: u8) {
        let mut lines = String::new();
        for (name, node) in members {
            match inline(&node) {
                Some(value) if !(self.is_markup && is_prose(&name)) => {
                    if !lines.is_empty() {
                        lines.push('\n');
                    }
                    lines.push_str(&labelled(&name, &value));
                }
                _ => {
                    self.content.paragraph(std::mem::take(&mut lines));
                    self.member(&name, node, level);
                }
            }
        }
        self.content.paragraph(lines);
    }

    fn member(&mut self, name: &str, node: Node, level: u8) {
        let label = if self.is_markup && is_prose(name) { "" } else { name };
        match node {
            Node::Text(text) if self.is_markup => {
                self.content.paragraph(labelled(label, &one_line(&text)));
            }
            Node::Text(text) => self.content.paragraph(labelled(label, text.trim())),
            Node::List(nodes) => self.list(label, nodes, level),
            // What only holds something else shares its heading.
            Node::Object(mut members)
                if members.len() == 1 && members.iter().all(|(_, node)| inline(node).is_none()) =>
            {
                let Some((inner, node)) = members.pop() else { return };
                let joined = format!("{label}.{inner}");
                let is_short = !label.is_empty() && joined.chars().count() <= MAX_PATH;
                self.member(if is_short { &joined } else { &inner }, node, level);
            }
            Node::Object(mut members) => {
                let title = if self.is_markup { take_title(&mut members) } else { None };
                self.content.heading(level, title.unwrap_or_else(|| label.to_owned()));
                self.members(members, level.saturating_add(1));
            }
        }
    }

    fn list(&mut self, label: &str, nodes: Vec<Node>, level: u8) {
        if let Some(columns) = columns_of(&nodes) {
            self.content.heading(level, label);
            self.table(&columns, nodes);
            return;
        }
        let is_text = |node: &Node| matches!(node, Node::Text(_));
        // Paragraphs of a text are no list.
        let is_prose = self.is_markup && label.is_empty();
        if !is_prose && nodes.iter().all(is_text) {
            self.content.paragraph(if label.is_empty() {
                String::new()
            } else {
                format!("{label}:")
            });
        } else if !nodes.iter().all(is_text) && nodes.iter().any(|node| !has_title(node)) {
            self.content.heading(level, label);
        }
        for node in nodes {
            match node {
                Node::Text(text) if is_prose => self.content.paragraph(one_line(&text)),
                Node::Text(text) => self.content.blocks.push(Block::Item {
                    depth: 0,
                    mark: "-".to_owned(),
                    text: text.trim().to_owned(),
                }),
                Node::List(nodes) => self.list("", nodes, level.saturating_add(1)),
                Node::Object(mut members) => {
                    if let Some(title) = take_title(&mut members) {
                        self.content.heading(level, title);
                    }
                    self.members(members, level.saturating_add(1));
                }
            }
        }
    }

    fn table(&mut self, columns: &[String], nodes: Vec<Node>) {
        let header: Arc<[String]> = columns.into();
        for node in nodes {
            let Node::Object(members) = node else { continue };
            let mut cells = vec![String::new(); columns.len()];
            for (name, node) in members {
                let column = columns.iter().position(|column| *column == name);
                if let Some(cell) = column.and_then(|at| cells.get_mut(at)) {
                    *cell = inline(&node).unwrap_or_default();
                }
            }
            self.content.blocks.push(Block::Row { header: Arc::clone(&header), cells });
        }
    }
}

/// The names of all members, when these nodes can be the rows of a table.
fn columns_of(nodes: &[Node]) -> Option<Vec<String>> {
    if nodes.len() < 2 {
        return None;
    }
    let mut columns: Vec<String> = Vec::new();
    for node in nodes {
        let Node::Object(members) = node else { return None };
        let mut length = 0;
        for (at, (name, node)) in members.iter().enumerate() {
            length += name.chars().count() + inline(node)?.chars().count();
            if members.iter().take(at).any(|(other, _)| other == name) {
                return None;
            }
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        if length > MAX_ROW || columns.len() > MAX_COLUMNS {
            return None;
        }
    }
    Some(columns)
}

/// A value that fits on a line with its name.
fn inline(node: &Node) -> Option<String> {
    match node {
        Node::Text(text) => {
            let is_short = text.len() <= LONG * 4 && text.chars().count() <= LONG;
            (is_short && !text.trim().contains('\n')).then(|| one_line(text))
        }
        Node::List(nodes) if nodes.len() <= MAX_INLINE => {
            let texts: Option<Vec<String>> = nodes
                .iter()
                .map(|node| if matches!(node, Node::Text(_)) { inline(node) } else { None })
                .collect();
            texts.map(|texts| texts.join(", ")).filter(|line| line.chars().count() <= LONG)
        }
        Node::List(_) | Node::Object(_) => None,
    }
}

fn labelled(label: &str, value: &str) -> String {
    if label.is_empty() { value.to_owned() } else { format!("{label}: {value}") }
}

fn is_prose(name: &str) -> bool {
    PROSE.contains(&name.to_lowercase().as_str())
}

fn title_of(members: &[(String, Node)]) -> Option<usize> {
    // An object that has nothing else is no section.
    if members.len() < 2 {
        return None;
    }
    TITLES.iter().find_map(|title| {
        members.iter().position(|(name, node)| {
            name.to_lowercase() == *title && matches!(node, Node::Text(_)) && inline(node).is_some()
        })
    })
}

fn has_title(node: &Node) -> bool {
    matches!(node, Node::Object(members) if title_of(members).is_some())
}

fn take_title(members: &mut Vec<(String, Node)>) -> Option<String> {
    let at = title_of(members)?;
    inline(&members.remove(at).1)
}
