//! An opened Ancre for one command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ancre_app::wire::WireError;
use ancre_app::{Access, Ancre, DocumentReader, Options, PackLoader, places};
use ancre_domain::{Page, PageRequest};

/// The application that a command talks to, and how to talk back.
pub(crate) struct Session {
    pub(crate) ancre: Ancre,
    pub(crate) json: bool,
}

impl Session {
    /// Opens the data folder that was asked for, or the usual one. One that another Ancre is using
    /// can be opened for writing too: then what would change it is refused.
    pub(crate) fn open(
        data: Option<PathBuf>,
        json: bool,
        access: Access,
    ) -> Result<Self, WireError> {
        let folder = data_folder(data)?;
        let mut options = Options::new(&folder, Arc::new(loader(&folder)));
        options.reader = reader(&folder);
        options.access = access;
        Ok(Self { ancre: Ancre::open(options)?, json })
    }
}

/// Every piece of a list, as one.
pub(crate) fn all<T>(
    piece: impl Fn(PageRequest) -> Result<Page<T>, WireError>,
) -> Result<Vec<T>, WireError> {
    let mut items = Vec::new();
    loop {
        let offset = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let page = piece(PageRequest { offset, limit: PageRequest::MAX_LIMIT })?;
        let is_last = page.items.is_empty();
        items.extend(page.items);
        if is_last || items.len() >= page.total as usize {
            return Ok(items);
        }
    }
}

/// The folder in which everything is kept.
pub(crate) fn data_folder(asked: Option<PathBuf>) -> Result<PathBuf, WireError> {
    let environment = std::env::var_os(places::DATA_VARIABLE).map(PathBuf::from);
    places::data_folder(asked, environment).ok_or_else(|| {
        WireError::invalid("this system names no folder for application data; give one with --data")
    })
}

/// Where the embedding model comes from.
pub(crate) fn loader(data_folder: &Path) -> PackLoader {
    places::default_loader(
        std::env::var_os(places::RUNTIME_VARIABLE).map(PathBuf::from),
        std::env::current_exe().ok().as_deref(),
        None,
        data_folder,
    )
}

/// What reads documents.
pub(crate) fn reader(data_folder: &Path) -> DocumentReader {
    places::default_reader(
        std::env::var_os(places::RUNTIME_VARIABLE).map(PathBuf::from),
        std::env::current_exe().ok().as_deref(),
        None,
        data_folder,
    )
}
