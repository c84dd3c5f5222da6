//! Fuzzes the reader of Markdown.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(bytes, "a.md"));
