//! Names that people give: how they are kept, and when two are one name.
//!
//! What nobody sees in a name must not tell it from another, and what nobody types must not hide
//! it: invisible characters go when a name is stored, and comparing heeds neither case nor the
//! form of an apostrophe. Joiners and selectors of a variant stay, for a name may need them.

use unicode_normalization::UnicodeNormalization as _;

use crate::{is_invisible, is_shaping};

/// A name as it is kept: composed letters (NFC), single blanks, nothing invisible.
pub fn tidy_name(given: &str) -> String {
    let stays = |character: &char| {
        let is_seen = !character.is_control() || character.is_whitespace();
        is_seen && (!is_invisible(*character) || is_shaping(*character))
    };
    let seen: String = given.nfc().filter(stays).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What two spellings of one name have in common.
pub fn name_key(name: &str) -> String {
    let seen: String =
        tidy_name(name).chars().filter(|character| !is_invisible(*character)).collect();
    let straight = |character| match character {
        '\u{2018}' | '\u{2019}' | '\u{02BC}' | '\u{2032}' => '\'',
        other => other,
    };
    seen.to_lowercase().nfc().map(straight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_not_kept() {
        assert_eq!(
            tidy_name(" Centre\u{200B}\u{AD} \n d\u{2060}’aide\u{FEFF}\u{202E}\u{7} "),
            "Centre d’aide"
        );
        assert_eq!(tidy_name("e\u{301}te\u{301}"), "été");
        assert_eq!(tidy_name("👩\u{200D}💻 \u{2764}\u{FE0F}"), "👩\u{200D}💻 \u{2764}\u{FE0F}");
        assert_eq!(tidy_name("\u{200B}\u{FEFF}"), "");
    }

    #[test]
    fn spellings_of_one_name_are_one_name() {
        let name = name_key("Centre d’aide");
        for spelling in ["centre d'aide", "CENTRE  D‘AIDE", "Cen\u{200D}tre d\u{2BC}aide\u{200E}"]
        {
            assert_eq!(name_key(spelling), name, "{spelling:?}");
        }
        assert_ne!(name_key("Centre daide"), name);
        assert_eq!(name_key("ÉTÉ"), name_key("e\u{301}te\u{301}"));
    }
}
