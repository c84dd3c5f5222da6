//! Every use case once, host-free.
