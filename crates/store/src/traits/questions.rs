//! Questions that measure bases, and the measurements that were made.

use ancre_domain::{
    BenchRun, BenchRunId, KnowledgeBaseId, Page, PageRequest, ProjectId, Question, QuestionId,
};

use crate::StoreError;

/// Questions and measurements; both go with their base.
pub trait QuestionStore {
    /// The questions of a base, oldest first.
    fn list_questions(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        page: PageRequest,
    ) -> Result<Page<Question>, StoreError>;

    /// Keeps questions, all or none; one with an id that is there changes its text and what it
    /// expects. [`StoreError::NotFound`] when a base is not of this project, or an id is that of
    /// another base's question.
    fn save_questions(&self, project: &ProjectId, questions: &[Question])
    -> Result<(), StoreError>;

    /// One question.
    fn question(&self, project: &ProjectId, id: &QuestionId) -> Result<Question, StoreError>;

    /// Deletes a question; measurements that asked it stay.
    fn delete_question(&self, project: &ProjectId, id: &QuestionId) -> Result<(), StoreError>;

    /// Keeps a measurement.
    fn store_bench_run(&self, project: &ProjectId, run: &BenchRun) -> Result<(), StoreError>;

    /// The measurements of a base, newest first.
    fn bench_runs(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Vec<BenchRun>, StoreError>;

    /// Deletes a measurement.
    fn delete_bench_run(&self, project: &ProjectId, id: &BenchRunId) -> Result<(), StoreError>;
}
