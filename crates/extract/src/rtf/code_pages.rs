//! Which encoding the bytes of a text are in: the document's code page, or that of the font.
//!
//! The code pages 437 and 850 of MS-DOS are no longer written by anything and are read as
//! Windows-1252.

use std::collections::HashMap;

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, IBM866, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
    WINDOWS_1257, WINDOWS_1258,
};

/// A document with more fonts has none.
const MAX_FONTS: usize = 10_000;

/// The encodings of a document.
pub(super) struct CodePages {
    document: &'static Encoding,
    fonts: HashMap<i32, &'static Encoding>,
    /// The one whose entry in the font table is being read.
    current: i32,
}

impl CodePages {
    pub(super) fn new() -> Self {
        Self { document: WINDOWS_1252, fonts: HashMap::new(), current: 0 }
    }

    /// `\ansicpg`
    pub(super) fn set_document(&mut self, code_page: i32) {
        self.document = of_code_page(code_page).unwrap_or(self.document);
    }

    /// `\mac`
    pub(super) fn set_macintosh(&mut self) {
        self.document = MACINTOSH;
    }

    /// A control word of the font table.
    pub(super) fn font_word(&mut self, name: &str, value: i32) {
        let encoding = match name {
            "f" => {
                self.current = value;
                return;
            }
            "fcharset" => of_character_set(value),
            "cpg" => of_code_page(value),
            _ => return,
        };
        if let Some(encoding) = encoding
            && self.fonts.len() < MAX_FONTS
        {
            self.fonts.insert(self.current, encoding);
        }
    }

    /// The encoding of text in a font.
    pub(super) fn of_font(&self, font: i32) -> &'static Encoding {
        self.fonts.get(&font).copied().unwrap_or(self.document)
    }
}

/// `None` for those that mean the document's own.
fn of_character_set(number: i32) -> Option<&'static Encoding> {
    Some(match number {
        77 => MACINTOSH,
        128 => SHIFT_JIS,
        129 | 130 => EUC_KR,
        134 => GBK,
        136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178..=180 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        _ => return None,
    })
}

fn of_code_page(number: i32) -> Option<&'static Encoding> {
    Some(match number {
        866 => IBM866,
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1252 => WINDOWS_1252,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10_000 => MACINTOSH,
        65_001 => UTF_8,
        _ => return None,
    })
}
