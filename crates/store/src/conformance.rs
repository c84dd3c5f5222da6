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

mod cache;
mod desk;
mod documents;
mod generations;
mod hits;
mod jobs;
mod knowledge_bases;
mod lexical;
mod library;
mod lifecycle;
mod questions;
mod scene;
mod search;

pub use cache::*;
pub use desk::*;
pub use documents::*;
pub use generations::*;
pub use hits::*;
pub use jobs::*;
pub use knowledge_bases::*;
pub use lexical::*;
pub use library::*;
pub use lifecycle::*;
pub use questions::*;
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
            an_embedded_text_is_remembered
            the_longest_unused_vector_is_forgotten_first
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
            a_chunk_is_as_near_as_its_windows_are
            every_k_is_answered_by_chunks_of_many_windows
            a_document_that_is_switched_off_is_not_found
            chunks_are_shown_with_their_real_distance
            chunks_of_another_base_are_not_shown
            a_passage_is_shown_with_what_stands_around_it
            words_are_found_whatever_their_case_and_accents
            phrases_and_beginnings_are_found
            whatever_is_typed_is_a_query
            a_field_counts_as_much_as_its_weight
            a_search_for_words_sees_only_what_it_may
            every_k_is_answered_by_words
            words_go_with_their_document
            a_new_base_serves_from_its_first_generation
            the_old_index_serves_until_the_new_one_is_whole
            building_goes_on_where_it_stopped
            a_cancelled_generation_leaves_nothing
            a_generation_takes_documents_whole_or_not_at_all
            a_document_indexed_across_a_switch_is_indexed_again
            the_previous_generation_comes_back
            a_deleted_document_leaves_every_generation
            a_base_leaves_with_all_its_generations
            generations_are_invisible_to_other_projects
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
            questions_are_kept_and_changed
            a_question_belongs_to_its_base
            a_question_follows_the_new_version_of_its_document
            measurements_are_kept_whole
            words_are_counted_in_their_base
            a_job_is_kept_as_it_was_asked_for
            jobs_are_taken_in_their_order
            a_job_is_leased_once
            a_lease_ends_with_its_store
            a_job_that_was_put_off_comes_back
            a_persons_word_counts
            only_what_failed_is_tried_again
            jobs_are_listed_by_what_goes_on
            an_item_becomes_many
            ten_thousand_items_are_listed_by_pieces
            an_item_keeps_its_outcome
            a_deleted_base_ends_its_jobs
            what_was_cancelled_is_not_done
            a_document_comes_with_its_item_or_not_at_all
            a_document_without_a_job_is_found
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
