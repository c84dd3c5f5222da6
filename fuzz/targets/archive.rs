//! Fuzzes the unpacking of archives.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::unpack(bytes));
