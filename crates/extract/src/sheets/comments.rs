//! What people have remarked on cells. In `.xlsx` it stands in parts of its own that belong to a
//! sheet; whoever answers another is told apart from the note of old. Those of `.xls` and `.xlsb`
//! are not read.

use std::collections::HashMap;

use crate::ExtractError;
use crate::content::Block;
use crate::office::parts::Parts;
use crate::office::wording;
use crate::ooxml::relations::{Relations, main_part};
use crate::package::xml::Element;

/// More remarks on one sheet are data.
const MAX_COMMENTS: usize = 10_000;

/// A remark on a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CellComment {
    /// Such as `B12`.
    pub(super) cell: String,
    pub(super) author: Option<String>,
    pub(super) text: String,
}

impl CellComment {
    /// Its words as a paragraph: `B12 [comment by Zoé: text]`.
    pub(super) fn into_block(self) -> Block {
        let comment = wording::comment(self.author.as_deref(), &self.text);
        Block::Paragraph(format!("{} {comment}", self.cell))
    }
}

/// The remarks of an `.xlsx` by the names of its sheets. What cannot be read is left out: a
/// workbook is good without its remarks.
pub(super) fn of_package(bytes: &[u8]) -> HashMap<String, Vec<CellComment>> {
    read(bytes).unwrap_or_else(|error| {
        tracing::debug!(%error, "the comments of a workbook could not be read");
        HashMap::new()
    })
}

fn read(bytes: &[u8]) -> Result<HashMap<String, Vec<CellComment>>, ExtractError> {
    let parts = Parts::open(bytes)?;
    let mut found = HashMap::new();
    let has_comments = |name: &str| name.to_ascii_lowercase().contains("comment");
    if !parts.names().any(has_comments) {
        return Ok(found);
    }
    let main = main_part(&parts, "xl/workbook.xml")?;
    let relations = Relations::of(&parts, &main)?;
    let Some(text) = parts.text(&main)? else { return Ok(found) };
    let tree = parts.tree(&text);
    let sheets = tree.root().and_then(|root| root.child("sheets"));
    for sheet in sheets.into_iter().flat_map(|sheets| sheets.children_named("sheet")) {
        let id = sheet.prefixed_attribute("id").unwrap_or_default();
        let (Some(name), Some(part)) = (sheet.attribute("name"), relations.target(&id)) else {
            continue;
        };
        let comments = of_sheet(&parts, part)?;
        if !comments.is_empty() {
            found.insert(name, comments);
        }
    }
    Ok(found)
}

fn of_sheet(parts: &Parts<'_>, sheet: &str) -> Result<Vec<CellComment>, ExtractError> {
    let relations = Relations::of(parts, sheet)?;
    let mut comments = Vec::new();
    if let Some(text) = relations.of_kind("comments").map(|part| parts.text(part)).transpose()? {
        let text = text.unwrap_or_default();
        let tree = parts.tree(&text);
        comments.extend(tree.root().into_iter().flat_map(notes));
    }
    if let Some(text) =
        relations.of_kind("threadedComment").map(|part| parts.text(part)).transpose()?
    {
        let text = text.unwrap_or_default();
        let tree = parts.tree(&text);
        let answers = tree.root().into_iter().flat_map(|it| it.children_named("threadedComment"));
        comments.extend(answers.filter_map(|answer| {
            let text = answer.child("text").map(Element::text)?;
            Some(CellComment { cell: answer.attribute("ref")?, author: None, text })
        }));
    }
    comments.retain(|comment| !comment.text.trim().is_empty());
    comments.truncate(MAX_COMMENTS);
    Ok(comments)
}

/// The notes of a part, without those that only stand for an answer in another part.
fn notes(root: Element<'_>) -> Vec<CellComment> {
    let authors = root.child("authors").into_iter().flat_map(|it| it.children_named("author"));
    let authors: Vec<String> = authors.map(Element::text).collect();
    let list = root.child("commentList").into_iter().flat_map(|it| it.children_named("comment"));
    let note = |comment: Element<'_>| {
        let author = comment.attribute("authorId").and_then(|at| at.parse::<usize>().ok());
        let author = author.and_then(|at| authors.get(at)).cloned();
        if author.as_deref().is_some_and(|author| author.starts_with("tc={")) {
            return None;
        }
        let runs = comment.child("text")?.descendants().filter(|it| it.name() == "t");
        let text: String = runs.map(Element::text).collect();
        // Excel writes the author before the note.
        let said =
            author.as_deref().and_then(|author| text.strip_prefix(author)?.strip_prefix(':'));
        let text = said.unwrap_or(&text).to_owned();
        Some(CellComment { cell: comment.attribute("ref")?, author, text })
    };
    list.filter_map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::office::packing::pack;

    #[test]
    fn remarks_belong_to_their_sheet_and_answers_stand_once() {
        let relation = |id: &str, kind: &str, target: &str| {
            format!("<Relationship Id='{id}' Type='http://x/{kind}' Target='{target}'/>")
        };
        let relations = |inside: String| format!("<Relationships>{inside}</Relationships>");
        let main = relations(relation("m", "officeDocument", "xl/workbook.xml"));
        let sheets = relations(relation("r1", "worksheet", "worksheets/sheet1.xml"));
        let own = relations(
            relation("c", "comments", "../comments1.xml")
                + &relation("t", "threadedComment", "../threadedComments/t1.xml"),
        );
        let bytes = pack(&[
            ("_rels/.rels", &main),
            ("xl/_rels/workbook.xml.rels", &sheets),
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name='Tarifs' r:id='r1'/></sheets></workbook>",
            ),
            ("xl/worksheets/sheet1.xml", "<worksheet/>"),
            ("xl/worksheets/_rels/sheet1.xml.rels", &own),
            (
                "xl/comments1.xml",
                "<comments><authors><author>Zoé</author><author>tc={1}</author></authors><commentList>\
                 <comment ref='A2' authorId='0'><text><r><t>Zoé:</t></r><r><t> ferme</t></r></text></comment>\
                 <comment ref='B3' authorId='1'><text><t>[Threaded comment]</t></text></comment>\
                 </commentList></comments>",
            ),
            (
                "xl/threadedComments/t1.xml",
                "<ThreadedComments><threadedComment ref='B3'><text>oui</text></threadedComment></ThreadedComments>",
            ),
        ]);
        let mut found = of_package(&bytes);
        let blocks: Vec<Block> =
            found.remove("Tarifs").unwrap().into_iter().map(CellComment::into_block).collect();
        let paragraph = |text: &str| Block::Paragraph(text.to_owned());
        assert_eq!(
            blocks,
            [paragraph("A2 [comment by Zoé: ferme]"), paragraph("B3 [comment: oui]")]
        );
        assert!(of_package(b"no package").is_empty());
    }
}
