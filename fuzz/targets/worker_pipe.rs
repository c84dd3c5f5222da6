//! Fuzzes what the application reads from a worker.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ancre_extract::fuzzing::worker_pipe(bytes));
