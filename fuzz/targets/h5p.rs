//! Fuzzes the reader of the content of an H5P package; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.h5p", "content/content.json", bytes), "a.h5p"));
