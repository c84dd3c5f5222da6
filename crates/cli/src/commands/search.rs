//! `ancre search`

use ancre_app::operations::rag;
use ancre_app::wire::{Search, WireError};

use crate::arguments::{Mode, SearchArguments};
use crate::output::{Outcome, line, place, print_json};
use crate::session::Session;

pub(crate) fn run(session: &Session, arguments: SearchArguments) -> Result<Outcome, WireError> {
    let kb_ids = session.knowledge_bases(&arguments.kb)?;
    let Mode::Vector = arguments.mode;
    let input = Search {
        query: arguments.query,
        kb_ids,
        top_k: Some(arguments.top_k),
        max_distance: arguments.max_distance,
    };
    let result = rag::search(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&result);
        return Ok(Outcome::Done);
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
        for line in hit.content.lines() {
            line!("   {line}");
        }
        line!("");
    }
    Ok(Outcome::Done)
}
