//! Fuzzes the layout of PDF pages: order, running headers, headings, tables, paragraphs.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::check(ancre_extract::fuzzing::pdf_layout(bytes)));
