//! Fuzzes the reader of whole packages: the zip budget and what lies behind it.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(bytes, "a.docx"));
