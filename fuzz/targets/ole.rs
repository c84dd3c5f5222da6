//! Fuzzes the directory of OLE containers.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ancre_extract::fuzzing::ole_container(bytes));
