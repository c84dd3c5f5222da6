//! Fuzzes the reader of tab-separated values.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(bytes, "a.tsv"));
