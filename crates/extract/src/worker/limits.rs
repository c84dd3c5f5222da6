//! What one document may cost.

use std::time::Duration;

/// What one document may cost, and how many are read at once. The defaults are the product's;
/// other values are for tests and tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How long the disk may give no byte of a file.
    pub disk: Duration,
    /// How long a document may take, by the clock on the wall.
    pub document: Duration,
    /// When scans are recognised, how much longer each page may take: then a document has this and
    /// [`document`](Self::document) anew after each page.
    pub page: Duration,
    /// Seconds of processor time for a document, and for each recognised page (Unix).
    pub cpu_seconds: u32,
    /// Bytes of address space beyond what the worker's program itself takes (Linux).
    pub memory_bytes: u64,
    /// Bytes that a worker may answer of one document, packed as JSON.
    pub output_bytes: u64,
    /// Bytes of memory that a worker may hold after a document and be used again (Linux).
    pub resting_bytes: u64,
    /// After how many documents a worker is replaced, whatever it looks like.
    pub documents_per_worker: u32,
    /// How many workers run at a time.
    pub workers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            disk: Duration::from_secs(30),
            document: Duration::from_secs(30),
            page: Duration::from_secs(60),
            cpu_seconds: 60,
            memory_bytes: 1 << 30,
            output_bytes: 256 << 20,
            resting_bytes: 256 << 20,
            documents_per_worker: 200,
            workers: std::thread::available_parallelism().map_or(1, |count| count.get().min(4)),
        }
    }
}

impl Limits {
    /// How long is waited for the next sign of life of a document that is being read.
    pub(super) fn patience(&self, recognise: bool) -> Duration {
        if recognise { self.document.saturating_add(self.page) } else { self.document }
    }
}

/// `1 GiB`, `256 MiB`.
pub(super) fn in_words(bytes: u64) -> String {
    if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) {
        format!("{} GiB", bytes >> 30)
    } else {
        format!("{} MiB", bytes.div_ceil(1 << 20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_said_in_its_largest_whole_unit() {
        assert_eq!(in_words(1 << 30), "1 GiB");
        assert_eq!(in_words(256 << 20), "256 MiB");
        assert_eq!(in_words((1 << 30) + 1), "1025 MiB");
    }
}
