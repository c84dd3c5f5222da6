//! The system calls that a worker is refused, by a seccomp filter of its own making.
//!
//! No socket, no other program or process, nothing written, deleted or renamed. Reading files
//! stays possible, because PDFium, Tesseract and its language data are loaded when first needed.
//! So a document that takes a worker over can read what the person can read and tell it to nobody
//! but the application, as text of this document. Refusals are errors (`EPERM`), not the death of
//! the process: libraries try such things and do without.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, sock_filter,
};

/// Refuses from now on what is on the lists below, to this thread and those it will start.
///
/// # Errors
///
/// What the system says, in words; then nothing, or only some, is refused.
pub(super) fn restrict() -> Result<(), String> {
    let filters = filters().map_err(|error| error.to_string())?;
    for filter in &filters {
        seccompiler::apply_filter(filter).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Refused whatever the arguments.
const REFUSED: &[c_long] = &[
    // The network and every other conversation.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // Asks the kernel for any of the others behind the filter's back.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Programs and processes.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_tkill,
    libc::SYS_kcmp,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Files.
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_mkdirat,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_mknodat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_open_by_handle_at,
    // The machine.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
];

/// Not everywhere in `libc`; as with every call of its age, the number is the same everywhere.
const FCHMODAT2: c_long = 452;

/// The older forms, which newer architectures do without.
#[cfg(target_arch = "x86_64")]
const REFUSED_OLD: &[c_long] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_creat,
    libc::SYS_unlink,
    libc::SYS_rmdir,
    libc::SYS_rename,
    libc::SYS_mkdir,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_mknod,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OLD: &[c_long] = &[];

/// Said not to exist, so that the C library falls back to the form whose arguments a filter sees:
/// these have theirs in memory.
const ABSENT: &[c_long] = &[libc::SYS_clone3, libc::SYS_openat2];

/// The newest call that these lists have judged; later ones are said not to exist. On x86-64 that
/// includes the numbers of its x32 variant.
const LAST_KNOWN: c_long = libc::SYS_mseal;

fn filters() -> Result<Vec<BpfProgram>, BackendError> {
    let architecture: TargetArch = std::env::consts::ARCH.try_into()?;
    let absent = ABSENT.iter().map(|call| (*call, Vec::new())).collect();
    let filter = |rules, errno: i32| {
        let action = SeccompAction::Errno(errno.unsigned_abs());
        SeccompFilter::new(rules, SeccompAction::Allow, action, architecture)?.try_into()
    };
    Ok(vec![only_known(), filter(absent, libc::ENOSYS)?, filter(refused()?, libc::EPERM)?])
}

fn refused() -> Result<BTreeMap<i64, Vec<SeccompRule>>, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().chain(REFUSED_OLD).map(|call| (*call, Vec::new())).collect();
    // Of `clone` only what makes a thread is left.
    rules.insert(libc::SYS_clone, vec![when(0, masked(libc::CLONE_THREAD), 0)?]);
    rules.insert(libc::SYS_openat, writing(2)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, writing(1)?);
    // Signals to itself are how a process aborts; limits of others are none of its business.
    let own = u64::from(std::process::id());
    rules.insert(libc::SYS_kill, vec![when(0, SeccompCmpOp::Ne, own)?]);
    rules.insert(libc::SYS_tgkill, vec![when(0, SeccompCmpOp::Ne, own)?]);
    rules.insert(
        libc::SYS_prlimit64,
        vec![SeccompRule::new(vec![
            condition(0, SeccompCmpOp::Ne, 0)?,
            condition(0, SeccompCmpOp::Ne, own)?,
        ])?],
    );
    // Both put keystrokes into the terminal that Ancre was started from.
    rules.insert(
        libc::SYS_ioctl,
        vec![when(1, SeccompCmpOp::Eq, TIOCSTI)?, when(1, SeccompCmpOp::Eq, TIOCLINUX)?],
    );
    Ok(rules)
}

/// `TIOCSTI(2const)`.
const TIOCSTI: u64 = 0x5412;

/// `ioctl_console(2)`.
const TIOCLINUX: u64 = 0x541C;

/// The flags of `open`, at `argument`, that are about more than reading.
fn writing(argument: u8) -> Result<Vec<SeccompRule>, BackendError> {
    [
        (libc::O_ACCMODE, libc::O_WRONLY),
        (libc::O_ACCMODE, libc::O_RDWR),
        (libc::O_ACCMODE, libc::O_ACCMODE),
        (libc::O_CREAT, libc::O_CREAT),
        (libc::O_TRUNC, libc::O_TRUNC),
    ]
    .into_iter()
    .map(|(mask, flag)| when(argument, masked(mask), u64::from(flag.unsigned_abs())))
    .collect()
}

fn masked(mask: i32) -> SeccompCmpOp {
    SeccompCmpOp::MaskedEq(u64::from(mask.unsigned_abs()))
}

fn when(argument: u8, comparison: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![condition(argument, comparison, value)?])
}

/// All arguments compared here are 32 bits wide; the kernel does not look at the others, so a
/// filter must not either.
fn condition(
    argument: u8,
    comparison: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, value)
}

/// `ENOSYS` for each call after [`LAST_KNOWN`], which no rule of the crate can say. Its other
/// filters see to the architecture.
fn only_known() -> BpfProgram {
    const LOAD_NUMBER: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS; the number is at offset 0.
    const JUMP_IF_GREATER: u16 = 0x25; // BPF_JMP | BPF_JGT | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let last_known = u32::try_from(LAST_KNOWN).unwrap_or(u32::MAX);
    vec![
        instruction(LOAD_NUMBER, 0, 0, 0),
        instruction(JUMP_IF_GREATER, 0, 1, last_known),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs()),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File, OpenOptions};
    use std::io::{self, ErrorKind};
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::unix::net::UnixStream;
    use std::process::Command;
    use std::thread;

    use super::*;

    /// A filter holds for a thread and those it starts, so that these tests need no process.
    fn restricted<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
        let confined = thread::spawn(|| {
            restrict().unwrap();
            work()
        });
        confined.join().unwrap()
    }

    fn refusal<T>(result: io::Result<T>) -> Option<ErrorKind> {
        result.err().map(|error| error.kind())
    }

    fn call(number: c_long, arguments: [c_long; 3]) -> Option<i32> {
        // SAFETY: each test passes numbers, or null pointers where memory is expected.
        #[allow(unsafe_code)]
        let code = unsafe { libc::syscall(number, arguments[0], arguments[1], arguments[2]) };
        (code < 0).then(|| io::Error::last_os_error().raw_os_error().unwrap())
    }

    const DENIED: Option<ErrorKind> = Some(ErrorKind::PermissionDenied);

    #[test]
    fn no_socket_of_any_kind_can_be_had() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        restricted(move || {
            assert_eq!(refusal(TcpStream::connect(address)), DENIED);
            assert_eq!(refusal(TcpListener::bind("127.0.0.1:0")), DENIED);
            assert_eq!(refusal(UdpSocket::bind("127.0.0.1:0")), DENIED);
            assert_eq!(refusal(UnixStream::pair()), DENIED);
            assert_eq!(refusal(listener.accept()), DENIED);
            assert_eq!(call(libc::SYS_io_uring_setup, [1, 0, 0]), Some(libc::EPERM));
        });
    }

    #[test]
    fn no_program_can_be_started_and_no_process_touched() {
        restricted(|| {
            assert_eq!(refusal(Command::new("/bin/true").spawn()), DENIED);
            let fork = c_long::from(libc::SIGCHLD);
            assert_eq!(call(libc::SYS_clone, [fork, 0, 0]), Some(libc::EPERM));
            assert_eq!(call(libc::SYS_clone3, [0, 0, 0]), Some(libc::ENOSYS));
            assert_eq!(call(libc::SYS_execve, [0, 0, 0]), Some(libc::EPERM));
            assert_eq!(call(libc::SYS_kill, [1, 0, 0]), Some(libc::EPERM));
            assert_eq!(call(libc::SYS_ptrace, [0, 0, 0]), Some(libc::EPERM));
            assert_eq!(call(libc::SYS_ioctl, [0, 0x5412, 0]), Some(libc::EPERM));
        });
    }

    #[test]
    fn a_call_that_nobody_has_judged_does_not_exist() {
        restricted(|| {
            assert_eq!(call(LAST_KNOWN + 1, [0; 3]), Some(libc::ENOSYS));
            // The x32 form of `getpid`.
            assert_eq!(call(0x4000_0000 + 39, [0; 3]), Some(libc::ENOSYS));
        });
    }

    #[test]
    fn files_are_read_and_never_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lettre.txt");
        fs::write(&path, "Bonjour").unwrap();
        let there = path.clone();
        restricted(move || {
            assert_eq!(fs::read_to_string(&there).unwrap(), "Bonjour");
            assert_eq!(fs::read_dir(there.parent().unwrap()).unwrap().count(), 1);
            let absent = there.with_extension("new");
            assert_eq!(refusal(File::create(&absent)), DENIED);
            assert_eq!(refusal(OpenOptions::new().append(true).open(&there)), DENIED);
            assert_eq!(refusal(OpenOptions::new().read(true).write(true).open(&there)), DENIED);
            assert_eq!(refusal(fs::remove_file(&there)), DENIED);
            assert_eq!(refusal(fs::rename(&there, &absent)), DENIED);
            assert_eq!(refusal(fs::hard_link(&there, &absent)), DENIED);
            assert_eq!(refusal(std::os::unix::fs::symlink(&there, &absent)), DENIED);
            assert_eq!(refusal(fs::create_dir(&absent)), DENIED);
            let mut permissions = there.metadata().unwrap().permissions();
            permissions.set_readonly(true);
            assert_eq!(refusal(fs::set_permissions(&there, permissions)), DENIED);
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "Bonjour");
    }

    #[test]
    fn threads_can_be_started_and_are_under_the_same_filter() {
        restricted(|| {
            let inner = thread::spawn(|| refusal(UdpSocket::bind("127.0.0.1:0")));
            assert_eq!(inner.join().unwrap(), DENIED);
        });
    }
}
