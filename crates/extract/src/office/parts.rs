//! The parts of an office document, read one by one, with a memory of what was damaged.

use std::cell::Cell;

use ancre_domain::Warning;

use crate::ExtractError;
use crate::package::Package;
use crate::package::xml::{Tree, decode};

/// A package whose parts are XML.
pub(crate) struct Parts<'a> {
    package: Package<'a>,
    is_damaged: Cell<bool>,
}

impl<'a> Parts<'a> {
    /// Opens a document.
    ///
    /// # Errors
    ///
    /// Those of [`Package::open`].
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ExtractError> {
        Ok(Self { package: Package::open(bytes)?, is_damaged: Cell::new(false) })
    }

    /// The names of all parts.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.package.names()
    }

    /// The characters of a part; `None` when it is missing or lost.
    ///
    /// # Errors
    ///
    /// Those of [`Package::read`].
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, ExtractError> {
        Ok(self.package.read(name)?.map(|bytes| decode(&bytes).into_owned()))
    }

    /// The tree of a part's text; remembers when it is damaged.
    pub(crate) fn tree<'t>(&self, text: &'t str) -> Tree<'t> {
        let tree = Tree::of(text);
        if let Some(damage) = tree.damage() {
            tracing::debug!(damage, "a part of a document is damaged");
            self.is_damaged.set(true);
        }
        tree
    }

    /// Remembers that a part is missing that should be there.
    pub(crate) fn miss(&self) {
        self.is_damaged.set(true);
    }

    /// Whether a part, or a piece of one, was lost so far.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.get() || self.package.is_damaged()
    }

    /// What to say of the damage, if there is any; `pages` are those known to be lost.
    pub(crate) fn warning(&self, pages: Vec<u32>) -> Option<Warning> {
        (self.is_damaged() || !pages.is_empty()).then_some(Warning::Partial { pages })
    }
}
