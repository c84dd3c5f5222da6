//! Work that meets a full disk: it is put off and says so, the old index serves, nobody waits
//! without a word, and it goes on when there is room.
//!
//! The disk is a small file system in memory; where a test may not mount one, it says so and
//! checks nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // Tests may.

mod desk;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use ancre_app::operations::rag;
use ancre_app::wire::{
    CreateKnowledgeBase, IngestFiles, IngestPhase, IngestProgress, JobRef, JobSummary,
    KnowledgeBaseRef, ListJobs, Nothing, Reindex, Search,
};
use ancre_app::{Ancre, Options};
use ancre_domain::{ErrorCode, JobState, KnowledgeBaseId, PageRequest};

struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn of(mebibytes: u64) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={mebibytes}m"), "tmpfs"])
            .arg(place.path())
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self(place));
        }
        println!("not checked: whoever runs this may not mount a small disk");
        None
    }

    fn open(&self) -> Ancre {
        Ancre::open(Options::new(self.0.path().join("data"), Arc::new(desk::WordLoader))).unwrap()
    }

    fn ballast(&self) -> PathBuf {
        self.0.path().join("ballast")
    }

    /// Takes the room there is, all but so much.
    fn fill_but(&self, bytes: u64) {
        let mut file =
            std::fs::File::options().create(true).append(true).open(self.ballast()).unwrap();
        for size in [64 * 1024, 4 * 1024] {
            while file.write(&vec![1; size]).is_ok_and(|written| written > 0) {}
        }
        let length = file.metadata().unwrap().len();
        file.set_len(length.saturating_sub(bytes)).unwrap();
    }

    fn make_room(&self) {
        std::fs::remove_file(self.ballast()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

fn files(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..count {
        let text =
            format!("Regle {number} : le guichet {number} ferme a dix heures.\n\n").repeat(400);
        std::fs::write(folder.path().join(format!("{number:03}.txt")), text).unwrap();
    }
    folder
}

fn base(ancre: &Ancre) -> KnowledgeBaseId {
    let input = CreateKnowledgeBase {
        name: "Aide".to_owned(),
        description: String::new(),
        model: None,
        chunk_size: None,
        chunk_overlap: None,
    };
    rag::create_knowledge_base(ancre, input, &|_| ()).unwrap().knowledge_base.id
}

fn files_of(kb_id: &KnowledgeBaseId, folder: &tempfile::TempDir) -> IngestFiles {
    IngestFiles {
        kb_id: kb_id.clone(),
        paths: vec![folder.path().to_str().unwrap().to_owned()],
        title: None,
        password: None,
        recognise: false,
    }
}

fn job(ancre: &Ancre) -> JobSummary {
    let page = PageRequest::default();
    rag::list_jobs(ancre, ListJobs { page }, &|_| ()).unwrap().items.remove(0)
}

fn found(ancre: &Ancre, kb_id: &KnowledgeBaseId) -> usize {
    let input: Search =
        serde_json::from_value(serde_json::json!({ "query": "guichet", "kbIds": [kb_id] }))
            .unwrap();
    rag::search(ancre, input, &|_| ()).unwrap().hits.len()
}

#[test]
fn an_ingestion_that_meets_a_full_disk_is_put_off_and_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::of(40) else { return };
    let (ancre, some) = (disk.open(), files(60));
    let kb_id = base(&ancre);
    disk.fill_but(1024 * 1024);
    let report = rag::ingest_files(&ancre, files_of(&kb_id, &some), &|_| ()).unwrap();
    assert_eq!(report.stopped.map(|error| error.code), Some(ErrorCode::DiskFull));
    assert_eq!((report.cancelled, report.ready + report.waiting), (0, 60), "nothing is cancelled");
    assert!(report.waiting > 0);
    let put_off = job(&ancre);
    assert_eq!((put_off.state, put_off.next_attempt_at.is_some()), (JobState::Queued, true));
    drop(ancre);

    // The next one waits for it on a disk without a byte, and says so until there is room.
    let ancre = disk.open();
    disk.fill_but(0);
    let (sender, heard) = channel();
    let resumed = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let tell = move |progress: IngestProgress| drop(sender.send(progress));
            rag::resume_queued(&ancre, Nothing {}, &tell)
        });
        let told = heard.recv_timeout(Duration::from_secs(60));
        disk.make_room();
        if let Ok(told) = told {
            // Where it could be begun at all it ends with the reason instead.
            if told.phase == IngestPhase::Waiting {
                let waits = told.waits.expect("why");
                assert_eq!(waits.error.code, ErrorCode::DiskFull);
                assert!(waits.next_attempt_at.is_some(), "and when it is tried again");
            }
        }
        waiting.join().unwrap().unwrap()
    });
    if resumed.stopped.is_some() {
        rag::resume_queued(&ancre, Nothing {}, &|_| ()).unwrap();
    }
    let done = job(&ancre);
    assert_eq!((done.state, done.items_done, done.items_failed), (JobState::Done, 60, 0));
    assert!(found(&ancre, &kb_id) > 0);
}

#[test]
fn a_new_index_that_meets_a_full_disk_is_put_off_and_the_old_one_serves() {
    let Some(disk) = SmallDisk::of(48) else { return };
    let (ancre, some) = (disk.open(), files(30));
    let kb_id = base(&ancre);
    rag::ingest_files(&ancre, files_of(&kb_id, &some), &|_| ()).unwrap();
    drop(ancre);
    for room in [0, 300 * 1024, 3 * 1024 * 1024] {
        disk.fill_but(room);
        let ancre = disk.open();
        let input = Reindex {
            kb_id: kb_id.clone(),
            model: None,
            chunk_size: Some(700),
            chunk_overlap: None,
        };
        let state = match rag::reindex(&ancre, input, &|_| ()) {
            Err(error) => {
                assert_eq!(error.code, ErrorCode::DiskFull, "{room}");
                None
            }
            Ok(begun) => loop {
                let job =
                    rag::get_job(&ancre, JobRef { job_id: begun.id.clone() }, &|_| ()).unwrap();
                if job.state.is_ended() || job.error.is_some() {
                    break Some(job);
                }
                std::thread::sleep(Duration::from_millis(20));
            },
        };
        if let Some(job) = state {
            assert_eq!(job.state, JobState::Queued, "{room}: {job:?}");
            assert_eq!(job.error.map(|error| error.code), Some(ErrorCode::DiskFull), "{room}");
        }
        assert!(found(&ancre, &kb_id) > 0, "{room}");
        let shown =
            rag::get_knowledge_base(&ancre, KnowledgeBaseRef { kb_id: kb_id.clone() }, &|_| ());
        assert_eq!(shown.unwrap().index.generation, 1, "{room}");
        drop(ancre);
        disk.make_room();
    }
    let ancre = disk.open();
    rag::resume_queued(&ancre, Nothing {}, &|_| ()).unwrap();
    let shown = rag::get_knowledge_base(&ancre, KnowledgeBaseRef { kb_id: kb_id.clone() }, &|_| ());
    assert!(shown.unwrap().index.generation > 1, "it went on");
    assert!(found(&ancre, &kb_id) > 0);
}

#[test]
fn somebody_who_waits_for_a_full_disk_can_stop() {
    let Some(disk) = SmallDisk::of(40) else { return };
    let (ancre, some) = (disk.open(), files(60));
    let kb_id = base(&ancre);
    drop(ancre);
    disk.fill_but(1024 * 1024);
    let ancre = disk.open();
    rag::ingest_files(&ancre, files_of(&kb_id, &some), &|_| ()).unwrap();
    drop(ancre);
    let ancre = disk.open();
    disk.fill_but(0);
    let put_off = job(&ancre);
    assert_eq!(put_off.state, JobState::Queued);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| rag::resume_queued(&ancre, Nothing {}, &|_| ()));
        let cancelled = rag::cancel_job(&ancre, JobRef { job_id: put_off.id.clone() }, &|_| ());
        assert_eq!(cancelled.unwrap().state, JobState::Cancelled);
        waiting.join().unwrap().unwrap();
    });
    let page = PageRequest::default();
    let jobs = rag::list_jobs(&ancre, ListJobs { page }, &|_| ()).unwrap().items;
    assert!(jobs.iter().all(|job| job.state == JobState::Cancelled), "{jobs:?}");
}
