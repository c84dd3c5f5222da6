//! Stories of the whole product, in one binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

mod architecture;
mod desktop_commands;
mod file_to_draft;
