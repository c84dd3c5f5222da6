//! Rerankers: which are installed, putting one in and taking it away.

use ancre_models::RerankerImport;
use ancre_store::StoreError;

use crate::Ancre;
use crate::engine::{ListedReranker, in_words};
use crate::operations::Never;
use crate::wire::{ImportReranker, InstalledReranker, Nothing, RerankerRef, WireError};

/// The tokens of a pair that a person can ask for.
const TOKENS: std::ops::RangeInclusive<u32> = 16..=8192;

/// Lists the rerankers that are installed, the one that searches use among them.
///
/// # Errors
///
/// None: what is wrong with a pack stands beside it.
pub fn list_rerankers(
    ancre: &Ancre,
    _: Nothing,
    _: &dyn Fn(Never),
) -> Result<Vec<InstalledReranker>, WireError> {
    Ok(ancre.engine().rerankers().into_iter().map(InstalledReranker::from).collect())
}

/// Puts a reranker in, and lists those that are installed then.
///
/// # Errors
///
/// `invalid_input` without a licence, or for an impossible id or window; `name_taken`;
/// `reranker_damaged` naming the file; `runtime_missing`; `data_in_use`, and that
/// the data folder cannot be written.
pub fn import_reranker(
    ancre: &Ancre,
    input: ImportReranker,
    _: &dyn Fn(Never),
) -> Result<Vec<InstalledReranker>, WireError> {
    ensure_writable(ancre)?;
    ancre.engine().import_reranker(&wanted(input)?)?;
    list_rerankers(ancre, Nothing {}, &|_| ())
}

/// Takes a reranker away.
///
/// # Errors
///
/// `reranker_missing`; `invalid_input` for one that came with the program; `data_in_use`, and that
/// the data folder cannot be written.
pub fn remove_reranker(
    ancre: &Ancre,
    input: RerankerRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    ensure_writable(ancre)?;
    ancre.engine().remove_reranker(&input.id)?;
    Ok(Nothing {})
}

/// What is put in, with what follows from the folder.
fn wanted(input: ImportReranker) -> Result<RerankerImport, WireError> {
    let ImportReranker { folder, id, license, source, max_tokens } = input;
    let given =
        |text: Option<String>| text.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    let named = || Some(folder.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned());
    let id = given(id).or_else(named).unwrap_or_default();
    let license = given(license);
    if !RerankerImport::is_pack(&folder) {
        if !RerankerImport::is_possible_id(&id) {
            return Err(WireError::invalid(format!(
                "a reranker cannot be called “{id}”: letters, digits, dots and dashes are possible"
            )));
        }
        if license.is_none() {
            return Err(WireError::invalid(
                "the licence of the model is missing: look it up where the model came from",
            ));
        }
    }
    if max_tokens.is_some_and(|tokens| !TOKENS.contains(&tokens)) {
        return Err(WireError::invalid("a reranker reads 16 to 8,192 tokens"));
    }
    let source = given(source).unwrap_or_else(|| folder.display().to_string());
    Ok(RerankerImport { folder, id, license: license.unwrap_or_default(), source, max_tokens })
}

/// The store refuses by itself what changes it; packs lie beside it.
fn ensure_writable(ancre: &Ancre) -> Result<(), WireError> {
    if ancre.is_read_only() {
        let folder = ancre.data_folder().to_owned();
        return Err(StoreError::DataInUse { folder }.into());
    }
    Ok(())
}

impl From<ListedReranker> for InstalledReranker {
    fn from(listed: ListedReranker) -> Self {
        let ListedReranker { found, is_used, is_removable } = listed;
        let id = found.id();
        let empty = Self {
            id,
            version: String::new(),
            max_tokens: 0,
            license: String::new(),
            source: String::new(),
            is_used,
            is_removable,
            error: None,
        };
        match found.description {
            Ok(it) => Self {
                version: it.version,
                max_tokens: it.max_tokens,
                license: it.license,
                source: it.source,
                ..empty
            },
            Err(error) => Self { error: Some(in_words(error)), ..empty },
        }
    }
}
