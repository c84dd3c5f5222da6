//! Fuzzes the reader of the content of an OpenDocument spreadsheet; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.ods", "content.xml", bytes), "a.ods"));
