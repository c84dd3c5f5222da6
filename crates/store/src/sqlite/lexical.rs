//! The search by words.
//!
//! FTS5 has a language of its own for queries. Nothing that a person typed is ever part of it:
//! each word is written as a quoted string, which FTS5 reads as text, and the operators between
//! the strings are ours. Ranking is Okapi BM25 with a weight for each field, as FTS5 implements it
//! (k1 = 1.2, b = 0.75). Words of plain letters are ranked from FTS5's own lists
//! ([`super::postings`]), which takes a small part of the time; any other words by FTS5 itself,
//! with the same outcome.

use std::collections::HashMap;

use ancre_domain::{KnowledgeBaseId, ProjectId};
use rusqlite::{Transaction, params};

use super::generations::{self, Generation};
use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::postings::{self, Posting, Postings};
use super::row_lengths::{Lengths, RowLengths};
use super::sight::Sight;
use super::word_ranking::{Ranking, Scored};
use super::{rows, text_tables};
use crate::traits::{
    LexicalMatch, LexicalQuery, LexicalRanking, LexicalTerm, LexicalWeights, WordStatistics,
};

/// How many words of a phrase count.
const MAX_PHRASE: usize = 32;

/// The `k` visible chunks that match best, and how common the terms are.
pub(super) fn search(
    transaction: &Transaction<'_>,
    lengths: &RowLengths,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    query: &LexicalQuery,
    weights: LexicalWeights,
    k: u32,
) -> Result<LexicalRanking, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    let table = generation.text_table();
    if !generation.has_all_words || !text_tables::exists(transaction, &table)? {
        let chunks_with = vec![0; query.terms.len()];
        let statistics = WordStatistics { chunks_with, ..WordStatistics::default() };
        return Ok(LexicalRanking { matches: Vec::new(), statistics });
    }
    let known = lengths.of(&generation);
    if let Some(lists) = Lists::read(transaction, &table, query, weights, known.as_deref())? {
        let best = |asked| lists.best(asked);
        let matches = visible(transaction, &generation, k, best)?;
        lengths.renew(&generation, lists.postings.looked_up());
        return Ok(LexicalRanking { matches, statistics: lists.statistics() });
    }
    let matches = match expression(query) {
        Some(expression) => {
            let best = |asked| best_of_fts5(transaction, &table, &expression, weights, asked);
            visible(transaction, &generation, k, best)?
        }
        None => Vec::new(),
    };
    Ok(LexicalRanking { matches, statistics: statistics(transaction, &table, query)? })
}

/// The first `k` visible ones of what `best` ranks.
fn visible(
    transaction: &Transaction<'_>,
    generation: &Generation,
    k: u32,
    best: impl Fn(u32) -> Result<Vec<Scored>, Trouble>,
) -> Result<Vec<LexicalMatch>, Trouble> {
    if k == 0 {
        return Ok(Vec::new());
    }
    // The best of all first, then which of them may be seen: looking at the document of every
    // match would cost more than the search. More is asked for while too many are not visible.
    let mut asked = k.saturating_add(k / 4).saturating_add(16);
    let mut sight = Sight::new(transaction, generation);
    loop {
        let ranked = best(asked)?;
        let mut matches = Vec::with_capacity(ranked.len().min(k as usize));
        for Scored { row, score } in &ranked {
            if matches.len() >= k as usize {
                break;
            }
            let chunk = sight.chunk_with_key(*row)?;
            matches.extend(chunk.map(|chunk_id| LexicalMatch { chunk_id, score: *score }));
        }
        if matches.len() >= k as usize || rows::length(ranked.len()) < asked || asked == u32::MAX {
            return Ok(matches);
        }
        asked = asked.saturating_mul(8);
    }
}

/// The lists of a question's terms.
struct Lists<'t> {
    postings: Postings<'t>,
    lists: Vec<Vec<Posting>>,
    /// For each term its list; terms that are written alike share one.
    terms: Vec<usize>,
}

impl<'t> Lists<'t> {
    /// `None` when they have to be left to FTS5.
    fn read(
        transaction: &'t Transaction<'t>,
        table: &str,
        query: &LexicalQuery,
        weights: LexicalWeights,
        lengths: Option<&'t Lengths>,
    ) -> Result<Option<Self>, Trouble> {
        let is_simple = query.terms.len() <= LexicalQuery::MAX_TERMS
            && query.terms.iter().all(|it| !it.is_prefix && it.words.len() <= MAX_PHRASE);
        let postings =
            if is_simple { Postings::open(transaction, table, weights, lengths)? } else { None };
        let Some(postings) = postings else { return Ok(None) };
        let (mut lists, mut terms) = (Vec::new(), Vec::with_capacity(query.terms.len()));
        let mut places: HashMap<&[String], usize> = HashMap::new();
        for LexicalTerm { words, .. } in &query.terms {
            let place = match places.get(words.as_slice()) {
                Some(place) => *place,
                None => {
                    let Some(list) = postings.list(words)? else { return Ok(None) };
                    lists.push(list);
                    lists.len() - 1
                }
            };
            places.insert(words, place);
            terms.push(place);
        }
        Ok(Some(Self { postings, lists, terms }))
    }

    fn best(&self, asked: u32) -> Result<Vec<Scored>, Trouble> {
        let average = self.postings.average_length();
        let ranking = Ranking::new(&self.lists, &self.terms, self.postings.rows(), average);
        ranking.best(asked as usize, |row| self.postings.length(row))
    }

    fn statistics(&self) -> WordStatistics {
        let length = |at: &usize| self.lists.get(*at).map_or(0, |list| rows::length(list.len()));
        WordStatistics {
            chunks: u32::try_from(self.postings.rows()).unwrap_or(u32::MAX),
            average_length: self.postings.average_length(),
            chunks_with: self.terms.iter().map(length).collect(),
        }
    }
}

/// The best matches by FTS5's own ranking.
fn best_of_fts5(
    transaction: &Transaction<'_>,
    table: &str,
    expression: &str,
    weights: LexicalWeights,
    asked: u32,
) -> Result<Vec<Scored>, Trouble> {
    // Keys grow with time: of equally good chunks the older stands first.
    let sql = format!(
        "SELECT rowid AS key, bm25({table}, ?3, ?4, ?5) AS score FROM {table}
         WHERE {table} MATCH ?1 ORDER BY score, rowid LIMIT ?2"
    );
    let LexicalWeights { title, heading, body } = weights;
    rows::all(transaction, &sql, params![expression, asked, title, heading, body], |row| {
        // FTS5 gives the better the lower number.
        Ok(Scored { row: row.get("key")?, score: -row.get::<_, f64>("score")? })
    })
}

/// How common the terms are, by asking FTS5 for each alone.
fn statistics(
    transaction: &Transaction<'_>,
    table: &str,
    query: &LexicalQuery,
) -> Result<WordStatistics, Trouble> {
    let (chunks, words) = postings::totals(transaction, table)?;
    let sql = format!("SELECT count(*) FROM {table} WHERE {table} MATCH ?1");
    let count = |term| match string(term) {
        Some(string) => {
            Ok(rows::one(transaction, &sql, [string], |row| row.get(0))?.unwrap_or_default())
        }
        None => Ok(0),
    };
    Ok(WordStatistics {
        chunks: u32::try_from(chunks).unwrap_or(u32::MAX),
        average_length: postings::average(chunks, words),
        chunks_with: query.terms.iter().map(count).collect::<Result<_, Trouble>>()?,
    })
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

#[cfg(test)]
mod tests;
