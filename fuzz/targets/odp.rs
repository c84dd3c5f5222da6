//! Fuzzes the reader of the content of an OpenDocument presentation; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.odp", "content.xml", bytes), "a.odp"));
