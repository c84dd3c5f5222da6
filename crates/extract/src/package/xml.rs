//! The XML of packages, read into a tree that borrows from the text.
//!
//! Office documents refer forwards and backwards, so their parsers walk a tree. It is kept small
//! (one flat list in document order), its depth and size are bounded, and it is tolerant: damage
//! ends it, and what came before stays. Namespace prefixes are left out, because producers choose
//! them freely. Document type definitions are skipped, so no entity is ever expanded but the five
//! of XML and characters by number.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::utf16;

/// Deeper than any office program nests, and shallow enough for walks that call themselves.
const MAX_DEPTH: usize = 256;

/// The most nodes of a tree; about 200 MiB of memory.
const MAX_NODES: usize = 4_000_000;

/// The characters of a part, by its byte-order mark, else by what its declaration says, else UTF-8.
/// What is not of the encoding becomes U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let (encoding, mark_length) =
        Encoding::for_bom(bytes).unwrap_or_else(|| (declared(bytes).unwrap_or(UTF_8), 0));
    encoding.decode_without_bom_handling(bytes.get(mark_length..).unwrap_or_default()).0
}

fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    // `<` in one of two bytes can only be UTF-16.
    if bytes.starts_with(b"<\0") || bytes.starts_with(b"\0<") {
        return utf16::without_mark(bytes);
    }
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let end = declaration.iter().take(200).position(|byte| *byte == b'>')?;
    let declaration = std::str::from_utf8(declaration.get(..end)?).ok()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let label = value.get(1..)?.split(quote).next()?;
    // A text that can be read so far is not in UTF-16, whatever it declares.
    Encoding::for_label(label.as_bytes()).map(Encoding::output_encoding)
}

/// The elements and texts of a part.
#[derive(Debug)]
pub(crate) struct Tree<'t> {
    nodes: Vec<Node<'t>>,
    damage: Option<String>,
}

#[derive(Debug)]
struct Node<'t> {
    kind: Kind<'t>,
    /// The node after the last one inside.
    end: u32,
}

#[derive(Debug)]
enum Kind<'t> {
    Element(BytesStart<'t>),
    Text(Cow<'t, str>),
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Element<'t> {
    tree: &'t Tree<'t>,
    start: &'t BytesStart<'t>,
    at: u32,
}

/// What an element holds.
#[derive(Clone, Copy)]
pub(crate) enum Child<'t> {
    Element(Element<'t>),
    Text(&'t str),
}

impl<'t> Tree<'t> {
    /// Reads as much as can be read: see [`Self::damage`].
    pub(crate) fn of(text: &'t str) -> Self {
        let mut tree = Self { nodes: Vec::new(), damage: None };
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let mut open: Vec<usize> = Vec::new();
        loop {
            if tree.nodes.len() >= MAX_NODES {
                tree.damage_at(&reader, "it has too many elements");
                break;
            }
            match reader.read_event() {
                Ok(Event::Start(start)) => {
                    if open.len() >= MAX_DEPTH {
                        tree.damage_at(&reader, "its elements are nested too deeply");
                        break;
                    }
                    open.push(tree.nodes.len());
                    tree.push(Kind::Element(start));
                }
                Ok(Event::Empty(start)) => tree.push(Kind::Element(start)),
                Ok(Event::End(end)) => {
                    let is_same = |at: &usize| {
                        matches!(tree.nodes.get(*at), Some(Node { kind: Kind::Element(start), .. })
                            if start.name() == end.name())
                    };
                    let depth = open.iter().rposition(is_same);
                    if depth != open.len().checked_sub(1) {
                        tree.damage_at(&reader, "an end does not fit its beginning");
                    }
                    // An end without a beginning is left out.
                    for at in depth.map(|depth| open.split_off(depth)).unwrap_or_default() {
                        tree.close(at);
                    }
                }
                Ok(Event::Text(text)) => tree.push(Kind::Text(text.into_inner())),
                Ok(Event::CData(text)) => tree.push(Kind::Text(text.into_inner())),
                Ok(Event::GeneralRef(reference)) => tree.push(Kind::Text(resolve(&reference))),
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                Ok(Event::Eof) => {
                    if !open.is_empty() {
                        tree.damage_at(&reader, "it ends in the middle");
                    }
                    break;
                }
                Err(error) => {
                    tree.damage_at(&reader, error);
                    break;
                }
            }
        }
        for at in open {
            tree.close(at);
        }
        tree
    }

    /// What is damaged and where, in a few words; `None` when the part is whole.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// The outermost element.
    pub(crate) fn root(&'t self) -> Option<Element<'t>> {
        (0..self.nodes.len()).find_map(|at| self.element(u32::try_from(at).ok()?))
    }

    fn element(&'t self, at: u32) -> Option<Element<'t>> {
        match &self.nodes.get(at as usize)?.kind {
            Kind::Element(start) => Some(Element { tree: self, start, at }),
            Kind::Text(_) => None,
        }
    }

    fn end_of(&self, at: u32) -> u32 {
        self.nodes.get(at as usize).map_or(at + 1, |node| node.end.max(at + 1))
    }

    fn push(&mut self, kind: Kind<'t>) {
        let end = self.length() + 1;
        self.nodes.push(Node { kind, end });
    }

    fn close(&mut self, at: usize) {
        let end = self.length();
        if let Some(node) = self.nodes.get_mut(at) {
            node.end = end;
        }
    }

    fn length(&self) -> u32 {
        // Far below by MAX_NODES.
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX - 1)
    }

    /// The first damage is the one that is told.
    fn damage_at(&mut self, reader: &Reader<&[u8]>, what: impl std::fmt::Display) {
        self.damage.get_or_insert_with(|| format!("{what} (at byte {})", reader.buffer_position()));
    }
}

/// The text of a reference; one that is not XML's own stays as it is written.
fn resolve<'t>(reference: &BytesRef<'t>) -> Cow<'t, str> {
    if reference.is_char_ref() {
        let character = reference.resolve_char_ref().ok().flatten().unwrap_or('\u{FFFD}');
        return Cow::Owned(character.to_string());
    }
    match quick_xml::escape::resolve_predefined_entity(reference) {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(format!("&{};", &**reference)),
    }
}

impl<'t> Element<'t> {
    /// Its name without prefix.
    pub(crate) fn name(self) -> &'t str {
        let name = self.start.name().0;
        name.split_once(':').map_or(name, |(_, local)| local)
    }

    /// The value of its attribute of this name, whatever the prefix.
    pub(crate) fn attribute(self, name: &str) -> Option<String> {
        self.attribute_where(|prefix, local| local == name && prefix != Some("xmlns"))
    }

    /// The value of its attribute of this name that has a prefix: `r:id`, beside which there may
    /// be an `id`.
    pub(crate) fn prefixed_attribute(self, name: &str) -> Option<String> {
        self.attribute_where(|prefix, local| {
            local == name && prefix.is_some_and(|prefix| prefix != "xmlns")
        })
    }

    fn attribute_where(self, is_wanted: impl Fn(Option<&str>, &str) -> bool) -> Option<String> {
        let mut attributes = self.start.attributes();
        let found = attributes.with_checks(false).flatten().find(|attribute| {
            let name = attribute.key.0;
            match name.split_once(':') {
                Some((prefix, local)) => is_wanted(Some(prefix), local),
                None => is_wanted(None, name),
            }
        })?;
        let value = found.normalized_value(quick_xml::XmlVersion::Implicit1_0);
        Some(value.map_or_else(|_| found.value.to_string(), Cow::into_owned))
    }

    /// What it holds, in order.
    pub(crate) fn content(self) -> impl Iterator<Item = Child<'t>> {
        let end = self.tree.end_of(self.at);
        let mut next = self.at + 1;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let at = next;
            next = self.tree.end_of(at);
            Some(match &self.tree.nodes.get(at as usize)?.kind {
                Kind::Element(start) => Child::Element(Self { tree: self.tree, start, at }),
                Kind::Text(text) => Child::Text(text),
            })
        })
    }

    /// The elements it holds, in order.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        self.content().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    /// The elements of this name that it holds.
    pub(crate) fn children_named(self, name: &'static str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.name() == name)
    }

    /// The first element of this name that it holds.
    pub(crate) fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }

    /// The elements inside it at any depth, in the document's order.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> {
        (self.at + 1..self.tree.end_of(self.at)).filter_map(move |at| self.tree.element(at))
    }

    /// The first element of this name inside it, at any depth.
    pub(crate) fn descendant(self, name: &str) -> Option<Self> {
        self.descendants().find(|element| element.name() == name)
    }

    /// All text inside it.
    pub(crate) fn text(self) -> String {
        let nodes = self.at as usize + 1..self.tree.end_of(self.at) as usize;
        let nodes = self.tree.nodes.get(nodes).unwrap_or_default();
        nodes
            .iter()
            .filter_map(|node| match &node.kind {
                Kind::Text(text) => Some(text.as_ref()),
                Kind::Element(_) => None,
            })
            .collect()
    }
}
