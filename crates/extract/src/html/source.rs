//! What is mended in the source before a browser's parser reads it.
//!
//! That parser has no limit on nesting, and looks through all open elements at nearly each tag: a
//! hundred thousand nested elements would take hours. Browsers stop at a depth too (Blink at 512);
//! here the tags beyond it are taken out, which costs no word.
//! Empty elements of XHTML are closed as HTML closes them. A page that needs nothing of this is
//! not copied.

use std::borrow::Cow;
use std::collections::HashMap;

/// How deep elements may lie in each other.
const MAX_DEPTH: usize = 256;

/// How many of them may be elements of running text: the parser opens each again in every
/// paragraph that follows an unclosed one.
const MAX_FORMATTING: usize = 32;

/// The source with no more than a bounded nesting.
pub(super) fn prepared(html: &str, is_xml: bool) -> Cow<'_, str> {
    let mut mending = Mending { html, is_xml, ..Mending::default() };
    let mut at = 0;
    while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
        at = mending.markup(at + found);
    }
    if mending.mended.is_empty() && mending.copied == 0 {
        return Cow::Borrowed(html);
    }
    mending.mended.push_str(html.get(mending.copied..).unwrap_or_default());
    Cow::Owned(mending.mended)
}

#[derive(Default)]
struct Mending<'a> {
    html: &'a str,
    is_xml: bool,
    mended: String,
    /// How much of the source is already in `mended` or was taken out.
    copied: usize,
    /// The open elements that nothing but their end closes.
    open: Vec<Open>,
    /// How many of each name were taken out and have not ended.
    taken_out: HashMap<String, u32>,
}

struct Open {
    name: String,
    is_formatting: bool,
}

impl Mending<'_> {
    /// Looks at the markup that begins at `start` with `<`; says where to go on.
    fn markup(&mut self, start: usize) -> usize {
        let html = self.html;
        let rest = html.get(start..).unwrap_or_default();
        if rest.starts_with("<!--") {
            return start + rest.find("-->").map_or(rest.len(), |end| end + 3);
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            return start + rest.find('>').map_or(rest.len(), |end| end + 1);
        }
        let is_end = rest.starts_with("</");
        let name_start = if is_end { 2 } else { 1 };
        let name: &str = rest.get(name_start..).unwrap_or_default();
        if !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
            return start + 1;
        }
        let name_end = name.find(|it: char| it.is_ascii_whitespace() || it == '/' || it == '>');
        let name = name.get(..name_end.unwrap_or(name.len())).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let end = start + tag_length(rest.as_bytes());
        let tag = html.get(start..end).unwrap_or_default();
        if is_end {
            self.end_tag(&name, start, end);
            return end;
        }
        let is_empty = tag.ends_with("/>");
        if is_empty && self.is_xml && !is_void(&name) {
            self.copy_up_to(end - 2);
            self.mended.push_str("></");
            self.mended.push_str(&name);
            self.mended.push('>');
            self.copied = end;
            return end;
        }
        if is_raw(&name) {
            // What looks like tags in there is none.
            return end + end_of_raw(html.get(end..).unwrap_or_default(), &name);
        }
        let is_closed =
            is_void(&name) || is_closed_by_the_next(&name) || (is_empty && self.is_in_drawing());
        if !is_closed {
            self.start_tag(name, start, end);
        }
        end
    }

    fn start_tag(&mut self, name: String, start: usize, end: usize) {
        let is_formatting = is_formatting(&name);
        let has_too_many = self.open.len() >= MAX_DEPTH
            || (is_formatting
                && self.open.iter().filter(|it| it.is_formatting).count() >= MAX_FORMATTING);
        if has_too_many {
            self.take_out(start, end, is_formatting);
            *self.taken_out.entry(name).or_default() += 1;
        } else {
            self.open.push(Open { name, is_formatting });
        }
    }

    fn end_tag(&mut self, name: &str, start: usize, end: usize) {
        if let Some(count) = self.taken_out.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            self.take_out(start, end, is_formatting(name));
        } else if let Some(at) = self.open.iter().rposition(|it| it.name == name) {
            if is_formatting(name) {
                // The others go on behind it.
                self.open.remove(at);
            } else {
                self.open.truncate(at);
                self.taken_out.clear();
            }
        }
    }

    /// Whether a drawing or a formula is open, where `/>` closes an element.
    fn is_in_drawing(&self) -> bool {
        self.open.iter().any(|it| it.name == "svg" || it.name == "math")
    }

    fn take_out(&mut self, start: usize, end: usize, is_formatting: bool) {
        self.copy_up_to(start);
        self.copied = end;
        if !is_formatting {
            // Words on both sides of it are two words.
            self.mended.push(' ');
        }
    }

    fn copy_up_to(&mut self, end: usize) {
        self.mended.push_str(self.html.get(self.copied..end).unwrap_or_default());
    }
}

/// The length of the tag at the beginning of `bytes`, in which a quoted value may hold `>`.
fn tag_length(bytes: &[u8]) -> usize {
    let mut quote = None;
    let mut last = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            // A quote that follows no equals sign opens no value.
            (None, b'"' | b'\'') if last == b'=' => quote = Some(*byte),
            (Some(open), byte) if *byte == open => quote = None,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = *byte;
        }
    }
    bytes.len()
}

/// Where the text of a raw element ends.
fn end_of_raw(text: &str, name: &str) -> usize {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find("</")) {
        at += found;
        let after = text.as_bytes().get(at + 2..at + 2 + name.len());
        if after.is_some_and(|after| after.eq_ignore_ascii_case(name.as_bytes())) {
            return at;
        }
        at += 2;
    }
    text.len()
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn is_raw(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "title"
            | "textarea"
            | "xmp"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
    )
}

/// Elements that the next of their kind closes, so that old pages leave them open by thousands.
fn is_closed_by_the_next(name: &str) -> bool {
    matches!(
        name,
        "p" | "li"
            | "dt"
            | "dd"
            | "tr"
            | "td"
            | "th"
            | "thead"
            | "tbody"
            | "tfoot"
            | "colgroup"
            | "option"
            | "optgroup"
            | "rt"
            | "rp"
            | "html"
            | "head"
            | "body"
    )
}

/// The formatting elements of the HTML Standard (13.2.4.2).
fn is_formatting(name: &str) -> bool {
    matches!(
        name,
        "a" | "b"
            | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_page_is_not_touched() {
        let page = "<p>a<p>b<br>c<!-- <div> --><script>if (a<b) '<div>'</script><div title='>'>x";
        assert!(matches!(prepared(page, false), Cow::Borrowed(_)));
    }

    #[test]
    fn tags_beyond_the_limit_go_with_their_ends() {
        let page = format!("{}word{}after", "<div>".repeat(600), "</div>".repeat(600));
        let mended = prepared(&page, false);
        assert_eq!(mended.matches("<div>").count(), MAX_DEPTH);
        assert_eq!(mended.matches("</div>").count(), MAX_DEPTH);
        assert!(mended.contains(" word ") && mended.ends_with("after"));
    }

    #[test]
    fn unclosed_fonts_do_not_swallow_the_end_of_a_table() {
        let page = format!("<table>{}x</table>y", "<font>".repeat(900));
        assert!(prepared(&page, false).ends_with("x</table>y"));
    }

    #[test]
    fn an_empty_element_of_xhtml_is_closed() {
        assert_eq!(
            prepared("<title/><a id=\"x\"/><br/>text", true),
            "<title></title><a id=\"x\"></a><br/>text"
        );
    }
}
