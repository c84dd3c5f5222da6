//! The tables `questions` and `bench_runs`.

use ancre_domain::{
    BenchRun, BenchRunId, Document, KnowledgeBaseId, Page, PageRequest, ProjectId, Question,
    QuestionId, SourceId,
};
use rusqlite::{Row, Transaction, params};

use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
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
        self.erase(|transaction| {
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
                "INSERT INTO bench_runs (id, kb_id, settings, searched_index, figures, results, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    run.id.as_str(),
                    run.kb_id.as_str(),
                    serde_json::to_string(&run.settings)?,
                    run.index.as_ref().map(serde_json::to_string).transpose()?,
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
        self.erase(|transaction| {
            let sql = "DELETE FROM bench_runs WHERE id = ?1 AND kb_id IN
                           (SELECT id FROM knowledge_bases WHERE project_id = ?2)";
            match rows::change(transaction, sql, [id.as_str(), project.as_str()])? {
                0 => Err(not_found("measurement", id.as_str())),
                _ => Ok(()),
            }
        })
    }
}

/// Lets the questions of a base that expect `old` expect the document that takes its place. A
/// passage moves with its text; where that is gone, or there more than once, the whole document is
/// expected.
pub(super) fn follow(
    transaction: &Transaction<'_>,
    old: &Document,
    new: &Document,
) -> Result<(), Trouble> {
    let questions = rows::all(
        transaction,
        "SELECT * FROM questions WHERE kb_id = ?1 AND instr(expected, ?2) > 0",
        [old.kb_id.as_str(), old.source_id.as_str()],
        read_question,
    )?;
    if questions.is_empty() {
        return Ok(());
    }
    let (old_text, new_text) =
        (text(transaction, &old.source_id)?, text(transaction, &new.source_id)?);
    for mut question in questions {
        for expected in &mut question.expected {
            if expected.source_id != old.source_id {
                continue;
            }
            expected.source_id = new.source_id.clone();
            expected.title.clone_from(&new.title);
            let range = expected.start.zip(expected.end);
            let moved = range.and_then(|range| moved(range, &old_text, &new_text)).unzip();
            (expected.start, expected.end) = moved;
        }
        rows::change(
            transaction,
            "UPDATE questions SET expected = ?2 WHERE id = ?1",
            params![question.id.as_str(), serde_json::to_string(&question.expected)?],
        )?;
    }
    Ok(())
}

/// Where the characters of `range` stand in the new text.
fn moved((start, end): (u32, u32), old: &str, new: &str) -> Option<(u32, u32)> {
    let part = |text: &str| -> String {
        let length = end.saturating_sub(start) as usize;
        text.chars().skip(start as usize).take(length).collect()
    };
    let passage = part(old);
    if passage.is_empty() {
        return None;
    }
    if part(new) == passage {
        return Some((start, end));
    }
    let mut places = new.match_indices(&passage);
    let (at, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let start = rows::length(new[..at].chars().count());
    Some((start, start + rows::length(passage.chars().count())))
}

fn text(transaction: &Transaction<'_>, source: &SourceId) -> Result<String, Trouble> {
    let sql = "SELECT text FROM sources WHERE id = ?1";
    Ok(rows::one(transaction, sql, [source.as_str()], |row| row.get(0))?.unwrap_or_default())
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
        index: rows::optional_json(row, "searched_index")?,
        figures: rows::json(row, "figures")?,
        results: rows::json(row, "results")?,
        created_at: rows::time(row, "created_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn a_passage_moves_with_its_text_and_is_lost_when_that_is_gone_or_twice_there() {
        let old = "Été. Trente jours. Fin.";
        assert_eq!(moved((5, 18), old, "Été. Trente jours. Suite."), Some((5, 18)));
        assert_eq!(moved((5, 18), old, "À part. Été. Trente jours."), Some((13, 26)));
        assert_eq!(moved((5, 18), old, "Été. Quatorze jours."), None);
        assert_eq!(moved((5, 18), old, "? Trente jours. Trente jours."), None);
        assert_eq!(moved((90, 95), old, old), None);
    }
}
