//! The limits of a worker on Unix: see the parent module. Those of Linux alone are marked so.

use std::io;

/// The limits under which this process is.
pub(in crate::worker) struct Confinement {
    /// What the program itself takes of the address space, in bytes.
    #[cfg(target_os = "linux")]
    own_address_space: u64,
    unlimited: Vec<String>,
}

/// How many files a worker may have open: a library or two, a font, language data.
const OPEN_FILES: u64 = 64;

impl Confinement {
    /// Limits this process in all that does not depend on the document.
    pub(in crate::worker) fn begin() -> Self {
        let mut unlimited = Vec::new();
        let mut note = |what: &str, result: io::Result<()>| {
            if let Err(error) = result {
                unlimited.push(format!("{what}: {error}"));
            }
        };
        #[cfg(target_os = "linux")]
        {
            note("end with the application", die_with_parent());
            note("no picture of the memory", hide_memory());
            #[cfg(target_env = "gnu")]
            share_one_arena();
        }
        note("no core files", set(libc::RLIMIT_CORE, 0));
        note("no files written", set(libc::RLIMIT_FSIZE, 0));
        note("few open files", set(libc::RLIMIT_NOFILE, OPEN_FILES));
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        note("system calls", crate::worker::system_calls::restrict().map_err(io::Error::other));
        Self {
            #[cfg(target_os = "linux")]
            own_address_space: memory_pages(0).unwrap_or(0),
            unlimited,
        }
    }

    /// What could not be limited, in words for the log.
    pub(in crate::worker) fn unlimited(&self) -> &[String] {
        &self.unlimited
    }

    /// Limits what the next document may take: memory, and processor time from now on.
    pub(in crate::worker) fn limit(&self, memory_bytes: u64, cpu_seconds: u32) {
        #[cfg(target_os = "linux")]
        {
            // The second time it is there already, and lower than what is asked at most.
            let _ = set(libc::RLIMIT_AS, self.own_address_space.saturating_add(memory_bytes));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = memory_bytes;
        self.limit_cpu(cpu_seconds);
    }

    /// Limits the processor time from now on.
    pub(in crate::worker) fn limit_cpu(&self, seconds: u32) {
        let limit = used_cpu_seconds().saturating_add(u64::from(seconds)).saturating_add(1);
        // Only the soft one, which has to move on; the clock on the wall is what a worker
        // cannot set.
        let _ = set_soft(libc::RLIMIT_CPU, limit);
    }
}

/// The memory that this process holds, in bytes.
pub(in crate::worker) fn resident_bytes() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return memory_pages(1);
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
type Resource = libc::c_int;

/// For good: the process cannot lift it again.
fn set(resource: Resource, limit: u64) -> io::Result<()> {
    let hard = limits_of(resource)?.rlim_max;
    let limit = limit.min(hard);
    write_limits(resource, &libc::rlimit { rlim_cur: limit, rlim_max: limit })
}

fn set_soft(resource: Resource, limit: u64) -> io::Result<()> {
    let hard = limits_of(resource)?.rlim_max;
    write_limits(resource, &libc::rlimit { rlim_cur: limit.min(hard), rlim_max: hard })
}

fn limits_of(resource: Resource) -> io::Result<libc::rlimit> {
    let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limits` is a valid place for the answer and outlives the call.
    #[allow(unsafe_code)]
    result_of(unsafe { libc::getrlimit(resource, &raw mut limits) })?;
    Ok(limits)
}

fn write_limits(resource: Resource, limits: &libc::rlimit) -> io::Result<()> {
    // SAFETY: `limits` is valid for the call, which only reads it.
    #[allow(unsafe_code)]
    result_of(unsafe { libc::setrlimit(resource, limits) })
}

fn used_cpu_seconds() -> u64 {
    // SAFETY: numbers and arrays of numbers may be zero, and `usage` outlives the call, which
    // fills it.
    #[allow(unsafe_code)]
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    u64::try_from(usage.ru_utime.tv_sec.saturating_add(usage.ru_stime.tv_sec)).unwrap_or(0)
}

fn result_of(code: libc::c_int) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(target_os = "linux")]
fn die_with_parent() -> io::Result<()> {
    // SAFETY: only numbers pass.
    #[allow(unsafe_code)]
    result_of(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) })
}

/// A system may hand the memory of what crashed to a program of its own, whatever the limit on
/// core files, and the memory is somebody's document.
#[cfg(target_os = "linux")]
fn hide_memory() -> io::Result<()> {
    // SAFETY: only numbers pass.
    #[allow(unsafe_code)]
    result_of(unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0) })
}

/// Each further arena would take 64 MiB of the address space before its first byte is used.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn share_one_arena() {
    // SAFETY: only numbers pass, and no other thread allocates yet.
    #[allow(unsafe_code)]
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// A column of `/proc/self/statm` in bytes: 0 is the address space, 1 the resident memory.
#[cfg(target_os = "linux")]
fn memory_pages(column: usize) -> Option<u64> {
    let table = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = table.split_whitespace().nth(column)?.parse().ok()?;
    // SAFETY: only numbers pass.
    #[allow(unsafe_code)]
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.checked_mul(u64::try_from(page_bytes).ok()?)
}
