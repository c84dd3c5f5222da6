//! Fuzzes the reader of a slide; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.pptx", "ppt/slides/slide1.xml", bytes), "a.pptx"));
