//! Fuzzes the reader of the main part of a Word document; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.docx", "word/document.xml", bytes), "a.docx"));
