//! A reply as a letter: greeting, thanks, quotations, closing.
//!
//! Each question's answer is a paragraph; inside it the better passage comes first and sentences
//! of one passage keep their document's order. Quotations in another language than the letter's
//! are introduced as such and not translated.

use ancre_domain::{CharRange, Language};
use ancre_models::{Citation, Generation, GenerationRequest, Part};

use super::candidates::Candidate;
use crate::courtesy::Courtesy;

/// The letter that quotes the chosen candidates, `answers` holding those of each question.
pub(super) fn answer(
    request: &GenerationRequest<'_>,
    candidates: &[Candidate],
    answers: &[Vec<usize>],
    languages: &[Option<Language>],
    is_partial: bool,
) -> Generation {
    let mut parts = vec![
        courtesy(Courtesy::Greeting, request.language, true),
        courtesy(Courtesy::Thanks, request.language, true),
    ];
    let mut introduced: Option<Language> = None;
    for chosen in answers {
        for (place, index) in in_reading_order(chosen, candidates).into_iter().enumerate() {
            let candidate = &candidates[index];
            let language = languages[candidate.passage].unwrap_or(request.language);
            let is_foreign = language != request.language;
            let is_introduced = introduced == Some(language);
            if is_foreign && !is_introduced {
                introduced = Some(language);
                parts.push(courtesy(Courtesy::quotes(language), request.language, true));
            } else if !is_foreign {
                introduced = None;
            }
            let starts_paragraph =
                place == 0 || candidate.is_list || (is_foreign && !is_introduced);
            parts.push(quotation(request, candidate, starts_paragraph));
        }
    }
    if is_partial {
        parts.push(courtesy(Courtesy::PartNotFound, request.language, true));
    }
    parts.push(closing(request));
    Generation { parts, has_evidence: true }
}

/// The letter that says that nothing relevant was found.
pub(super) fn nothing_found(request: &GenerationRequest<'_>) -> Generation {
    let parts = vec![
        courtesy(Courtesy::Greeting, request.language, true),
        courtesy(Courtesy::Thanks, request.language, true),
        courtesy(Courtesy::NothingFound, request.language, false),
        closing(request),
    ];
    Generation { parts, has_evidence: false }
}

/// `chosen` is in the order of choice, so the first of a passage tells the passage's worth.
fn in_reading_order(chosen: &[usize], candidates: &[Candidate]) -> Vec<usize> {
    let mut passages: Vec<usize> = Vec::new();
    for index in chosen {
        let passage = candidates[*index].passage;
        if !passages.contains(&passage) {
            passages.push(passage);
        }
    }
    let mut ordered = chosen.to_vec();
    ordered.sort_by_key(|index| {
        let candidate = &candidates[*index];
        let worth = passages.iter().position(|passage| *passage == candidate.passage);
        (worth, candidate.range.start)
    });
    ordered
}

fn quotation(
    request: &GenerationRequest<'_>,
    candidate: &Candidate,
    starts_paragraph: bool,
) -> Part {
    let passage = &request.passages[candidate.passage];
    let characters = |end: usize| {
        let before = passage.content.get(..end).unwrap_or_default().chars().count();
        u32::try_from(before).unwrap_or(u32::MAX)
    };
    let range = CharRange {
        start: characters(candidate.range.start),
        end: characters(candidate.range.end),
    };
    Part {
        text: candidate.text.clone(),
        citations: vec![Citation { number: passage.number, range: Some(range) }],
        starts_paragraph,
    }
}

fn courtesy(courtesy: Courtesy, language: Language, starts_paragraph: bool) -> Part {
    Part { text: courtesy.words(language).to_owned(), citations: Vec::new(), starts_paragraph }
}

fn closing(request: &GenerationRequest<'_>) -> Part {
    match request.signature.trim() {
        "" => courtesy(Courtesy::Closing, request.language, true),
        signature => {
            Part { text: signature.to_owned(), citations: Vec::new(), starts_paragraph: true }
        }
    }
}
