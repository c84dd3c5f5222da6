//! `ancre extract`

use std::path::Path;

use ancre_app::operations::rag;
use ancre_app::wire::WireError;

use crate::output::{Outcome, line, print_json};

pub(crate) fn run(path: &Path, json: bool) -> Result<Outcome, WireError> {
    let extracted = rag::extract_file(path)?;
    if json {
        print_json(&extracted);
    } else {
        line!("{}", extracted.text);
    }
    Ok(Outcome::Done)
}
