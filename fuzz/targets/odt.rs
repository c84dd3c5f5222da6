//! Fuzzes the reader of the content of an OpenDocument text; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.odt", "content.xml", bytes), "a.odt"));
