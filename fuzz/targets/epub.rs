//! Fuzzes the reader of a chapter of an EPUB book; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.epub", "chapter.xhtml", bytes), "a.epub"));
