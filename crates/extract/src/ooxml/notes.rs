//! Footnotes, endnotes and comments, which stand in parts of their own and are read at the place
//! that refers to them.

use std::collections::HashMap;

use crate::ExtractError;
use crate::office::numerals::Numerals;
use crate::office::parts::Parts;
use crate::office::wording;

use super::inline;
use super::relations::Relations;

/// The notes of a document that were not referred to so far.
#[derive(Debug, Default)]
pub(super) struct Notes {
    footnotes: HashMap<String, String>,
    endnotes: HashMap<String, String>,
    comments: HashMap<String, String>,
    footnote_count: u32,
    endnote_count: u32,
}

impl Notes {
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(super) fn of(parts: &Parts<'_>, relations: &Relations) -> Result<Self, ExtractError> {
        let read = |kind, element: &'static str| notes_of(parts, relations, kind, element);
        let plain = |notes: Vec<(String, Option<String>, String)>| {
            notes.into_iter().map(|(id, _, text)| (id, text)).collect()
        };
        Ok(Self {
            footnotes: plain(read("footnotes", "footnote")?),
            endnotes: plain(read("endnotes", "endnote")?),
            comments: read("comments", "comment")?
                .into_iter()
                .map(|(id, author, text)| (id, wording::comment(author.as_deref(), &text)))
                .collect(),
            footnote_count: 0,
            endnote_count: 0,
        })
    }

    /// A footnote as it stands in the text. A note is told once: what refers to it again shows
    /// nothing.
    pub(super) fn footnote(&mut self, id: &str) -> Option<String> {
        let text = self.footnotes.remove(id)?;
        self.footnote_count = self.footnote_count.saturating_add(1);
        Some(wording::note(&self.footnote_count.to_string(), &text))
    }

    /// An endnote as it stands in the text, with the numerals that tell it from a footnote.
    pub(super) fn endnote(&mut self, id: &str) -> Option<String> {
        let text = self.endnotes.remove(id)?;
        self.endnote_count = self.endnote_count.saturating_add(1);
        Some(wording::note(&Numerals::LowerRoman.write(self.endnote_count), &text))
    }

    /// A comment as it stands after its paragraph.
    pub(super) fn comment(&mut self, id: &str) -> Option<String> {
        self.comments.remove(id)
    }
}

/// Each with its id, its author and its words, blank ones left out.
fn notes_of(
    parts: &Parts<'_>,
    relations: &Relations,
    kind: &str,
    element: &'static str,
) -> Result<Vec<(String, Option<String>, String)>, ExtractError> {
    let Some(part) = relations.of_kind(kind) else { return Ok(Vec::new()) };
    let Some(text) = parts.text(part)? else {
        parts.miss();
        return Ok(Vec::new());
    };
    let tree = parts.tree(&text);
    let notes = tree.root().into_iter().flat_map(|root| root.children_named(element));
    let notes = notes.filter_map(|note| {
        let words = inline::words(note);
        let id = note.attribute("id").filter(|_| !words.trim().is_empty())?;
        Some((id, note.attribute("author"), words))
    });
    Ok(notes.collect())
}
