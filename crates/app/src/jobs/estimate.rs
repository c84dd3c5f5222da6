//! How fast a job is, and how long it will take.
//!
//! Both are measured, never assumed: the pace over the last minute, the time that is left by the
//! share of the work that this run has done. Nothing is said before it means something.

use std::collections::VecDeque;

use ancre_domain::{JobProgress, JobStep, Timestamp};

/// Over how long the pace is measured, in milliseconds.
const WINDOW_MS: i64 = 60_000;

/// Before this many milliseconds nothing is said.
const SILENT_MS: i64 = 2_000;

/// What a run has done when.
#[derive(Debug)]
pub(super) struct Pace {
    began: Timestamp,
    items_before: u32,
    chunks_before: u32,
    /// Moments at least a second apart, with the chunks that were done.
    marks: VecDeque<(Timestamp, u32)>,
}

impl Pace {
    /// A run that begins with what earlier ones have done.
    pub(super) fn begin(now: Timestamp, progress: &JobProgress) -> Self {
        Self {
            began: now,
            items_before: progress.items_done,
            chunks_before: progress.chunks_done,
            marks: VecDeque::from([(now, progress.chunks_done)]),
        }
    }

    /// Notes how far it is now.
    pub(super) fn note(&mut self, now: Timestamp, progress: &JobProgress) {
        let is_due = self.marks.back().is_none_or(|(last, _)| between(*last, now) >= 1_000);
        if is_due {
            self.marks.push_back((now, progress.chunks_done));
        }
        while self.marks.len() > 2
            && self.marks.get(1).is_some_and(|(next, _)| between(*next, now) > WINDOW_MS)
        {
            self.marks.pop_front();
        }
    }

    /// Chunks a minute over the last minute.
    pub(super) fn chunks_per_minute(&self, now: Timestamp, progress: &JobProgress) -> Option<u32> {
        let (since, before) = self.marks.front()?;
        let elapsed = between(*since, now);
        let chunks = progress.chunks_done.saturating_sub(*before);
        if elapsed < SILENT_MS || chunks == 0 {
            return None;
        }
        let pace = f64::from(chunks) * 60_000.0 / elapsed as f64;
        Some(pace.round() as u32)
    }

    /// Milliseconds until the end. Items say most where there are several; of one book its chunks.
    pub(super) fn remaining_ms(
        &self,
        now: Timestamp,
        step: Option<JobStep>,
        progress: &JobProgress,
    ) -> Option<u64> {
        let elapsed = between(self.began, now);
        if elapsed < SILENT_MS || matches!(step, None | Some(JobStep::Finding)) {
            return None;
        }
        let chunks = progress.chunks_done.saturating_sub(self.chunks_before);
        let chunks_left = progress.chunks_total.saturating_sub(progress.chunks_done);
        let items = progress.items_done.saturating_sub(self.items_before);
        let items_left = progress.items_total.saturating_sub(progress.items_done);
        let (done, left) = if items >= 2 { (items, items_left) } else { (chunks, chunks_left) };
        (done > 0).then(|| (elapsed as f64 / f64::from(done) * f64::from(left)) as u64)
    }
}

fn between(earlier: Timestamp, later: Timestamp) -> i64 {
    later.as_millis() - earlier.as_millis()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1_000)
    }

    fn progress(items_done: u32, chunks_done: u32) -> JobProgress {
        let (items_total, chunks_total) = (100, 1_000);
        JobProgress { items_done, items_total, chunks_done, chunks_total, ..JobProgress::default() }
    }

    #[test]
    fn the_pace_is_that_of_the_last_minute() {
        let mut pace = Pace::begin(at(0), &progress(0, 0));
        for second in 1..=120 {
            let chunks = if second <= 60 { second } else { 60 + 3 * (second - 60) };
            pace.note(at(second), &progress(0, u32::try_from(chunks).unwrap()));
        }
        let now = pace.chunks_per_minute(at(120), &progress(0, 240)).unwrap();
        assert!((175..=181).contains(&now), "{now} a minute");
    }

    #[test]
    fn what_is_left_takes_as_long_as_what_this_run_did() {
        let pace = Pace::begin(at(0), &progress(50, 500));
        let left = |items, chunks| {
            pace.remaining_ms(at(10), Some(JobStep::Indexing), &progress(items, chunks))
        };
        assert_eq!(left(60, 600), Some(40_000), "10 items in 10 seconds, 40 are left");
        assert_eq!(left(50, 750), Some(10_000), "by chunks while no item is done");
        assert_eq!(left(50, 500), None, "nothing is known yet");
        assert_eq!(pace.remaining_ms(at(10), Some(JobStep::Finding), &progress(60, 600)), None);
    }
}
