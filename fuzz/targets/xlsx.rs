//! Fuzzes the reader of a sheet of a workbook; the package around it is whole.

#![no_main]

#[path = "../reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(&reading::package("a.xlsx", "xl/worksheets/sheet1.xml", bytes), "a.xlsx"));
