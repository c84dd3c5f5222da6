//! H5P: the words of an interactive exercise.
//!
//! `content/content.json` mixes what its author wrote with the labels of buttons. The libraries in
//! the package describe their own fields (`semantics.json`): text fields are read, those marked
//! `common` are interface. A package without that description is read by the names of its fields.
//! Answers stand as items under their question, the right ones with a check mark. Pictures, films
//! and settings are left out; a picture's description is read.

mod json;
mod semantics;
mod walk;
mod words;

use crate::ExtractError;
use crate::content::Content;
use crate::decode::decode;
use crate::input::Input;
use crate::package::Package;
use json::Value;
use semantics::Libraries;

/// Reads the document.
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let package = Package::open(input.bytes)?;
    let text = package
        .read("content/content.json")?
        .ok_or_else(|| ExtractError::corrupt("it has no content/content.json"))?;
    let exercise = parsed(&text)?;
    // Without what it says of itself an exercise can still be read.
    let about = package.read("h5p.json")?.and_then(|text| parsed(&text).ok());
    let field = |name: &str| about.as_ref().and_then(|about| about.get(name)?.as_text());
    let mut libraries = Libraries::of(&package);
    let library = field("mainLibrary").and_then(|name| libraries.newest(name));

    let blocks = walk::blocks_of(&exercise, library, &mut libraries)?;
    if blocks.is_empty() {
        return Err(ExtractError::Empty);
    }
    let mut content = Content::default();
    if let Some(title) = field("title").map(words::plain) {
        // Where it is played, its title stands above it.
        content.heading(1, title.as_str());
        content.title = Some(title);
    }
    content.blocks.extend(blocks);
    if package.is_damaged() {
        content.warnings.push(ancre_domain::Warning::Partial { pages: Vec::new() });
    }
    Ok(content)
}

fn parsed(text: &[u8]) -> Result<Value, ExtractError> {
    serde_json::from_str(&decode(text).text).map_err(ExtractError::corrupt)
}

#[cfg(test)]
mod tests;
