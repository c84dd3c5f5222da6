//! What the documents of all office programs have in common, whoever's format they are in: tables
//! with merged cells, numbers of lists, slides and pages, and words that programs write by
//! themselves.

pub(crate) mod grid;
pub(crate) mod headings;
pub(crate) mod known;
pub(crate) mod numerals;
#[cfg(test)]
pub(crate) mod packing;
pub(crate) mod pages;
pub(crate) mod parts;
pub(crate) mod wording;
