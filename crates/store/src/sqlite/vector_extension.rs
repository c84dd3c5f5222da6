//! sqlite-vec, linked statically and switched on for one connection at a time.
//!
//! The only unsafe code of the crate. Registering per connection, instead of through
//! `sqlite3_auto_extension`, leaves other users of SQLite in the same process alone.

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use rusqlite::{Connection, ffi};

/// How SQLite calls an extension's entry point.
type EntryPoint = unsafe extern "C" fn(
    *mut ffi::sqlite3,
    *mut *mut c_char,
    *const ffi::sqlite3_api_routines,
) -> c_int;

/// Gives `connection` the module `vec0` and the functions `vec_…`.
#[allow(unsafe_code, reason = "a C library's entry point can be called in no other way")]
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    // SAFETY: sqlite-vec is compiled with SQLITE_CORE, so `sqlite3_vec_init` has the signature of
    // every extension's entry point (the crate declares it without parameters) and uses the
    // SQLite that is linked here, never the routines table, which may therefore be null. The
    // handle is open for the whole call, since `connection` is borrowed; an error text that comes
    // back was allocated by SQLite and is freed once, here.
    unsafe {
        let entry_point =
            std::mem::transmute::<*const (), EntryPoint>(sqlite_vec::sqlite3_vec_init as *const ());
        let mut text: *mut c_char = ptr::null_mut();
        let code = entry_point(connection.handle(), &raw mut text, ptr::null());
        if code == ffi::SQLITE_OK {
            return Ok(());
        }
        let message = (!text.is_null()).then(|| {
            let copy = CString::from(std::ffi::CStr::from_ptr(text));
            ffi::sqlite3_free(text.cast());
            copy.to_string_lossy().into_owned()
        });
        Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), message))
    }
}
