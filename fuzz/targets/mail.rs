//! Fuzzes the reader of mail and its attachments.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(bytes, "a.eml"));
