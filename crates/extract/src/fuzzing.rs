//! Doors for the fuzz targets of `fuzz/` to the parsers of ours that no document of theirs reaches:
//! those behind a library, a scanner or another process.
//!
//! Only there with the feature `fuzzing`, and in tests, which keep them from falling into ruin. Each
//! door takes bytes from anybody and panics when what comes out is not what its parser promises.

use std::io::Cursor;

use crate::compose::compose;
use crate::format::Format;
use crate::recognition::{self, GrayImage};
use crate::{Parsed, ole, pdf, sheets, worker};

/// Lays out the pages that the bytes say as those of a PDF.
///
/// # Panics
///
/// When a line or a word of them is lost.
pub fn pdf_layout(bytes: &[u8]) -> Option<Parsed> {
    compose(pdf::made_up::laid_out(bytes), Format::Pdf, "a.pdf").ok()
}

/// Gives a PDF that was cut off a new end.
///
/// # Panics
///
/// When the end is longer than its pages explain.
pub fn pdf_salvage(bytes: &[u8]) {
    if let Some(whole) = pdf::with_a_new_end(bytes) {
        // Each page takes its number, its generation and a letter.
        assert!(whole.len() < bytes.len() + 24 * bytes.len() + 1024, "{}", whole.len());
    }
}

/// Reads the directory of an OLE container.
pub fn ole_container(bytes: &[u8]) {
    for named in [Format::Xls, Format::Docx] {
        let _ = ole::format_of(bytes, named);
    }
}

/// Shows a number as an Excel format code says: eight bytes of number, the rest is the code.
///
/// # Panics
///
/// When what is shown is longer than the code and any number explain.
pub fn number_format(bytes: &[u8]) {
    let Some((number, code)) = bytes.split_first_chunk() else { return };
    let code = String::from_utf8_lossy(code);
    if let Some(shown) = sheets::shown(&code, f64::from_le_bytes(*number)) {
        assert!(shown.len() < 100 + 4 * code.len(), "{code} shows {shown}");
    }
}

/// Levels a scan: two bytes are its sides, the others a pattern of grey that fills it.
///
/// # Panics
///
/// When the picture that comes out is not as large as it says.
pub fn scan_level(bytes: &[u8]) {
    let [width, height, pattern @ ..] = bytes else { return };
    // Twice a byte: a smaller scan is not looked at, a larger one takes its time.
    let (width, height) = (2 * u32::from(*width), 2 * u32::from(*height));
    let length = width as usize * height as usize;
    let pixels: Vec<u8> = pattern.iter().copied().cycle().take(length).collect();
    if pixels.len() < length {
        return;
    }
    let levelled = recognition::levelled(&GrayImage { width, height, pixels, dots_per_inch: 150 });
    assert_eq!(
        levelled.pixels.len() as u64,
        u64::from(levelled.width) * u64::from(levelled.height)
    );
}

/// Reads what a worker answers, as the application does.
///
/// # Panics
///
/// When more is believed than was sent.
pub fn worker_pipe(bytes: &[u8]) {
    let content = worker::answered(&mut Cursor::new(bytes), 1 << 20);
    assert!(content <= bytes.len(), "{content} of {}", bytes.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::mutations;

    type Door = fn(&[u8]);

    /// Two pages of a title, a paragraph and a table, in the form of `pdf::made_up`.
    fn pages() -> Vec<u8> {
        let cell = |start: i16, text: &str| {
            let length = u8::try_from(text.len()).unwrap();
            [&start.to_le_bytes()[..], &[60, length], text.as_bytes()].concat()
        };
        let line = |baseline: i16, size: u8, cells: &[Vec<u8>]| {
            let shape = u8::try_from(cells.len() - 1).unwrap();
            let baseline = (baseline * 8).to_le_bytes();
            [&[shape][..], &baseline, &[size], &cells.concat()].concat()
        };
        let row = |baseline, texts: [&str; 3]| {
            let cells: Vec<_> = texts.iter().zip([400, 1200, 2000]).collect();
            let cells: Vec<_> = cells.iter().map(|(text, start)| cell(*start, text)).collect();
            line(baseline, 19, &cells)
        };
        let page = [
            vec![5],
            line(780, 35, &[cell(400, "Retours")]),
            line(750, 19, &[cell(400, "Vous avez trente jours pour renvoyer.")]),
            row(700, ["Forfait", "Prix", "Délai"]),
            row(686, ["Solo", "19", "deux jours"]),
            row(672, ["Duo", "29", "un jour"]),
        ];
        let bookmark = [&[1, 1, 7][..], b"Retours"].concat();
        [vec![1], bookmark, page.concat(), page.concat()].concat()
    }

    #[test]
    fn made_up_pages_have_their_headings_and_tables() {
        let parsed = pdf_layout(&pages()).unwrap();
        assert_eq!(
            parsed.text.split("\n\n").take(3).collect::<Vec<_>>(),
            [
                "# Retours",
                "Vous avez trente jours pour renvoyer.",
                "- Forfait\u{A0}: Solo\u{202F}; Prix\u{A0}: 19\u{202F}; Délai\u{A0}: deux jours\n\
                 - Forfait\u{A0}: Duo\u{202F}; Prix\u{A0}: 29\u{202F}; Délai\u{A0}: un jour"
            ]
        );
    }

    #[test]
    fn damaged_bytes_pass_every_door() {
        let container = include_bytes!("../tests/documents/docl__legacy_sample.xls");
        let format =
            [&0.25_f64.to_le_bytes()[..], b"#,##0.00 [$\xE2\x82\xAC-40C];[Red]0%"].concat();
        let cut = b"%PDF-1.4\n1 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n2 0 obj\n<<";
        let answer =
            [&b"\xF6\0\0\0\0\xF8\x1E\0\0\0\x18\0\0\0"[..], br#"{"name":"a","error":null}"#, b"b"];
        let answer = answer.concat();
        let scan: Vec<u8> =
            [100, 60].into_iter().chain((0..2_000).map(|at| (at % 251) as u8)).collect();
        let doors: [(&[u8], Door); 6] = [
            (&pages(), |bytes| drop(pdf_layout(bytes))),
            (&container[..4096], ole_container),
            (&format, number_format),
            (cut, pdf_salvage),
            (&answer, worker_pipe),
            (&scan, scan_level),
        ];
        for (bytes, door) in doors {
            door(bytes);
            mutations(bytes, 300).for_each(|damaged| door(&damaged));
        }
    }
}
