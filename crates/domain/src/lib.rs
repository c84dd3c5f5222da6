//! The words of Ancre as types.
//!
//! Every other crate speaks with these: ids as newtypes, one struct for each noun of the
//! design's list of words, and the rules that need no input or output. There is no I/O here, no
//! clock, no SQL, no network; time and randomness come in as parameters.

mod agent;
mod cancellation;
mod chunk;
mod clock;
mod document;
mod error_code;
mod generation;
mod hit;
mod ids;
mod invisible;
mod job;
mod knowledge_base;
mod language;
mod name;
mod page;
mod pagination;
mod project;
mod question;
mod run;
mod search_mode;
mod search_record;
mod source;
mod ticket;
mod warning;

pub use agent::{Agent, AgentDetails};
pub use cancellation::Cancellation;
pub use chunk::{CharRange, Chunk};
pub use clock::{Clock, Timestamp};
pub use document::{Document, DocumentCounts, DocumentFailure, DocumentStatus};
pub use error_code::{ErrorCode, ErrorDetails, Explain};
pub use generation::{GenerationState, IndexGeneration, IndexHealth};
pub use hit::{Hit, preview};
pub use ids::{
    AgentId, BenchRunId, ChunkId, DocumentId, InvalidId, JobId, KnowledgeBaseId, MessageId,
    ProjectId, QuestionId, RunId, SourceId, TicketId, TicketSourceId,
};
pub use invisible::{is_blank, is_invisible, is_shaping};
pub use job::{Job, JobFailure, JobItem, JobItemState, JobKind, JobProgress, JobState, JobStep};
pub use knowledge_base::{ChunkingSettings, InvalidChunking, KnowledgeBase};
pub use language::Language;
pub use name::{name_key, tidy_name};
pub use page::{Page, PageRequest};
pub use pagination::{PageKind, Pagination, TextPage};
pub use project::Project;
pub use question::{
    BenchFigures, BenchHit, BenchResult, BenchRun, BenchSettings, ExpectedPassage, Question,
};
pub use run::{Run, RunHit, RunStatus, RunTimings, Sentence, Support, TicketSource};
pub use search_mode::SearchMode;
pub use search_record::{SearchRecord, SearchedIndex};
pub use source::{Heading, Source, SourceAttachment, SourceKind, SourceSummary};
pub use ticket::{Direction, Message, Ticket, TicketStatus};
pub use warning::Warning;
