//! A collection of sources that is indexed and searched together.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{KnowledgeBaseId, ProjectId, Timestamp};

/// A collection of sources indexed with one embedding model and one chunking setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct KnowledgeBase {
    /// Its id.
    pub id: KnowledgeBaseId,
    /// The project it belongs to.
    pub project_id: ProjectId,
    /// Its name, unique in the project.
    pub name: String,
    /// What it is about; may be empty.
    pub description: String,
    /// The embedder whose vectors it holds.
    pub embedding_model_id: String,
    /// The length of those vectors.
    pub embedding_dim: u32,
    /// How its texts are cut.
    pub chunking: ChunkingSettings,
    /// When it was made.
    pub created_at: Timestamp,
}

/// How texts are cut into chunks. Both figures are characters (Unicode scalar values).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ChunkingSettings {
    /// No chunk is longer than this.
    pub size: u32,
    /// How much of a chunk's end the next one repeats.
    pub overlap: u32,
}

impl Default for ChunkingSettings {
    fn default() -> Self {
        Self { size: 2_000, overlap: 200 }
    }
}

impl ChunkingSettings {
    /// The smallest and the largest chunk that a base may ask for.
    pub const SIZE_RANGE: std::ops::RangeInclusive<u32> = 100..=20_000;

    /// Settings that the chunker can honour.
    ///
    /// # Errors
    ///
    /// [`InvalidChunking`] unless the size is in [`Self::SIZE_RANGE`] and the overlap is at most
    /// half of it (beyond that, most of the index would be repetition).
    pub fn new(size: u32, overlap: u32) -> Result<Self, InvalidChunking> {
        if Self::SIZE_RANGE.contains(&size) && overlap <= size / 2 {
            Ok(Self { size, overlap })
        } else {
            Err(InvalidChunking { size, overlap })
        }
    }

    /// These settings with what somebody asks to change. An overlap that nobody named stays where it
    /// fits the new size; where it does not, it becomes a tenth of the size, as the default is.
    ///
    /// # Errors
    ///
    /// [`InvalidChunking`] as for [`Self::new`].
    pub fn changed(self, size: Option<u32>, overlap: Option<u32>) -> Result<Self, InvalidChunking> {
        let size = size.unwrap_or(self.size);
        let kept = if self.overlap <= size / 2 { self.overlap } else { size / 10 };
        Self::new(size, overlap.unwrap_or(kept))
    }
}

/// Chunking settings that cannot be honoured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidChunking {
    /// The size asked for.
    pub size: u32,
    /// The overlap asked for.
    pub overlap: u32,
}

impl fmt::Display for InvalidChunking {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = ChunkingSettings::SIZE_RANGE;
        write!(
            formatter,
            "chunks of {} characters sharing {} are not possible: the size must be {} to {} and the \
             overlap at most half of it",
            self.size,
            self.overlap,
            range.start(),
            range.end()
        )
    }
}

impl std::error::Error for InvalidChunking {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlap_that_nobody_named_stays_where_it_fits() {
        let set = ChunkingSettings { size: 2_000, overlap: 700 };
        let changed = |size, overlap| set.changed(size, overlap).map(|it| (it.size, it.overlap));
        assert_eq!(changed(None, None), Ok((2_000, 700)));
        assert_eq!(changed(Some(1_400), None), Ok((1_400, 700)), "half is still possible");
        assert_eq!(changed(Some(1_000), None), Ok((1_000, 100)), "it does not fit");
        assert_eq!(changed(Some(1_000), Some(0)), Ok((1_000, 0)));
        assert_eq!(changed(None, Some(50)), Ok((2_000, 50)));
        assert!(changed(Some(1_000), Some(700)).is_err() && changed(Some(99), None).is_err());
    }
}
