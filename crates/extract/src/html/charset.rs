//! The encoding that a page says it is in: its `meta` element or its XML declaration.
//!
//! Read from the bytes, as browsers do (HTML Standard, 13.2.3.2): every encoding in which a page
//! can say so writes ASCII as ASCII. Whether the page is right, `decode` judges.

/// How far into the page the declaration is looked for, in bytes. Browsers stop at 1,024; saved
/// pages often have their styles before it.
const REACH: usize = 16 * 1024;

/// The label that the page declares.
pub(super) fn declared(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(bytes.get(..REACH).unwrap_or(bytes)).to_ascii_lowercase();
    of_xml_declaration(&head).or_else(|| of_meta(&head))
}

fn of_xml_declaration(head: &str) -> Option<String> {
    let (declaration, _) = head.trim_start().strip_prefix("<?xml")?.split_once("?>")?;
    label_after(declaration, "encoding")
}

fn of_meta(head: &str) -> Option<String> {
    head.split("<meta").skip(1).find_map(|rest| {
        let element = rest.split('>').next().unwrap_or(rest);
        label_after(element, "charset")
    })
}

/// The value after `name=`, with or without quotes.
fn label_after(text: &str, name: &str) -> Option<String> {
    text.split(name).skip(1).find_map(|rest| {
        let value = rest.trim_start().strip_prefix('=')?;
        let label: String = value
            .trim_start_matches(|it: char| it.is_whitespace() || it == '"' || it == '\'')
            .chars()
            .take_while(|it| it.is_ascii_alphanumeric() || "-_:.".contains(*it))
            .collect();
        (!label.is_empty()).then_some(label)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_declare_an_encoding_is_understood() {
        for (page, label) in [
            (&b"<meta charset=UTF-8>"[..], Some("utf-8")),
            (b"<META charset='ISO-8859-15' />", Some("iso-8859-15")),
            (
                b"<meta http-equiv=Content-Type content=\"text/html; charset = iso-8859-6\">",
                Some("iso-8859-6"),
            ),
            (b"<?xml version='1.0' encoding='windows-1252'?><html>", Some("windows-1252")),
            (b"<meta name=viewport><p>charset=none", None),
        ] {
            assert_eq!(declared(page).as_deref(), label);
        }
    }
}
