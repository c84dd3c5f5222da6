//! `ancre search`

use ancre_app::operations::rag;
use ancre_app::wire::{MissingPart, Search, SearchHit, WireError};

use crate::arguments::SearchArguments;
use crate::output::{Outcome, line, note, place, print_json};
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
        note!("warning: “{}”: {missing}\n", gap.kb_name);
    }
    if result.is_reranked == Some(false) {
        note!("warning: the reranker was late or failed: the order is the search's own\n");
    }
    if result.hits.is_empty() {
        line!("nothing was found");
    }
    for (index, hit) in result.hits.iter().enumerate() {
        let heading = hit.heading.as_deref().map(|path| format!(" › {path}")).unwrap_or_default();
        let place = place(hit.page, hit.page_kind, hit.page_label.as_deref());
        let place = place.map(|place| format!(", {place}")).unwrap_or_default();
        line!(
            "{}. {}{heading}{place}  (distance {:.3})",
            index + 1,
            hit.document_title,
            hit.distance
        );
        if arguments.explain {
            line!("   {}", explanation(hit));
        }
        for line in hit.content.lines() {
            line!("   {line}");
        }
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
    format!("[{}]", parts.join("; "))
}
