//! The table `settings`.

use rusqlite::params;

use super::{SqliteStore, rows};
use crate::StoreError;
use crate::traits::SettingsStore;

impl SettingsStore for SqliteStore {
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|transaction| {
            rows::one(transaction, "SELECT value FROM settings WHERE key = ?1", [key], |row| {
                row.get(0)
            })
        })
    }

    fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            rows::change(
                transaction,
                "INSERT INTO settings (key, value) VALUES (?1, ?2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                params![key, value],
            )?;
            Ok(())
        })
    }
}
