//! Fuzzes how numbers of sheets are shown.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ancre_extract::fuzzing::number_format(bytes));
