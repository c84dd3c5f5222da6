//! Tesseract's C interface, as far as a page of words needs it.
//!
//! The only unsafe code of recognition: everything that leaves this file is an ordinary Rust
//! value. The library is loaded by absolute path and never unloaded, because its C++ statics
//! would have to be torn down in an order that nobody promises. Declarations follow
//! `tesseract/capi.h` of version 5.5.

use std::ffi::{CStr, CString, c_char, c_float, c_int, c_uchar, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use libloading::Library;

use super::GrayImage;
use crate::ExtractError;

/// A word, where it stands in the picture, in pixels from the top left, and how sure it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
    /// From 0 to 1.
    pub(super) confidence: f32,
    /// It is the first of its line.
    pub(super) starts_line: bool,
    /// It is the first of its paragraph.
    pub(super) starts_paragraph: bool,
}

/// Why the engine could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error("{0} is not an absolute path to a file")]
    Path(String),
    #[error("the library could not be loaded: {0}")]
    Library(#[from] libloading::Error),
    #[error("the engine does not start with the data in {0}")]
    Data(String),
}

/// A loaded engine. It works on one picture at a time and stays on its thread.
pub(super) struct Engine {
    api: Api,
    handle: NonNull<c_void>,
}

impl Engine {
    /// Loads the library, and the data of the languages, such as `fra+eng`, from its folder.
    #[allow(unsafe_code, reason = "a C library is called")]
    pub(super) fn load(library: &Path, data: &Path, languages: &str) -> Result<Self, LoadError> {
        for language in languages.split('+') {
            check_path(&data.join(format!("{language}.traineddata")))?;
        }
        check_path(library)?;
        let folder = c_path(data)?;
        let languages =
            CString::new(languages).map_err(|_| LoadError::Data(languages.to_owned()))?;
        // SAFETY: set-up installs this library with a pinned hash; its initialisers do nothing
        // but register its own classes. It is never unloaded.
        let loaded = std::mem::ManuallyDrop::new(unsafe { Library::new(library) }?);
        silence(&loaded);
        let api = Api::of(&loaded)?;
        // SAFETY: the function has this signature and no conditions; null means out of memory.
        let handle = NonNull::new(unsafe { (api.create)() })
            .ok_or_else(|| LoadError::Data(data.display().to_string()))?;
        let engine = Self { api, handle };
        engine.set(c"debug_file", if cfg!(windows) { c"nul" } else { c"/dev/null" });
        // SAFETY: the handle lives, and both strings end with a zero byte and outlive the call.
        let failed = unsafe {
            (engine.api.init)(engine.raw(), folder.as_ptr(), languages.as_ptr(), OEM_LSTM_ONLY)
        };
        if failed != 0 {
            return Err(LoadError::Data(data.display().to_string()));
        }
        // SAFETY: the handle lives; the mode is one of the enumeration.
        unsafe { (engine.api.set_page_seg_mode)(engine.raw(), PSM_AUTO) };
        Ok(engine)
    }

    /// The words of a picture in reading order, or an error when it takes longer than `limit`.
    ///
    /// The picture's pixels must be as many as its sides say.
    #[allow(unsafe_code, reason = "a C library is called")]
    pub(super) fn words(
        &self,
        image: &GrayImage,
        limit: Duration,
    ) -> Result<Vec<Word>, ExtractError> {
        let (Ok(width), Ok(height)) = (c_int::try_from(image.width), c_int::try_from(image.height))
        else {
            return Err(failed());
        };
        if image.pixels.len() as u64 != u64::from(image.width) * u64::from(image.height) {
            return Err(failed());
        }
        // Under this many pixels the engine finds no line, and some of its steps divide by sides.
        if width < 10 || height < 10 {
            return Ok(Vec::new());
        }
        let started = Instant::now();
        let milliseconds = c_int::try_from(limit.as_millis()).unwrap_or(c_int::MAX);
        let resolution = c_int::try_from(image.dots_per_inch.clamp(70, 2400)).unwrap_or(300);
        // SAFETY: the handle lives. The pixels are `width * height` bytes, as just checked, one
        // to a pixel and `width` to a row, and the engine copies them before it returns. The
        // monitor lives until it is deleted, after its last use.
        let outcome = unsafe {
            (self.api.set_image)(self.raw(), image.pixels.as_ptr(), width, height, 1, width);
            (self.api.set_source_resolution)(self.raw(), resolution);
            let monitor = (self.api.monitor_create)();
            if !monitor.is_null() {
                (self.api.monitor_set_deadline)(monitor, milliseconds);
            }
            let outcome = (self.api.recognize)(self.raw(), monitor);
            if !monitor.is_null() {
                (self.api.monitor_delete)(monitor);
            }
            outcome
        };
        let words = match outcome {
            0 => Ok(self.read_words()),
            _ if started.elapsed() >= limit => {
                Err(ExtractError::Timeout { seconds: limit.as_secs() })
            }
            _ => Err(failed()),
        };
        // SAFETY: the handle lives; no iterator over its results does any more.
        unsafe { (self.api.clear)(self.raw()) };
        words
    }

    /// The words of the picture that was recognised last.
    #[allow(unsafe_code, reason = "a C library is called")]
    fn read_words(&self) -> Vec<Word> {
        let mut words = Vec::new();
        // SAFETY: the handle lives. The iterator is null or lives until it is deleted, before
        // its results are cleared; the page iterator is the same object under another type and
        // is not deleted. Both are used with the levels of the enumeration.
        unsafe {
            let iterator = (self.api.get_iterator)(self.raw());
            if iterator.is_null() {
                return words;
            }
            let page = (self.api.page_iterator)(iterator);
            loop {
                words.extend(self.word(iterator, page));
                if (self.api.next)(iterator, RIL_WORD) == 0 {
                    break;
                }
            }
            (self.api.iterator_delete)(iterator);
        }
        words
    }

    /// The word that an iterator stands at.
    ///
    /// # Safety
    ///
    /// `iterator` lives, and `page` is its page iterator.
    #[allow(unsafe_code, reason = "a C library is called")]
    unsafe fn word(&self, iterator: *mut c_void, page: *const c_void) -> Option<Word> {
        // SAFETY: as the caller promises. The text is null or a string with a zero byte at its
        // end that is ours until it is freed, once, here.
        let text = unsafe {
            let raw = (self.api.text)(iterator, RIL_WORD);
            if raw.is_null() {
                return None;
            }
            let text = CStr::from_ptr(raw).to_string_lossy().trim().to_owned();
            (self.api.delete_text)(raw);
            text
        };
        let (mut left, mut top, mut right, mut bottom) = (0, 0, 0, 0);
        // SAFETY: as the caller promises; the four places are written before the call returns.
        let (confidence, starts_line, starts_paragraph) = unsafe {
            (self.api.bounding_box)(
                page,
                RIL_WORD,
                &raw mut left,
                &raw mut top,
                &raw mut right,
                &raw mut bottom,
            );
            (
                (self.api.confidence)(iterator, RIL_WORD),
                (self.api.is_at_beginning_of)(page, RIL_TEXTLINE) != 0,
                (self.api.is_at_beginning_of)(page, RIL_PARA) != 0,
            )
        };
        let confidence = (confidence / 100.0).clamp(0.0, 1.0);
        Some(Word { text, left, top, right, bottom, confidence, starts_line, starts_paragraph })
    }

    /// Sets a variable of the engine; one that it does not know changes nothing.
    #[allow(unsafe_code, reason = "a C library is called")]
    fn set(&self, name: &CStr, value: &CStr) {
        // SAFETY: the handle lives, and both strings end with a zero byte and outlive the call.
        unsafe { (self.api.set_variable)(self.raw(), name.as_ptr(), value.as_ptr()) };
    }

    fn raw(&self) -> *mut c_void {
        self.handle.as_ptr()
    }
}

impl Drop for Engine {
    #[allow(unsafe_code, reason = "a C library is called")]
    fn drop(&mut self) {
        // SAFETY: the handle was made by `create`, and this is its end.
        unsafe { (self.api.delete)(self.raw()) };
    }
}

/// Keeps Leptonica, which comes with the library, from writing to the standard error: it misses
/// the readers of picture formats that we do without.
#[allow(unsafe_code, reason = "a C library is called")]
fn silence(library: &Library) {
    const SEVERITY_NONE: c_int = 6;
    // SAFETY: the signature is that of `allheaders.h`; the function only sets a number.
    unsafe {
        if let Ok(set) = library.get::<unsafe extern "C" fn(c_int) -> c_int>(c"setMsgSeverity") {
            set(SEVERITY_NONE);
        }
    }
}

fn failed() -> ExtractError {
    ExtractError::corrupt("the text of a page's picture could not be recognised")
}

fn check_path(path: &Path) -> Result<(), LoadError> {
    if path.is_absolute() && path.is_file() {
        return Ok(());
    }
    Err(LoadError::Path(path.display().to_string()))
}

fn c_path(path: &Path) -> Result<CString, LoadError> {
    let bytes = path.as_os_str().as_encoded_bytes();
    CString::new(bytes).map_err(|_| LoadError::Path(path.display().to_string()))
}

const OEM_LSTM_ONLY: c_int = 1;
const PSM_AUTO: c_int = 3;
const RIL_PARA: c_int = 1;
const RIL_TEXTLINE: c_int = 2;
const RIL_WORD: c_int = 3;

/// Declares the functions of the library and looks them up by name.
macro_rules! functions {
    ($($field:ident = $name:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Functions of the library, valid as long as it is loaded.
        struct Api {
            $($field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            #[allow(unsafe_code, reason = "a C library's functions have only names")]
            fn of(library: &std::mem::ManuallyDrop<Library>) -> Result<Self, libloading::Error> {
                // SAFETY: the signatures are those of `capi.h`, and the library is never
                // unloaded, so that the pointers stay valid without it.
                unsafe { Ok(Self { $($field: *library.get($name)?,)* }) }
            }
        }
    };
}

functions! {
    create = c"TessBaseAPICreate": fn() -> *mut c_void;
    delete = c"TessBaseAPIDelete": fn(*mut c_void);
    init = c"TessBaseAPIInit2": fn(*mut c_void, *const c_char, *const c_char, c_int) -> c_int;
    set_variable = c"TessBaseAPISetVariable": fn(*mut c_void, *const c_char, *const c_char) -> c_int;
    set_page_seg_mode = c"TessBaseAPISetPageSegMode": fn(*mut c_void, c_int);
    set_image = c"TessBaseAPISetImage":
        fn(*mut c_void, *const c_uchar, c_int, c_int, c_int, c_int);
    set_source_resolution = c"TessBaseAPISetSourceResolution": fn(*mut c_void, c_int);
    recognize = c"TessBaseAPIRecognize": fn(*mut c_void, *mut c_void) -> c_int;
    clear = c"TessBaseAPIClear": fn(*mut c_void);
    monitor_create = c"TessMonitorCreate": fn() -> *mut c_void;
    monitor_delete = c"TessMonitorDelete": fn(*mut c_void);
    monitor_set_deadline = c"TessMonitorSetDeadlineMSecs": fn(*mut c_void, c_int);
    get_iterator = c"TessBaseAPIGetIterator": fn(*mut c_void) -> *mut c_void;
    iterator_delete = c"TessResultIteratorDelete": fn(*mut c_void);
    page_iterator = c"TessResultIteratorGetPageIteratorConst": fn(*const c_void) -> *const c_void;
    next = c"TessResultIteratorNext": fn(*mut c_void, c_int) -> c_int;
    text = c"TessResultIteratorGetUTF8Text": fn(*const c_void, c_int) -> *mut c_char;
    delete_text = c"TessDeleteText": fn(*const c_char);
    confidence = c"TessResultIteratorConfidence": fn(*const c_void, c_int) -> c_float;
    bounding_box = c"TessPageIteratorBoundingBox":
        fn(*const c_void, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    is_at_beginning_of = c"TessPageIteratorIsAtBeginningOf": fn(*const c_void, c_int) -> c_int;
}
