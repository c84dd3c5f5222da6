//! The search by words.
//!
//! FTS5 has a language of its own for queries. Nothing that a person typed is ever part of it:
//! each word is written as a quoted string, which FTS5 reads as text, and the operators between
//! the strings are ours. Ranking is Okapi BM25 with a weight for each field, FTS5's own
//! implementation (k1 = 1.2, b = 0.75).

use ancre_domain::{KnowledgeBaseId, ProjectId};
use rusqlite::{Transaction, params};

use super::generations::{self, Generation};
use super::hits::IS_VISIBLE;
use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::{rows, text_tables};
use crate::traits::{LexicalMatch, LexicalQuery, LexicalTerm, LexicalWeights};

/// How many words of a phrase count.
const MAX_PHRASE: usize = 32;

/// The `k` visible chunks that match best.
pub(super) fn search(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    query: &LexicalQuery,
    weights: LexicalWeights,
    k: u32,
) -> Result<Vec<LexicalMatch>, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    let Some(expression) = expression(query).filter(|_| k > 0 && generation.has_all_words) else {
        return Ok(Vec::new());
    };
    if !text_tables::exists(transaction, &generation.text_table())? {
        return Ok(Vec::new());
    }
    // The best of all first, then which of them may be seen: looking at the document of every
    // match would cost more than the search. More is asked for while too many are not visible.
    let mut asked = k.saturating_add(k / 4).saturating_add(16);
    loop {
        let (mut matches, seen) = best(transaction, &generation, &expression, weights, asked)?;
        if matches.len() >= k as usize || seen < asked || asked == u32::MAX {
            matches.truncate(k as usize);
            return Ok(matches);
        }
        asked = asked.saturating_mul(8);
    }
}

/// The visible ones among the `asked` best matches, and how many matches were seen.
fn best(
    transaction: &Transaction<'_>,
    generation: &Generation,
    expression: &str,
    weights: LexicalWeights,
    asked: u32,
) -> Result<(Vec<LexicalMatch>, u32), Trouble> {
    // Keys grow with time: of equally good chunks the older stands first.
    let sql = format!(
        "WITH best AS MATERIALIZED (
             SELECT rowid AS key, bm25({table}, ?5, ?6, ?7) AS score FROM {table}
             WHERE {table} MATCH ?1 ORDER BY score, rowid LIMIT ?2
         )
         SELECT best.score, (
             SELECT document_chunks.id FROM document_chunks
             JOIN documents ON documents.id = document_chunks.document_id
             WHERE document_chunks.key = best.key AND {IS_VISIBLE}
         ) AS id
         FROM best ORDER BY best.score, best.key",
        table = generation.text_table()
    );
    let parameters = params![
        expression,
        asked,
        generation.kb.as_str(),
        generation.number,
        weights.title,
        weights.heading,
        weights.body
    ];
    let matches = rows::all(transaction, &sql, parameters, |row| {
        let score: f64 = row.get("score")?;
        let id = rows::optional_id(row, "id")?;
        Ok(id.map(|chunk_id| LexicalMatch { chunk_id, score: -score }))
    })?;
    let seen = rows::length(matches.len());
    Ok((matches.into_iter().flatten().collect(), seen))
}

/// The query in FTS5's language; `None` when there is not a word in it.
fn expression(query: &LexicalQuery) -> Option<String> {
    let terms: Vec<String> =
        query.terms.iter().filter_map(string).take(LexicalQuery::MAX_TERMS).collect();
    (!terms.is_empty()).then(|| terms.join(" OR "))
}

/// A term as a quoted string; `None` when there is no letter and no digit in it.
fn string(term: &LexicalTerm) -> Option<String> {
    let words: Vec<&str> = term
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .take(MAX_PHRASE)
        .collect();
    if words.is_empty() {
        return None;
    }
    // FTS5 reads an expression up to its first NUL, and a doubled quote as one.
    let text = words.join(" ").replace('\0', " ").replace('"', "\"\"");
    let prefix = if term.is_prefix { " *" } else { "" };
    Some(format!("\"{text}\"{prefix}"))
}
