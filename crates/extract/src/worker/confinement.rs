//! What a worker may not do, asked of the system by the worker itself before it reads anything.
//!
//! On Linux: no sockets, no programs, no changes to files (`system_calls`), address space and
//! processor time; and it ends when the application does. On every Unix: processor time, files of
//! no length, no picture of its memory when it crashes. On Windows nothing: there the time by the
//! clock and the size of the answer are the only limits, which the application keeps.

#[cfg(unix)]
pub(super) use unix::{Confinement, resident_bytes};

#[cfg(not(unix))]
pub(super) use elsewhere::{Confinement, resident_bytes};

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;
