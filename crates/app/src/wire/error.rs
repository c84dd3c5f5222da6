//! The one error that interfaces know.

use std::fmt;

use ancre_domain::{ErrorCode, Explain};
use serde::Serialize;
use ts_rs::TS;

/// An error as it crosses to an interface.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WireError {
    /// What the interface can act on, and localise by.
    pub code: ErrorCode,
    /// One English sentence.
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
    /// More for the curious, such as the names that the sentence speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub details: Option<serde_json::Value>,
}

impl WireError {
    /// An error of the caller's input.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::InvalidInput, message: message.into(), hint: None, details: None }
    }

    /// A fault of the program or the machine.
    pub fn fault(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::Internal,
            message: message.into(),
            hint: Some("Try again; if it happens again, restart Ancre.".to_owned()),
            details: None,
        }
    }

    /// What an explaining error looks like outside.
    pub fn explain(error: &dyn Explain) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint(),
            details: error.details(),
        }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for WireError {}

impl<E: Explain> From<E> for WireError {
    fn from(error: E) -> Self {
        Self::explain(&error)
    }
}
