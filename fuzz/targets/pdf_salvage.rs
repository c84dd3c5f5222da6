//! Fuzzes the search for objects in a PDF that was cut off.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ancre_extract::fuzzing::pdf_salvage(bytes));
