//! The stories that every implementation of [`crate::traits`] must be able to tell.
//!
//! For tests only; nothing in the product calls it. An implementation writes one function that
//! makes a [`Subject`] and hands it to [`conformance_stories!`](crate::conformance_stories),
//! which makes a test of each story. A story fails by a panic, as tests do, or by the error of
//! the call that should have worked.
#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "stories are tests, and each is given its own ground to stand on"
)]

mod desk;
mod documents;
mod knowledge_bases;
mod library;
mod lifecycle;
mod scene;
mod search;

pub use desk::*;
pub use documents::*;
pub use knowledge_bases::*;
pub use library::*;
pub use lifecycle::*;
pub use search::*;

use std::any::Any;

use ancre_domain::ProjectId;

use crate::StoreError;
use crate::traits::Store;

/// A fresh, empty storage to tell a story on.
pub struct Subject {
    /// The store.
    pub store: Box<dyn Store>,
    /// Opens another store on the same data, as another process would have it.
    pub open_another: Box<dyn Fn() -> Result<Box<dyn Store>, StoreError>>,
    /// A project on the same data that is not the default one.
    pub other_project: ProjectId,
    /// What must live as long as the stores, such as a temporary folder.
    pub ground: Box<dyn Any>,
}

/// Makes a test of each story; `$subject` is a function that makes a fresh [`Subject`].
#[macro_export]
macro_rules! conformance_stories {
    ($subject:path) => {
        $crate::conformance_stories! { $subject:
            the_same_text_is_stored_once
            a_source_gives_its_text_and_bytes_back
            a_library_is_invisible_to_other_projects
            the_first_project_is_made_once
            a_setting_is_replaced
            a_library_is_found_by_words
            a_filter_never_widens_what_a_project_sees
            a_renamed_source_is_called_so_in_every_base
            a_deleted_source_leaves_every_base
            a_new_version_takes_the_place_in_each_base_when_it_is_ready_there
            a_source_in_no_base_is_replaced_at_once
            a_later_version_overtakes_one_that_waits
            the_same_text_is_no_new_version
            a_base_changes_its_settings
            a_base_name_is_taken_whatever_its_case
            a_base_in_use_cannot_be_deleted
            a_deleted_base_leaves_its_sources
            bases_are_listed_by_name_with_their_counts
            a_base_is_invisible_to_other_projects
            a_document_lives_from_queued_to_ready
            a_source_is_attached_once
            a_source_of_another_project_cannot_be_attached
            an_error_leaves_nothing_behind
            a_document_in_error_can_be_tried_again
            a_claimed_document_is_busy
            a_claim_ends_with_its_store
            only_the_claimant_writes_a_document
            a_document_is_whole_or_not_ready
            a_released_document_waits_again
            a_detached_document_leaves_its_source
            a_document_shows_what_to_know_of_it
            a_document_is_searched_until_the_one_in_its_place_is_ready
            a_ready_document_takes_a_place_at_once
            documents_come_in_pages_newest_first
            a_search_sees_only_ready_documents
            a_search_sees_only_its_own_base
            a_search_cannot_cross_projects
            every_k_is_answered
            of_equal_passages_the_older_comes_first
            far_passages_can_be_left_out
            a_vector_must_fit_its_base
            a_hit_says_where_it_is_from
            an_agent_name_is_taken_whatever_its_case
            an_agent_gets_only_bases_of_its_project
            a_deleted_agent_leaves_its_tickets
            a_ticket_begins_with_the_customers_words
            tickets_come_in_pages_the_last_changed_first
            a_run_is_kept_whole
            a_run_is_kept_whole_or_not_at_all
            a_run_without_a_draft_leaves_the_ticket_open
            snapshots_outlive_what_they_show
            a_deleted_ticket_takes_everything_with_it
            tickets_are_invisible_to_other_projects
        }
    };
    ($subject:path: $($story:ident)*) => {$(
        #[test]
        fn $story() {
            let told = $crate::conformance::$story($subject());
            assert!(told.is_ok(), "{:?}", told);
        }
    )*};
}
