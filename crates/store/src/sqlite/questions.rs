//! The tables `questions` and `bench_runs`.

use ancre_domain::{
    BenchRun, BenchRunId, KnowledgeBaseId, Page, PageRequest, ProjectId, Question, QuestionId,
};
use rusqlite::{Row, params};

use super::knowledge_bases::require_knowledge_base;
use super::{SqliteStore, not_found, rows};
use crate::StoreError;
use crate::traits::QuestionStore;

impl QuestionStore for SqliteStore {
    fn list_questions(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        page: PageRequest,
    ) -> Result<Page<Question>, StoreError> {
        self.read(|transaction| {
            require_knowledge_base(transaction, project, kb)?;
            let (limit, offset) = rows::limit_and_offset(page);
            let items = rows::all(
                transaction,
                "SELECT * FROM questions WHERE kb_id = ?1 ORDER BY created_at, id LIMIT ?2 OFFSET ?3",
                params![kb.as_str(), limit, offset],
                read_question,
            )?;
            let sql = "SELECT count(*) FROM questions WHERE kb_id = ?1";
            let total = rows::one(transaction, sql, [kb.as_str()], |row| row.get(0))?;
            Ok(Page { items, total: total.unwrap_or_default() })
        })
    }

    fn save_questions(
        &self,
        project: &ProjectId,
        questions: &[Question],
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            for question in questions {
                require_knowledge_base(transaction, project, &question.kb_id)?;
                let changed = rows::change(
                    transaction,
                    "INSERT INTO questions (id, kb_id, text, expected, must_refuse, created_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT (id) DO UPDATE SET text = excluded.text,
                         expected = excluded.expected, must_refuse = excluded.must_refuse
                     WHERE kb_id = excluded.kb_id",
                    params![
                        question.id.as_str(),
                        question.kb_id.as_str(),
                        question.text,
                        serde_json::to_string(&question.expected)?,
                        question.must_refuse,
                        question.created_at.as_millis(),
                    ],
                )?;
                if changed == 0 {
                    return Err(not_found("question", question.id.as_str()));
                }
            }
            Ok(())
        })
    }

    fn question(&self, project: &ProjectId, id: &QuestionId) -> Result<Question, StoreError> {
        self.read(|transaction| {
            rows::one(
                transaction,
                "SELECT questions.* FROM questions
                 JOIN knowledge_bases ON knowledge_bases.id = questions.kb_id
                 WHERE questions.id = ?1 AND knowledge_bases.project_id = ?2",
                [id.as_str(), project.as_str()],
                read_question,
            )?
            .ok_or_else(|| not_found("question", id.as_str()))
        })
    }

    fn delete_question(&self, project: &ProjectId, id: &QuestionId) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "DELETE FROM questions WHERE id = ?1 AND kb_id IN
                           (SELECT id FROM knowledge_bases WHERE project_id = ?2)";
            match rows::change(transaction, sql, [id.as_str(), project.as_str()])? {
                0 => Err(not_found("question", id.as_str())),
                _ => Ok(()),
            }
        })
    }

    fn store_bench_run(&self, project: &ProjectId, run: &BenchRun) -> Result<(), StoreError> {
        self.write(|transaction| {
            require_knowledge_base(transaction, project, &run.kb_id)?;
            rows::change(
                transaction,
                "INSERT INTO bench_runs (id, kb_id, settings, figures, results, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    run.id.as_str(),
                    run.kb_id.as_str(),
                    serde_json::to_string(&run.settings)?,
                    serde_json::to_string(&run.figures)?,
                    serde_json::to_string(&run.results)?,
                    run.created_at.as_millis(),
                ],
            )?;
            Ok(())
        })
    }

    fn bench_runs(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Vec<BenchRun>, StoreError> {
        self.read(|transaction| {
            require_knowledge_base(transaction, project, kb)?;
            let sql = "SELECT * FROM bench_runs WHERE kb_id = ?1 ORDER BY created_at DESC, id DESC";
            rows::all(transaction, sql, [kb.as_str()], read_run)
        })
    }

    fn delete_bench_run(&self, project: &ProjectId, id: &BenchRunId) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "DELETE FROM bench_runs WHERE id = ?1 AND kb_id IN
                           (SELECT id FROM knowledge_bases WHERE project_id = ?2)";
            match rows::change(transaction, sql, [id.as_str(), project.as_str()])? {
                0 => Err(not_found("measurement", id.as_str())),
                _ => Ok(()),
            }
        })
    }
}

fn read_question(row: &Row<'_>) -> rusqlite::Result<Question> {
    Ok(Question {
        id: rows::id(row, "id")?,
        kb_id: rows::id(row, "kb_id")?,
        text: row.get("text")?,
        expected: rows::json(row, "expected")?,
        must_refuse: row.get("must_refuse")?,
        created_at: rows::time(row, "created_at")?,
    })
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<BenchRun> {
    Ok(BenchRun {
        id: rows::id(row, "id")?,
        kb_id: rows::id(row, "kb_id")?,
        settings: rows::json(row, "settings")?,
        figures: rows::json(row, "figures")?,
        results: rows::json(row, "results")?,
        created_at: rows::time(row, "created_at")?,
    })
}
