//! `ancre models`

use ancre_app::operations::rag;
use ancre_app::wire::{
    ImportReranker, InstalledModel, InstalledReranker, Nothing, RerankerRef, WireError,
};
use serde::Serialize;

use crate::arguments::ModelsCommand;
use crate::output::{Outcome, line, print_json, print_table};
use crate::session::Session;

/// Everything that is installed.
#[derive(Serialize)]
struct Installed {
    embedders: Vec<InstalledModel>,
    rerankers: Vec<InstalledReranker>,
}

pub(crate) fn run(session: &Session, command: ModelsCommand) -> Result<Outcome, WireError> {
    match command {
        ModelsCommand::List => list(session)?,
        ModelsCommand::Import { folder, id, license, source, max_tokens } => {
            let input = ImportReranker { folder, id, license, source, max_tokens };
            let rerankers = rag::import_reranker(&session.ancre, input, &|_| ())?;
            if session.json {
                print_json(&rerankers);
            } else {
                line!("imported; the rerankers now:");
                print_table(&reranker_rows(&rerankers));
            }
        }
        ModelsCommand::Remove { id } => {
            rag::remove_reranker(&session.ancre, RerankerRef { id: id.clone() }, &|_| ())?;
            if session.json {
                print_json(&Nothing {});
            } else {
                line!("removed the reranker “{id}”");
            }
        }
    }
    Ok(Outcome::Done)
}

fn list(session: &Session) -> Result<(), WireError> {
    let embedders = rag::list_models(&session.ancre, Nothing {}, &|_| ())?;
    let rerankers = rag::list_rerankers(&session.ancre, Nothing {}, &|_| ())?;
    if session.json {
        print_json(&Installed { embedders, rerankers });
        return Ok(());
    }
    let mut rows: Vec<Vec<String>> = embedders.iter().map(embedder_row).collect();
    rows.extend(reranker_rows(&rerankers));
    print_table(&rows);
    if rerankers.is_empty() {
        line!("no reranker is installed");
    }
    Ok(())
}

fn embedder_row(model: &InstalledModel) -> Vec<String> {
    let note = if model.is_default { "default" } else { "" };
    row("embedder", &model.id, &model.license, note, model.error.as_ref())
}

fn reranker_rows(rerankers: &[InstalledReranker]) -> Vec<Vec<String>> {
    let row_of = |model: &InstalledReranker| {
        let note = if model.is_used { "used" } else { "" };
        row("reranker", &model.id, &model.license, note, model.error.as_ref())
    };
    rerankers.iter().map(row_of).collect()
}

fn row(kind: &str, id: &str, license: &str, note: &str, error: Option<&WireError>) -> Vec<String> {
    let note = error.map_or(note, |error| error.message.as_str());
    [kind, id, license, note].map(str::to_owned).to_vec()
}
