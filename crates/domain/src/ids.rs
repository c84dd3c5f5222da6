//! Ids as newtypes.
//!
//! Every id is a UUIDv7 without dashes: 32 lower-case hexadecimal digits, which sort by the time
//! they were made and may be part of a table name (`vec_kb_<kbId>`). An id that comes from
//! outside is checked before it becomes one of these types, so no later code needs to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::{NoContext, Uuid};

use crate::Timestamp;

/// The text is not an id: an id is 32 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidId;

impl fmt::Display for InvalidId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an id is 32 lower-case hexadecimal digits")
    }
}

impl std::error::Error for InvalidId {}

fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
        pub struct $name(String);

        impl $name {
            /// A fresh id, made at `now` from that time and random bits.
            pub fn generate(now: Timestamp) -> Self {
                let milliseconds = u64::try_from(now.as_millis()).unwrap_or(0);
                let seconds = milliseconds / 1_000;
                let nanoseconds = u32::try_from(milliseconds % 1_000).unwrap_or(0) * 1_000_000;
                let time = uuid::Timestamp::from_unix(NoContext, seconds, nanoseconds);
                Self(Uuid::new_v7(time).simple().to_string())
            }

            /// The 32 digits.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                if is_id(text) { Ok(Self(text.to_owned())) } else { Err(InvalidId) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// Names a [`Project`](crate::Project).
    ProjectId;
    /// Names a [`Source`](crate::Source).
    SourceId;
    /// Names a [`KnowledgeBase`](crate::KnowledgeBase).
    KnowledgeBaseId;
    /// Names a [`Document`](crate::Document).
    DocumentId;
    /// Names a [`Chunk`](crate::Chunk).
    ChunkId;
    /// Names an [`Agent`](crate::Agent).
    AgentId;
    /// Names a [`Ticket`](crate::Ticket).
    TicketId;
    /// Names a [`Message`](crate::Message).
    MessageId;
    /// Names a [`Run`](crate::Run).
    RunId;
    /// Names a [`TicketSource`](crate::TicketSource).
    TicketSourceId;
    /// Names a [`Question`](crate::Question).
    QuestionId;
    /// Names a [`BenchRun`](crate::BenchRun).
    BenchRunId;
    /// Names one piece of long work while it runs.
    JobId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_id_reads_back_and_sorts_by_time() {
        let earlier = SourceId::generate(Timestamp::from_millis(1_000));
        let later = SourceId::generate(Timestamp::from_millis(2_000));
        assert_eq!(earlier.as_str().parse(), Ok(earlier.clone()));
        assert!(earlier < later, "{earlier} was made before {later}");
    }

    #[test]
    fn sql_is_not_an_id() {
        for text in ["", "x; DROP TABLE sources", &"0".repeat(31), &"A".repeat(32)] {
            assert_eq!(text.parse::<KnowledgeBaseId>(), Err(InvalidId), "{text:?}");
        }
    }
}
