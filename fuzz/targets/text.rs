//! Fuzzes the reader of plain text: encodings, mail and HTML in disguise.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(bytes, "a.txt"));
