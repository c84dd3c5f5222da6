//! Where things lie on a machine: the data folder, ONNX Runtime, the model packs, the libraries
//! that read PDFs and scans.
//!
//! The environment and the program's own path come in as parameters, so that every rule here can
//! be tested; hosts read them once at their start.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};

use ancre_extract::{Libraries, WORKER_ARGUMENT, WorkerCommand};

use crate::engine::PackLoader;
use crate::reading::DocumentReader;

/// The model pack that new bases use.
pub const DEFAULT_PACK: &str = "multilingual-e5-small";

/// Names the data folder when a host was told nothing.
pub const DATA_VARIABLE: &str = "ANCRE_DATA";

/// Names the folder that holds `onnxruntime/`, `models/`, `pdfium/` and `tesseract/`, before any
/// other place.
pub const RUNTIME_VARIABLE: &str = "ANCRE_RUNTIME";

/// The data folder: what was `asked` for, else the environment's, else the system's place for
/// application data.
pub fn data_folder(asked: Option<PathBuf>, environment: Option<PathBuf>) -> Option<PathBuf> {
    asked.or(environment).or_else(|| {
        directories::ProjectDirs::from("app", "Ancre", "Ancre")
            .map(|places| places.data_dir().to_owned())
    })
}

/// The loader of the default pack in the runtime folder: see [`runtime_folder`].
pub fn default_loader(
    environment: Option<PathBuf>,
    executable: Option<&Path>,
    resources: Option<&Path>,
    data_folder: &Path,
) -> PackLoader {
    let place = runtime_folder(environment, executable, resources, data_folder);
    PackLoader {
        pack: place.join("models").join(DEFAULT_PACK),
        runtime_library: library(&place.join("onnxruntime"), "onnxruntime"),
    }
}

/// The reader with the libraries of the runtime folder: see [`runtime_folder`] and [`libraries`].
/// Its workers are the program at `executable`, the running one, which must call
/// [`run_worker_if_asked`](crate::run_worker_if_asked) first of all.
pub fn default_reader(
    environment: Option<PathBuf>,
    executable: Option<&Path>,
    resources: Option<&Path>,
    data_folder: &Path,
) -> DocumentReader {
    let place = runtime_folder(environment, executable, resources, data_folder);
    let command = WorkerCommand {
        program: executable.map(Path::to_owned).unwrap_or_default(),
        arguments: vec![WORKER_ARGUMENT.to_owned()],
    };
    DocumentReader::isolated(command, libraries(&place))
}

/// The libraries for PDFs and scans that a runtime folder holds. What is not there is left out,
/// and documents are read without it, as well as that goes.
pub fn libraries(runtime: &Path) -> Libraries {
    let runtime = std::path::absolute(runtime).unwrap_or_else(|_| runtime.to_owned());
    let (pdfium, tesseract) = (runtime.join("pdfium"), runtime.join("tesseract"));
    Libraries {
        pdfium: Some(library(&pdfium, "pdfium")).filter(|path| path.is_file()),
        tesseract: Some(library(&tesseract, "tesseract")).filter(|path| path.is_file()),
        tessdata: Some(tesseract.join("tessdata")).filter(|path| path.is_dir()),
    }
}

/// The first of the usual places that holds a runtime folder: the environment's, beside the
/// program, in the installed package's resources, in the data folder, and, for a program that was
/// built in a clone, in the clone. When none does, the first place is named, so that the error
/// says where it was expected.
pub fn runtime_folder(
    environment: Option<PathBuf>,
    executable: Option<&Path>,
    resources: Option<&Path>,
    data_folder: &Path,
) -> PathBuf {
    let mut places: Vec<PathBuf> = environment.into_iter().collect();
    let beside = executable.and_then(Path::parent);
    places.extend(beside.map(|folder| folder.join("runtime")));
    places.extend(resources.map(|folder| folder.join("runtime")));
    places.push(data_folder.join("runtime"));
    // `target/debug/deps/test` is the deepest that cargo puts a program.
    let ancestors = beside.into_iter().flat_map(|folder| folder.ancestors().skip(1).take(3));
    places.extend(ancestors.map(|folder| folder.join("runtime")));

    let holds_runtime = |place: &&PathBuf| place.join("models").join(DEFAULT_PACK).is_dir();
    places.iter().find(holds_runtime).or(places.first()).cloned().unwrap_or_default()
}

/// A shared library in a folder, as this system names it.
fn library(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_pack(place: &Path) {
        std::fs::create_dir_all(place.join("runtime/models").join(DEFAULT_PACK)).unwrap();
    }

    #[test]
    fn a_program_built_in_a_clone_finds_the_runtime_of_the_clone() {
        let clone = tempfile::tempdir().unwrap();
        make_pack(clone.path());
        let executable = clone.path().join("target/debug/ancre");
        let loader = default_loader(None, Some(&executable), None, Path::new("/nowhere"));
        assert!(loader.pack.starts_with(clone.path().join("runtime")), "{loader:?}");
    }

    #[test]
    fn the_environment_comes_before_the_other_places() {
        let clone = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        make_pack(clone.path());
        make_pack(elsewhere.path());
        let loader = default_loader(
            Some(elsewhere.path().join("runtime")),
            Some(&clone.path().join("ancre")),
            None,
            Path::new("/nowhere"),
        );
        assert!(loader.pack.starts_with(elsewhere.path()), "{loader:?}");
    }

    #[test]
    fn when_there_is_no_runtime_the_expected_place_is_named() {
        let loader =
            default_loader(None, Some(Path::new("/opt/ancre/ancre")), None, Path::new("/d"));
        assert!(loader.pack.starts_with("/opt/ancre/runtime"), "{loader:?}");
    }

    #[test]
    fn libraries_that_are_not_there_are_left_out() {
        let runtime = tempfile::tempdir().unwrap();
        assert_eq!(libraries(runtime.path()), Libraries::default());
        std::fs::create_dir_all(runtime.path().join("tesseract/tessdata")).unwrap();
        let pdfium = library(&runtime.path().join("pdfium"), "pdfium");
        std::fs::create_dir_all(pdfium.parent().unwrap()).unwrap();
        std::fs::write(&pdfium, "").unwrap();
        let found = libraries(runtime.path());
        assert_eq!((found.pdfium, found.tesseract), (Some(pdfium), None));
        assert_eq!(found.tessdata, Some(runtime.path().join("tesseract/tessdata")));
    }

    #[test]
    fn what_was_asked_for_is_the_data_folder() {
        let folder = data_folder(Some("/asked".into()), Some("/environment".into()));
        assert_eq!(folder, Some(PathBuf::from("/asked")));
        assert_eq!(data_folder(None, Some("/environment".into())), Some("/environment".into()));
    }
}
