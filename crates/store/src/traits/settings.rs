//! Settings: what a person chose, by key.

use crate::StoreError;

/// A small map of words.
pub trait SettingsStore {
    /// The value under `key`.
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Keeps `value` under `key`, in place of what was there.
    fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError>;
}
