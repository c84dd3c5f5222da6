//! How common words are in an index.
//!
//! FTS5 keeps the number of rows and of words of each column in the row 1 of its table of data
//! (its documentation calls it the averages record: integers of variable length, the rows first).
//! How many rows have a word is counted by asking for it alone.

use ancre_domain::{KnowledgeBaseId, ProjectId};
use rusqlite::Transaction;

use super::generations::{self, Generation};
use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::{lexical, rows, text_tables};
use crate::traits::{LexicalQuery, WordStatistics};

/// What is known of the terms of a query in the generation that serves.
pub(super) fn of_query(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    query: &LexicalQuery,
) -> Result<WordStatistics, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    let table = generation.text_table();
    if !generation.has_all_words || !text_tables::exists(transaction, &table)? {
        let chunks_with = vec![0; query.terms.len()];
        return Ok(WordStatistics { chunks: 0, average_length: 0.0, chunks_with });
    }
    let (chunks, average_length) = averages(transaction, &generation)?;
    let sql = format!("SELECT count(*) FROM {table} WHERE {table} MATCH ?1");
    let count = |term| match lexical::string(term) {
        Some(string) => {
            Ok(rows::one(transaction, &sql, [string], |row| row.get(0))?.unwrap_or_default())
        }
        None => Ok(0),
    };
    let chunks_with = query.terms.iter().map(count).collect::<Result<_, Trouble>>()?;
    Ok(WordStatistics { chunks, average_length, chunks_with })
}

/// The number of rows and the mean number of words of a row.
fn averages(transaction: &Transaction<'_>, generation: &Generation) -> Result<(u32, f64), Trouble> {
    let sql = format!("SELECT block FROM {}_data WHERE id = 1", generation.text_table());
    let block: Vec<u8> = rows::one(transaction, &sql, [], |row| row.get(0))?.unwrap_or_default();
    let numbers = varints(&block);
    let Some((chunks, lengths)) = numbers.split_first().filter(|(chunks, _)| **chunks > 0) else {
        return Ok((0, 0.0));
    };
    let words: u64 = lengths.iter().sum();
    Ok((u32::try_from(*chunks).unwrap_or(u32::MAX), words as f64 / *chunks as f64))
}

/// Integers of variable length as SQLite writes them: seven bits a byte, the highest first, the
/// ninth byte whole.
fn varints(bytes: &[u8]) -> Vec<u64> {
    let mut numbers = Vec::new();
    let (mut number, mut length) = (0_u64, 0);
    for byte in bytes {
        length += 1;
        let is_last = length == 9 || byte & 0x80 == 0;
        let (bits, value) =
            if length == 9 { (8, u64::from(*byte)) } else { (7, u64::from(byte & 0x7f)) };
        number = (number << bits) | value;
        if is_last {
            numbers.push(number);
            (number, length) = (0, 0);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_variable_length_are_read() {
        assert_eq!(varints(&[0x05, 0x81, 0x00, 0x7f]), [5, 128, 127]);
        assert_eq!(varints(&[0xff; 9]), [u64::MAX]);
        assert_eq!(varints(&[0x80]), [0_u64; 0], "cut off");
    }
}
