//! `ancre search`

use ancre_app::operations::rag;
use ancre_app::wire::{MissingPart, Passage, Search, SearchHit, ShowAround, WireError};
use ancre_domain::PageKind;

use crate::arguments::{AroundArguments, SearchArguments};
use crate::names::not_found;
use crate::output::{Outcome, line, lines, note, one_line, place, print_json};
use crate::session::Session;

pub(crate) fn run(session: &Session, arguments: SearchArguments) -> Result<Outcome, WireError> {
    let kb_ids = session.knowledge_bases(&arguments.kb)?;
    let input = Search {
        query: arguments.query,
        kb_ids,
        top_k: Some(arguments.top_k),
        max_distance: arguments.max_distance,
        mode: Some(arguments.mode.into()),
        rerank: arguments.rerank,
    };
    let result = rag::search(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&result);
        return Ok(Outcome::Done);
    }
    for gap in &result.gaps {
        let missing = match gap.missing {
            MissingPart::Vectors => "its vectors are missing: it was searched by words alone",
            MissingPart::Words => "its words are not indexed: it was searched by meaning alone",
        };
        note!("warning: “{}”: {missing}\n", one_line(&gap.kb_name));
    }
    if result.is_reranked == Some(false) {
        note!("warning: the reranker was late or failed: the order is the search's own\n");
    }
    if result.hits.is_empty() {
        line!("nothing was found");
    }
    for (index, hit) in result.hits.iter().enumerate() {
        let place = whereabouts(
            hit.heading.as_deref(),
            (hit.page, hit.page_kind, hit.page_label.as_deref()),
        );
        line!("{}. {}{place}  (distance {:.3})", index + 1, hit.document_title, hit.distance);
        if arguments.explain {
            line!("   {}", explanation(hit));
        }
        print_text(&hit.content);
        line!("");
    }
    Ok(Outcome::Done)
}

/// Why a passage was found, on one line.
fn explanation(hit: &SearchHit) -> String {
    let rank = |rank: Option<u32>| rank.map_or("-".to_owned(), |rank| format!("#{rank}"));
    let mut parts = vec![
        format!("score {:.3}", hit.score),
        format!("by meaning {}", rank(hit.vector_rank)),
        format!("by words {} ({:.3})", rank(hit.lexical_rank), hit.lexical_score.unwrap_or(0.0)),
    ];
    if !hit.matched_terms.is_empty() {
        parts.push(format!("has {}", hit.matched_terms.join(", ")));
    }
    parts.push(format!("passage {}", hit.chunk_id));
    format!("[{}]", parts.join("; "))
}

/// Where in its document a passage stands: ` › Refunds, page 3`.
fn whereabouts(
    heading: Option<&str>,
    (page, kind, label): (Option<u32>, Option<PageKind>, Option<&str>),
) -> String {
    let heading = heading.map(|path| format!(" › {path}")).unwrap_or_default();
    let place = place(page, kind, label).map(|place| format!(", {place}")).unwrap_or_default();
    format!("{heading}{place}")
}

fn print_text(text: &str) {
    for line in text.lines() {
        lines!("   {line}");
    }
}

/// Shows what stands around a passage.
pub(crate) fn around(session: &Session, arguments: &AroundArguments) -> Result<Outcome, WireError> {
    let id = &arguments.passage;
    let chunk_id = id.parse().map_err(|_| not_found("passage", id, "ancre search --explain"))?;
    let (before, after) = (Some(arguments.before), Some(arguments.after));
    let input = ShowAround { chunk_id, before, after };
    let passages: Vec<Passage> = rag::show_around(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&passages);
        return Ok(Outcome::Done);
    }
    for passage in &passages {
        let place = whereabouts(
            passage.heading.as_deref(),
            (passage.page, passage.page_kind, passage.page_label.as_deref()),
        );
        let mark = if passage.chunk_id.as_str() == id { " *" } else { "" };
        line!("{}.{place}{mark}", passage.position + 1);
        print_text(&passage.content);
        line!("");
    }
    Ok(Outcome::Done)
}
