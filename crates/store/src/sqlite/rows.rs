//! Small parts of reading and writing rows that every table family shares: ids, words, JSON,
//! names, pages.

use std::error::Error;
use std::str::FromStr;

use ancre_domain::{PageRequest, Timestamp};
use rusqlite::types::{FromSqlError, Type};
use rusqlite::{CachedStatement, Params, Row, Transaction};
use serde::de::DeserializeOwned;

use super::place::Trouble;

/// The id in `column`.
pub(super) fn id<T>(row: &Row<'_>, column: &str) -> rusqlite::Result<T>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    let text = row.get_ref(column)?.as_str().map_err(|error| unreadable(row, column, error))?;
    text.parse().map_err(|error: T::Err| unreadable(row, column, error))
}

/// The id in `column`, where there is one.
pub(super) fn optional_id<T>(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<T>>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    if row.get_ref(column)?.data_type() == Type::Null {
        Ok(None)
    } else {
        id(row, column).map(Some)
    }
}

/// The value that the word in `column` names.
pub(super) fn word<T>(
    row: &Row<'_>,
    column: &str,
    from_word: fn(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    optional_word(row, column, from_word)?
        .ok_or_else(|| unreadable(row, column, FromSqlError::InvalidType))
}

/// The value that the word in `column` names, where there is one.
pub(super) fn optional_word<T>(
    row: &Row<'_>,
    column: &str,
    from_word: fn(&str) -> Option<T>,
) -> rusqlite::Result<Option<T>> {
    let text =
        row.get_ref(column)?.as_str_or_null().map_err(|error| unreadable(row, column, error))?;
    match text {
        None => Ok(None),
        Some(text) => match from_word(text) {
            Some(value) => Ok(Some(value)),
            None => Err(unreadable(row, column, FromSqlError::Other(text.to_owned().into()))),
        },
    }
}

/// The value that the JSON in `column` spells.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str().map_err(|error| unreadable(row, column, error))?;
    serde_json::from_str(text).map_err(|error| unreadable(row, column, error))
}

/// The value that the JSON in `column` spells, where there is one.
pub(super) fn optional_json<T: DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    if row.get_ref(column)?.data_type() == Type::Null {
        Ok(None)
    } else {
        json(row, column).map(Some)
    }
}

/// The moment in `column`.
pub(super) fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Timestamp> {
    row.get(column).map(Timestamp::from_millis)
}

/// Every row of a query.
pub(super) fn all<T>(
    transaction: &Transaction<'_>,
    sql: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Trouble> {
    let mut statement = transaction.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The only row of a query, if it has one.
pub(super) fn one<T>(
    transaction: &Transaction<'_>,
    sql: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, Trouble> {
    use rusqlite::OptionalExtension;
    Ok(transaction.prepare_cached(sql)?.query_row(parameters, read).optional()?)
}

/// The statement that is kept in `place`, where it is put the first time. For what is asked hundreds
/// of times in a row: preparing a statement, even one that is cached, takes as long as a look-up.
pub(super) fn kept<'kept, 't>(
    place: &'kept mut Option<CachedStatement<'t>>,
    transaction: &'t Transaction<'t>,
    sql: &str,
) -> Result<&'kept mut CachedStatement<'t>, Trouble> {
    match place {
        Some(statement) => Ok(statement),
        empty => Ok(empty.insert(transaction.prepare_cached(sql)?)),
    }
}

/// Changes rows, and says how many.
pub(super) fn change(
    transaction: &Transaction<'_>,
    sql: &str,
    parameters: impl Params,
) -> Result<usize, Trouble> {
    Ok(transaction.prepare_cached(sql)?.execute(parameters)?)
}

/// The `LIMIT` and `OFFSET` of a page.
pub(super) fn limit_and_offset(page: PageRequest) -> (u32, u32) {
    (page.limit.min(PageRequest::MAX_LIMIT), page.offset)
}

/// A length as the database and the domain have it. Nothing in a database reaches four billion:
/// SQLite's own limit for a text is two.
pub(super) fn length(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn unreadable(
    row: &Row<'_>,
    column: &str,
    error: impl Error + Send + Sync + 'static,
) -> rusqlite::Error {
    let index = row.as_ref().column_index(column).unwrap_or(0);
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, Box::new(error))
}
