//! How the parts of a package refer to each other (ECMA-376, part 2, 6.5).
//!
//! A part names others by ids that its `.rels` part resolves. The types of relations differ between
//! the transitional and the strict form in everything but their last word.

use std::collections::HashMap;

use crate::ExtractError;
use crate::office::parts::Parts;
use crate::package::xml::Element;

/// What one part refers to.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    /// Names of parts by the ids of the relations.
    by_id: HashMap<String, String>,
    /// The last words of types (`header`) with names of parts, in order.
    by_kind: Vec<(String, String)>,
}

impl Relations {
    /// The relations of a part; none when it has none. Those that lead out of the package are left
    /// out.
    ///
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(crate) fn of(parts: &Parts<'_>, part: &str) -> Result<Self, ExtractError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{slash}_rels/{file}.rels");
        let Some(text) = parts.text(&name)? else { return Ok(Self::default()) };
        let tree = parts.tree(&text);
        let mut found = Self::default();
        for relation in tree.root().into_iter().flat_map(Element::children) {
            let is_outside = relation.attribute("TargetMode").is_some_and(|it| it == "External");
            let target = relation.attribute("Target").filter(|_| !is_outside);
            let (Some(id), Some(target)) = (relation.attribute("Id"), target) else { continue };
            let kind = relation.attribute("Type").unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let target = resolve(folder, &target);
            found.by_kind.push((kind, target.clone()));
            found.by_id.insert(id, target);
        }
        Ok(found)
    }

    /// The part that an id stands for.
    pub(crate) fn target(&self, id: &str) -> Option<&str> {
        self.by_id.get(id).map(String::as_str)
    }

    /// The first part of this kind.
    pub(crate) fn of_kind(&self, kind: &str) -> Option<&str> {
        self.by_kind.iter().find(|(known, _)| known == kind).map(|(_, target)| target.as_str())
    }
}

/// The main part by the package's own relations, else by its usual name.
///
/// # Errors
///
/// Those of [`Parts::text`].
pub(crate) fn main_part(parts: &Parts<'_>, usual: &str) -> Result<String, ExtractError> {
    let relations = Relations::of(parts, "")?;
    Ok(relations.of_kind("officeDocument").unwrap_or(usual).to_owned())
}

/// The title that the document's properties give.
///
/// # Errors
///
/// Those of [`Parts::text`].
pub(crate) fn core_title(parts: &Parts<'_>) -> Result<Option<String>, ExtractError> {
    let relations = Relations::of(parts, "")?;
    let part = relations.of_kind("core-properties").unwrap_or("docProps/core.xml");
    let Some(text) = parts.text(part)? else { return Ok(None) };
    let tree = parts.tree(&text);
    let title = tree.root().and_then(|root| root.child("title")).map(Element::text);
    Ok(title.filter(|title| !title.trim().is_empty()))
}

/// A target as a name in the package: relative to the folder of the part that names it, unless it
/// begins with `/`.
fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let mut steps: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => folder.split('/').filter(|step| !step.is_empty()).collect(),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_found_from_the_part_that_names_it() {
        assert_eq!(resolve("ppt/slides", "../notesSlides/n1.xml"), "ppt/notesSlides/n1.xml");
        assert_eq!(resolve("word", "/word/./document.xml"), "word/document.xml");
        assert_eq!(resolve("", "../../word/document.xml"), "word/document.xml");
    }
}
