//! Which job is taken next, and when one that was put off is tried again: decided from values.

use std::time::Duration;

use ancre_domain::{Job, JobId};

/// What a worker thread takes. Jobs of one lane run side by side, so that two jobs get on at the
/// same time; the embedder takes their batches in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// Any job, in the queue's order.
    Any,
    /// Only short ones: a text that somebody adds while a thousand files are indexed does not
    /// wait for them.
    Short,
}

/// The worker threads of a process.
pub(super) const LANES: [Lane; 3] = [Lane::Any, Lane::Any, Lane::Short];

/// The most items that a short job has. How many a folder means is known only after a look, so
/// jobs on folders are not short.
const MOST_OF_SHORT: u32 = 20;

/// How often a job is put off without getting anywhere before a person must look.
pub(super) const MOST_ATTEMPTS: u32 = 10;

/// The first of the due jobs, which stand in the queue's order, that a lane takes. `is_running`
/// says of one that was paused or retried a moment ago whether somebody is still putting it down.
pub(super) fn next(due: &[Job], lane: Lane, is_running: impl Fn(&JobId) -> bool) -> Option<&Job> {
    due.iter().find(|job| {
        let fits = match lane {
            Lane::Any => true,
            Lane::Short => (1..=MOST_OF_SHORT).contains(&job.progress.items_total),
        };
        fits && !is_running(&job.id)
    })
}

/// How long a job rests that was put off `attempts` times in a row: 2 s, doubling up to 5 minutes.
pub(super) fn pause(attempts: u32) -> Duration {
    let seconds = 2_u64.saturating_pow(attempts.clamp(1, 16));
    Duration::from_secs(seconds.min(300))
}

#[cfg(test)]
mod tests {
    use ancre_domain::{JobKind, JobProgress, JobState, ProjectId, Timestamp};

    use super::*;

    fn job(items_total: u32) -> Job {
        let now = Timestamp::from_millis(1);
        Job {
            id: JobId::generate(now),
            project_id: ProjectId::generate(now),
            kb_id: None,
            kb_name: None,
            kind: JobKind::Ingest,
            title: String::new(),
            state: JobState::Queued,
            step: None,
            attempts: 0,
            not_before: None,
            progress: JobProgress { items_total, ..JobProgress::default() },
            failure: None,
            created_at: now,
            started_at: None,
            finished_at: None,
        }
    }

    #[test]
    fn a_short_job_does_not_wait_for_long_ones() {
        let due = [job(0), job(10_000), job(1)];
        let next = |lane| next(&due, lane, |_| false).map(|job| &job.id);
        assert_eq!(next(Lane::Any), Some(&due[0].id));
        assert_eq!(next(Lane::Short), Some(&due[2].id));
    }

    #[test]
    fn a_job_that_is_being_put_down_is_not_taken_up() {
        let due = [job(1), job(1)];
        let taken = next(&due, Lane::Any, |id| *id == due[0].id).map(|job| &job.id);
        assert_eq!(taken, Some(&due[1].id));
    }

    #[test]
    fn pauses_grow_and_stay_bearable() {
        let pauses: Vec<u64> = (0..=10).map(|attempts| pause(attempts).as_secs()).collect();
        assert_eq!(pauses[..4], [2, 2, 4, 8]);
        assert!(pauses.is_sorted() && pauses[10] == 300);
    }
}
