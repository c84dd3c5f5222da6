//! The names of an archive's entries, in the letters that somebody typed.
//!
//! An entry says whether its name is UTF-8 (APPNOTE 4.4.4, bit 11). Where it does not, the standard
//! says code page 437, but programs write what their system has: Windows' own compressed folders
//! the DOS code page of the country (850 in Western Europe), Linux UTF-8, others Windows-1252.
//! A wrong guess shows as wrong letters in a title and costs nothing else.

use std::collections::HashMap;
use std::io::Cursor;

use encoding_rs::WINDOWS_1252;
use zip::ZipArchive;

use crate::package::Package;

/// Code page 850 from 0x80 on. Code page 437 has the same letters of French in the same places,
/// and only lines and Greek where 850 has more letters.
const CODE_PAGE_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";

/// Each entry's name in the package, and the name to show.
pub(super) fn of(bytes: &[u8], package: &Package<'_>) -> Vec<(String, String)> {
    let readable = readable_names(bytes);
    package
        .names()
        .map(|name| {
            let shown = readable.get(name).map_or(name, String::as_str);
            (name.to_owned(), shown.to_owned())
        })
        .collect()
}

/// Names that the package reads by code page 437, read better.
fn readable_names(bytes: &[u8]) -> HashMap<String, String> {
    let Ok(archive) = ZipArchive::new(Cursor::new(bytes)) else { return HashMap::new() };
    (0..archive.len())
        .filter_map(|index| {
            let entry = archive.by_index_data(index).ok()?;
            let raw = entry.name_raw();
            let name = entry.name().ok()?.replace('\\', "/");
            // What it says is UTF-8 comes as it is.
            let is_guessed = !raw.is_ascii() && std::str::from_utf8(raw) != Ok(name.as_str());
            is_guessed.then(|| (name, readable(raw).replace('\\', "/")))
        })
        .collect()
}

fn readable(raw: &[u8]) -> String {
    if let Ok(name) = std::str::from_utf8(raw) {
        return name.to_owned();
    }
    let page_850 = in_code_page_850(raw);
    let windows = WINDOWS_1252.decode_without_bom_handling(raw).0.into_owned();
    if plausibility(&windows) > plausibility(&page_850) { windows } else { page_850 }
}

fn in_code_page_850(raw: &[u8]) -> String {
    let upper: Vec<char> = CODE_PAGE_850.chars().collect();
    let character = |byte: &u8| match byte.checked_sub(0x80) {
        Some(place) => upper.get(usize::from(place)).copied().unwrap_or('\u{FFFD}'),
        None => char::from(*byte),
    };
    raw.iter().map(character).collect()
}

/// How much the letters beyond ASCII look like those of words: small letters are usual, a capital
/// after a small letter is not, and signs are least.
fn plausibility(name: &str) -> i32 {
    let mut score = 0;
    let mut last = ' ';
    for character in name.chars() {
        if !character.is_ascii() {
            score += match character {
                'œ' | 'Œ' | '’' | '–' => 1,
                _ if character.is_lowercase() => 2,
                _ if character.is_uppercase() && last.is_lowercase() => -2,
                _ if character.is_uppercase() => 1,
                _ => -3,
            };
        }
        last = character;
    }
    score
}
