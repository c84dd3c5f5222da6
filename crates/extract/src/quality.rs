//! Which pages look garbled.

use ancre_domain::Pagination;

/// The numbers of the pages whose text is hardly text.
pub(crate) fn garbled_pages(_text: &str, _pagination: &Pagination) -> Vec<u32> {
    Vec::new()
}
