//! HTML: the words of a page, in blocks.
//!
//! A browser's own parser (`scraper`, on html5ever) makes the tree, so that unclosed and misplaced
//! tags mean what they mean in a browser; a walk over it writes headings, paragraphs, lists and
//! tables. What a reader of the page does not see (scripts, hidden parts) or does not read
//! (navigation, buttons) is left out, and so is everything that only looks: styles, links'
//! addresses, pictures. Mail, H5P and EPUB bring their HTML here too.

mod charset;
mod dom;
mod element;
mod grid;
mod line;
mod list;
mod source;
mod table;
mod visibility;
mod writer;

use scraper::Html;

use crate::ExtractError;
use crate::content::{Block, Content, one_line};
use crate::decode::decode_declared;
use crate::input::Input;

/// What a piece of HTML holds.
#[derive(Debug, Default)]
pub(crate) struct HtmlReading {
    /// What its `title` element says, on one line.
    pub(crate) title: Option<String>,
    /// Its blocks, in reading order.
    pub(crate) blocks: Vec<Block>,
}

/// Reads a page.
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let decoded = decode_declared(input.bytes, charset::declared(input.bytes).as_deref());
    crate::clean::refuse_control_characters(&decoded.text)?;
    let reading = blocks_of_html(&decoded.text);
    Ok(Content {
        title: reading.title,
        page_kind: None,
        blocks: reading.blocks,
        warnings: decoded.warning().into_iter().collect(),
        encoding: Some(decoded.encoding),
    })
}

/// Reads HTML, a whole page or a piece of one. Never fails: any text is HTML of some kind.
pub(crate) fn blocks_of_html(html: &str) -> HtmlReading {
    let is_xml = html.trim_start_matches(['\u{FEFF}', ' ', '\r', '\n']).starts_with("<?xml");
    read_source(html, is_xml)
}

/// Reads a page that is XML by its media type, whatever it begins with: there `<title/>` is a whole
/// element, while HTML would take all that follows for the title.
pub(crate) fn read_xhtml(bytes: &[u8]) -> HtmlReading {
    let decoded = decode_declared(bytes, charset::declared(bytes).as_deref());
    read_source(&decoded.text, true)
}

fn read_source(html: &str, is_xml: bool) -> HtmlReading {
    let page = Html::parse_document(&source::prepared(html, is_xml));
    let (title, blocks) = writer::blocks_of(page.tree.root());
    HtmlReading { title: title.map(|title| one_line(&title)), blocks }
}

#[cfg(test)]
mod tests;
