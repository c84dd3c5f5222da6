//! What is being worked on, in the few figures that a menu has room for.

use ancre_app::wire::JobSummary;
use ancre_domain::JobState;

/// The jobs that have not ended, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Jobs that run, or wait for their turn or their next attempt.
    pub active: u32,
    /// Jobs that a person paused, or that paused themselves.
    pub paused: u32,
    /// Items of the active jobs that have their outcome.
    pub items_done: u32,
    /// Items of the active jobs that are known so far.
    pub items_total: u32,
}

impl Work {
    /// What those jobs are; those that have ended are nothing.
    pub fn of(jobs: &[JobSummary]) -> Self {
        let mut work = Self::default();
        jobs.iter().for_each(|job| work.add(job));
        work
    }

    fn add(&mut self, job: &JobSummary) {
        match job.state {
            JobState::Running | JobState::Queued => {
                self.active += 1;
                self.items_done = self.items_done.saturating_add(job.items_done);
                self.items_total = self.items_total.saturating_add(job.items_total);
            }
            JobState::Paused => self.paused += 1,
            JobState::Done | JobState::Failed | JobState::Cancelled => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use ancre_domain::{Job, JobId, JobKind, JobProgress, ProjectId, Timestamp};

    use super::*;

    fn job(state: JobState, items_done: u32, items_total: u32) -> JobSummary {
        let now = Timestamp::from_millis(1);
        JobSummary::from(Job {
            id: JobId::generate(now),
            project_id: ProjectId::generate(now),
            kb_id: None,
            kb_name: None,
            kind: JobKind::Ingest,
            title: String::new(),
            state,
            step: None,
            attempts: 0,
            not_before: None,
            progress: JobProgress { items_done, items_total, ..JobProgress::default() },
            failure: None,
            created_at: now,
            started_at: None,
            finished_at: None,
        })
    }

    #[test]
    fn work_is_what_runs_or_waits() {
        let jobs = [
            (JobState::Running, 40, 100),
            (JobState::Queued, 2, 80),
            (JobState::Paused, 5, 9),
            (JobState::Done, 7, 7),
            (JobState::Failed, 1, 3),
            (JobState::Cancelled, 0, 3),
        ]
        .map(|(state, done, total)| job(state, done, total));
        assert_eq!(
            Work::of(&jobs),
            Work { active: 2, paused: 1, items_done: 42, items_total: 180 }
        );
    }
}
