//! A network drive that stops answering, and what it costs: a real one, mounted for the test, whose
//! file lists, opens and tells its size, and then never gives a byte.
//!
//! The drive speaks the kernel's FUSE protocol (`include/uapi/linux/fuse.h`, version 7.31) over
//! `/dev/fuse`, as far as a folder with two files needs it. It does not heed interruption, which is the
//! worst that a drive can do: a process that waits for it ends when it is unmounted. Mounting takes a Linux where this
//! process may mount; elsewhere the test says so and passes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // Tests may.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use ancre_domain::Cancellation;
use ancre_extract::{ExtractError, Libraries, Limits, ReadFile, ReadOptions, Reader};

/// How long the disk may be silent in these tests.
const SHORT: Duration = Duration::from_secs(1);

#[test]
fn a_drive_that_stalls_costs_its_file_and_not_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let Some(drive) = Drive::mount(folder.path()) else { return };
    let reader = reader(SHORT);

    let begun = Instant::now();
    let stalled = reader.read_path(&drive.path("stalled.txt"), ReadOptions::default());
    assert_eq!(stalled, Err(ExtractError::Timeout { seconds: 1 }));
    assert!(begun.elapsed() < SHORT * 5, "{:?}", begun.elapsed());

    // The same drive still gives what it has.
    let read = reader.read_path(&drive.path("good.txt"), ReadOptions::default()).unwrap();
    let ReadFile::Document(file) = read else { panic!("{read:?}") };
    assert_eq!(file.bytes, GOOD);
}

#[test]
fn a_person_may_stop_waiting_for_a_drive() {
    let folder = tempfile::tempdir().unwrap();
    let Some(drive) = Drive::mount(folder.path()) else { return };
    let cancellation = Cancellation::new();
    let options = ReadOptions { cancellation: Some(&cancellation), ..ReadOptions::default() };
    let read = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            cancellation.cancel();
        });
        reader(Duration::from_secs(60)).read_path(&drive.path("stalled.txt"), options)
    });
    assert_eq!(read, Err(ExtractError::Cancelled));
}

/// For looking at the program itself: mounts a drive at `ANCRE_STALLED_DRIVE`, an empty folder, and
/// keeps it until something is typed or its standard input ends.
#[test]
#[ignore = "for use by hand"]
fn keep_a_drive_that_stalls() {
    let folder = PathBuf::from(std::env::var_os("ANCRE_STALLED_DRIVE").unwrap());
    let _drive = Drive::mount(&folder).unwrap();
    println!("mounted at {}", folder.display());
    let _ = std::io::stdin().read(&mut [0]);
}

fn reader(silence: Duration) -> Reader {
    let limits = Limits { disk: silence, ..Limits::default() };
    Reader::in_process(Libraries::default()).with_limits(limits)
}

const GOOD: &[u8] = b"Everything that is on this drive can be read but for one file.\n";

/// The numbers of its files, by their place in this list: the first is 2, after the folder's own.
const FILES: [&str; 2] = ["good.txt", "stalled.txt"];
const ROOT: u64 = 1;
const STALLED: u64 = 3;

/// A mounted drive; unmounted when it is dropped.
struct Drive {
    folder: PathBuf,
}

impl Drive {
    /// Mounts it at an empty folder; `None`, with the reason printed, where that is not allowed.
    fn mount(folder: &Path) -> Option<Self> {
        let device = OpenOptions::new().read(true).write(true).open("/dev/fuse");
        let device = device.inspect_err(|error| println!("skipped: /dev/fuse: {error}")).ok()?;
        // The device is the mounting program's standard input, so its number there is 0.
        let mounting = Command::new("mount")
            .args(["-i", "-t", "fuse", "-o"])
            .arg("fd=0,rootmode=40000,user_id=0,group_id=0,nosuid,nodev,allow_other")
            .arg("stalled-drive")
            .arg(folder)
            .stdin(device.try_clone().unwrap())
            .output();
        match mounting {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                let reason = String::from_utf8_lossy(&output.stderr);
                println!("skipped: this process may not mount: {}", reason.trim());
                return None;
            }
            Err(error) => {
                println!("skipped: mount: {error}");
                return None;
            }
        }
        let drive = Self { folder: folder.to_owned() };
        thread::spawn(move || serve(device));
        Some(drive)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Drive {
    fn drop(&mut self) {
        // Forced, which answers what is still waited for with an error and ends the server.
        let unmounted = ["-f", "-l"].iter().any(|how| {
            let mut command = Command::new("umount");
            command.arg(how).arg(&self.folder).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        });
        if !unmounted {
            println!("{} could not be unmounted", self.folder.display());
        }
    }
}

/// The operations of the protocol that a folder of files is asked for.
mod operation {
    pub const LOOKUP: u32 = 1;
    pub const FORGET: u32 = 2;
    pub const GETATTR: u32 = 3;
    pub const OPEN: u32 = 14;
    pub const READ: u32 = 15;
    pub const RELEASE: u32 = 18;
    pub const FLUSH: u32 = 25;
    pub const INIT: u32 = 26;
    pub const OPENDIR: u32 = 27;
    pub const READDIR: u32 = 28;
    pub const RELEASEDIR: u32 = 29;
    pub const INTERRUPT: u32 = 36;
    pub const BATCH_FORGET: u32 = 42;
}

/// Numbers of errors as Linux has them.
const NOT_THERE: i32 = 2;
const NOT_SUPPORTED: i32 = 38;

/// Answers the kernel until the drive is unmounted.
fn serve(mut device: File) {
    let mut request = vec![0; 1 << 17];
    while let Ok(length) = device.read(&mut request) {
        let Some(request) = Request::of(&request[..length]) else { return };
        // A request that is not answered is what this drive is for; others want no answer.
        if let Some(answer) = request.answer() {
            let (error, content) = answer.map_or_else(|error| (-error, Vec::new()), |it| (0, it));
            let mut reply = Vec::with_capacity(16 + content.len());
            reply.extend(u32::try_from(16 + content.len()).unwrap().to_ne_bytes());
            reply.extend(error.to_ne_bytes());
            reply.extend(request.id.to_ne_bytes());
            reply.extend(content);
            // It fails for what nobody waits for any more.
            let _ = device.write(&reply);
        }
    }
}

/// What the kernel asks: `struct fuse_in_header` and what follows it.
struct Request<'a> {
    operation: u32,
    id: u64,
    node: u64,
    content: &'a [u8],
}

impl<'a> Request<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        Some(Self {
            operation: u32::from_ne_bytes(bytes.get(4..8)?.try_into().ok()?),
            id: u64::from_ne_bytes(bytes.get(8..16)?.try_into().ok()?),
            node: u64::from_ne_bytes(bytes.get(16..24)?.try_into().ok()?),
            content: bytes.get(40..)?,
        })
    }

    /// What to answer, an error by its number; `None` for no answer.
    fn answer(&self) -> Option<Result<Vec<u8>, i32>> {
        match self.operation {
            operation::INIT => Some(Ok(init())),
            operation::LOOKUP => Some(self.lookup()),
            operation::GETATTR => {
                // How long it is valid, in seconds and nanoseconds, and a blank.
                Some(Ok([words(&[1]), vec![0; 8], attributes(self.node)].concat()))
            }
            operation::OPEN | operation::OPENDIR => Some(Ok(vec![0; 16])),
            operation::READ if self.node == STALLED => None,
            operation::READ => Some(Ok(self.part_of(GOOD))),
            operation::READDIR => Some(Ok(self.part_of(&directory()))),
            operation::RELEASE | operation::RELEASEDIR | operation::FLUSH => Some(Ok(Vec::new())),
            operation::FORGET | operation::BATCH_FORGET | operation::INTERRUPT => None,
            _ => Some(Err(NOT_SUPPORTED)),
        }
    }

    fn lookup(&self) -> Result<Vec<u8>, i32> {
        let name = self.content.split(|byte| *byte == 0).next().unwrap_or_default();
        let at = FILES.iter().position(|file| file.as_bytes() == name).ok_or(NOT_THERE)?;
        let node = at as u64 + ROOT + 1;
        // The number, its generation, and how long both are valid.
        Ok([words(&[node, 0, 1, 1]), vec![0; 8], attributes(node)].concat())
    }

    /// The piece that a `struct fuse_read_in` asks for.
    fn part_of(&self, whole: &[u8]) -> Vec<u8> {
        let number = |at: usize| self.content.get(at..at + 8).map(|it| it.try_into().unwrap());
        let from = usize::try_from(number(8).map_or(0, u64::from_ne_bytes)).unwrap();
        let size = self
            .content
            .get(16..20)
            .map_or(0, |it| usize::try_from(u32::from_ne_bytes(it.try_into().unwrap())).unwrap());
        let rest = whole.get(from..).unwrap_or_default();
        rest[..rest.len().min(size)].to_vec()
    }
}

/// `struct fuse_init_out`: version 7.31, nothing that is not asked for, 64 KiB a write, which is
/// less than the room for a request, as the kernel demands.
fn init() -> Vec<u8> {
    let mut reply = [7_u32, 31, 1 << 16, 0].map(u32::to_ne_bytes).concat();
    reply.extend([16_u16, 12].map(u16::to_ne_bytes).concat());
    reply.extend([1_u32 << 16, 1].map(u32::to_ne_bytes).concat());
    reply.resize(64, 0);
    reply
}

/// `struct fuse_attr`.
fn attributes(node: u64) -> Vec<u8> {
    let (mode, size) = if node == ROOT { (0o040_755, 0) } else { (0o100_644, GOOD.len() as u64) };
    let mut reply = words(&[node, size, size.div_ceil(512), 0, 0, 0]);
    // Nanoseconds of three times, mode, links, user, group, device, block size, a blank.
    reply.extend([0, 0, 0, mode, 1, 0, 0, 0, 512, 0_u32].map(u32::to_ne_bytes).concat());
    reply
}

/// The entries of the folder, each a `struct fuse_dirent` filled up to 8 bytes. Its whole list is
/// shorter than what the kernel asks for at once, so the offset of an entry is where the next begins.
fn directory() -> Vec<u8> {
    const REGULAR_FILE: u32 = 8;
    let mut entries = Vec::new();
    for (node, name) in (ROOT + 1..).zip(FILES) {
        let length = (24 + name.len()).next_multiple_of(8);
        let next = (entries.len() + length) as u64;
        let mut entry = words(&[node, next]);
        entry.extend(
            [u32::try_from(name.len()).unwrap(), REGULAR_FILE].map(u32::to_ne_bytes).concat(),
        );
        entry.extend(name.as_bytes());
        entry.resize(length, 0);
        entries.extend(entry);
    }
    entries
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}
