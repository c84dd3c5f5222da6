//! A temporary Ancre for tests.
