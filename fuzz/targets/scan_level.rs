//! Fuzzes the levelling of scans.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ancre_extract::fuzzing::scan_level(bytes));
