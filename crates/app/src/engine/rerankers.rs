//! The rerankers that people put in, and the one that is used.
//!
//! None comes with the program. A pack lies in the data folder's `models/`, or beside the default
//! model; of several the first by the name of its folder that can be opened is used. The folders are
//! looked at for every search that asks for one, so that what another process put in or took away
//! counts at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ancre_domain::ErrorCode;
use ancre_knowledge::search::Reranking;
use ancre_models::{
    ModelError, PackKind, Reranker, RerankerDescription, RerankerImport, RerankerPack,
};

use super::{Engine, PACKS};
use crate::wire::WireError;

/// Where a pack is made before it has its name. No pack is called so.
const UNFINISHED: &str = ".unfinished-reranker";

/// A folder whose manifest says that it is the pack of a reranker.
pub struct FoundReranker {
    /// The folder.
    pub folder: PathBuf,
    /// What it makes, or what is wrong with it.
    pub description: Result<RerankerDescription, ModelError>,
}

/// A reranker as a list shows it.
pub(crate) struct ListedReranker {
    pub(crate) found: FoundReranker,
    pub(crate) is_used: bool,
    /// Whether it is in the data folder, and not one that came with the program.
    pub(crate) is_removable: bool,
}

/// The reranker that was used last.
#[derive(Default)]
pub(super) struct LoadedReranker(Mutex<Option<Loaded>>);

struct Loaded {
    folder: PathBuf,
    description: RerankerDescription,
    reranker: Arc<dyn Reranker>,
}

/// The packs of rerankers in some folders of packs, by the folders' order and then by name.
pub(super) fn find(places: &[PathBuf]) -> Vec<FoundReranker> {
    let packs = places.iter().flat_map(|place| pack_folders(place));
    let rerankers = packs.filter(|folder| is_reranker(folder));
    rerankers
        .map(|folder| FoundReranker {
            description: RerankerPack::open(&folder).map(|pack| pack.description()),
            folder,
        })
        .collect()
}

/// The folders in a folder of packs, by name; those that are hidden are none.
pub(super) fn pack_folders(place: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let is_hidden = |path: &PathBuf| name(path).starts_with('.');
    let paths = entries.flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> =
        paths.filter(|path| path.is_dir() && !is_hidden(path)).collect();
    folders.sort();
    folders
}

/// Whether a folder says that it is the pack of a reranker.
pub(super) fn is_reranker(folder: &Path) -> bool {
    PackKind::of(folder).is_ok_and(|kind| kind == PackKind::Reranker)
}

/// The name of a folder.
pub(super) fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl FoundReranker {
    /// Its id; where it cannot be opened, the name of its folder.
    pub(crate) fn id(&self) -> String {
        match &self.description {
            Ok(description) => description.id.clone(),
            Err(_) => name(&self.folder),
        }
    }
}

impl Engine {
    /// Every reranker that is installed.
    pub(crate) fn rerankers(&self) -> Vec<ListedReranker> {
        let found = self.loader.rerankers(&self.data_folder);
        let used = found.iter().position(|it| it.description.is_ok());
        let own = self.packs();
        let listed = |(position, found): (usize, FoundReranker)| ListedReranker {
            is_used: Some(position) == used,
            is_removable: found.folder.starts_with(&own),
            found,
        };
        found.into_iter().enumerate().map(listed).collect()
    }

    /// The reranker, loaded if it is not.
    ///
    /// # Errors
    ///
    /// `reranker_missing` when none is installed; what is wrong with the pack or the runtime.
    pub(crate) fn reranking(&self) -> Result<Reranking, WireError> {
        let mut damaged = None;
        for found in self.loader.rerankers(&self.data_folder) {
            match found.description {
                Ok(description) => {
                    let loaded = self.loaded_reranker(found.folder, description);
                    let reranker = loaded.map_err(in_words)?;
                    return Ok(Reranking::new(reranker));
                }
                Err(error) => damaged = damaged.or(Some(error)),
            }
        }
        Err(damaged.map_or_else(|| missing("no reranker is installed"), in_words))
    }

    fn loaded_reranker(
        &self,
        folder: PathBuf,
        description: RerankerDescription,
    ) -> Result<Arc<dyn Reranker>, ModelError> {
        let mut loaded = self.reranker.lock();
        if let Some(it) = &*loaded
            && it.folder == folder
            && it.description == description
        {
            return Ok(Arc::clone(&it.reranker));
        }
        // Before the next is loaded, so that two are not in memory for longer than they must.
        *loaded = None;
        let reranker = self.loader.load_reranker(&folder)?;
        *loaded = Some(Loaded { folder, description, reranker: Arc::clone(&reranker) });
        Ok(reranker)
    }

    /// Puts a reranker in: its files are copied to the data folder, and it is tried before it is one
    /// of the installed.
    ///
    /// # Errors
    ///
    /// `name_taken` when there is one of that id; what is wrong with the folder, the model or the
    /// runtime; that the data folder cannot be written.
    pub(crate) fn import_reranker(&self, import: &RerankerImport) -> Result<(), WireError> {
        // One at a time, and none is searched with while the folders change.
        let _loaded = self.reranker.lock();
        let unfinished = self.packs().join(UNFINISHED);
        let not_written = |cause| ModelError::NotWritten { path: unfinished.clone(), cause };
        // What a process left that died.
        remove(&unfinished).map_err(not_written)?;
        fs::create_dir_all(&unfinished).map_err(not_written)?;
        let finished = self.finish_import(import, &unfinished);
        if finished.is_err() {
            // The reason why it failed is worth more than that something is left of it, which the
            // next import takes away.
            let _ = remove(&unfinished);
        }
        finished
    }

    fn finish_import(&self, import: &RerankerImport, unfinished: &Path) -> Result<(), WireError> {
        let description = import.write_to(unfinished).map_err(in_words)?.description();
        let id = description.id;
        if !RerankerImport::is_possible_id(&id) {
            return Err(WireError::invalid(format!("a reranker cannot be called “{id}”")));
        }
        let folder = self.packs().join(&id);
        if folder.exists() || self.rerankers().iter().any(|it| it.found.id() == id) {
            return Err(WireError {
                code: ErrorCode::NameTaken,
                message: format!("a model “{id}” is installed already"),
                hint: Some("Give the new one another id, or remove the old one first.".to_owned()),
                details: None,
            });
        }
        self.loader.load_reranker(unfinished).map_err(in_words)?;
        fs::rename(unfinished, &folder)
            .map_err(|cause| ModelError::NotWritten { path: folder, cause })?;
        Ok(())
    }

    /// Takes a reranker away, with its folder in the data folder.
    ///
    /// # Errors
    ///
    /// `reranker_missing` when there is none of that id; `invalid_input` for one that is not in the
    /// data folder; that its folder cannot be deleted.
    pub(crate) fn remove_reranker(&self, id: &str) -> Result<(), WireError> {
        let found = self.rerankers().into_iter().find(|it| it.found.id() == id);
        let Some(listed) = found else {
            return Err(missing(&format!("no reranker “{id}” is installed")));
        };
        if !listed.is_removable {
            return Err(WireError::invalid(format!(
                "the reranker “{id}” lies outside of the data folder"
            )));
        }
        *self.reranker.lock() = None;
        let folder = listed.found.folder;
        remove(&folder).map_err(|cause| ModelError::NotWritten { path: folder, cause })?;
        Ok(())
    }

    /// The data folder's folder of packs.
    fn packs(&self) -> PathBuf {
        self.data_folder.join(PACKS)
    }
}

impl LoadedReranker {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Loaded>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is wrong with a reranker. A file that is missing or damaged is not the embedding model's, so
/// it has a code and a hint of its own.
pub(crate) fn in_words(error: ModelError) -> WireError {
    let error = WireError::from(error);
    match error.code {
        ErrorCode::ModelMissing | ErrorCode::ModelDamaged => WireError {
            code: ErrorCode::RerankerDamaged,
            hint: Some(
                "It takes “model.onnx” and “tokenizer.json” of a cross-encoder, with the weights \
                 in the former. Remove it, or import another."
                    .to_owned(),
            ),
            ..error
        },
        _ => error,
    }
}

fn missing(message: &str) -> WireError {
    WireError {
        code: ErrorCode::RerankerMissing,
        message: message.to_owned(),
        hint: Some(
            "Import a cross-encoder with “ancre models import”, or search without reranking."
                .to_owned(),
        ),
        details: None,
    }
}

/// Deletes a folder, if it is there.
fn remove(folder: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
