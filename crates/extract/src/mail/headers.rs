//! The headers that say who wrote to whom, when and about what.

use mail_parser::{Addr, Address, HeaderName, Message};

/// `From: Anne Roy <anne@example.com>` and so on, as far as the message has them. Their names stay
/// English, as they are in the mail.
pub(super) fn lines(message: &Message<'_>) -> String {
    let addresses = |address: Option<&Address<'_>>| address.map(written).unwrap_or_default();
    let headers = [
        ("From", addresses(message.from())),
        ("To", addresses(message.to())),
        ("Cc", addresses(message.cc())),
        ("Date", date(message)),
        ("Subject", message.subject().unwrap_or_default().to_owned()),
    ];
    let lines: Vec<String> = headers
        .into_iter()
        .filter(|(_, value)| !value.trim().is_empty())
        .map(|(name, value)| format!("{name}: {}", crate::content::one_line(&value)))
        .collect();
    lines.join("\n")
}

/// The date in the writer's own time (RFC 3339); as the mail writes it where that is no date.
fn date(message: &Message<'_>) -> String {
    match message.date() {
        Some(date) if date.is_valid() => date.to_rfc3339(),
        _ => message.header_raw(HeaderName::Date).unwrap_or_default().trim().to_owned(),
    }
}

fn written(address: &Address<'_>) -> String {
    match address {
        Address::List(list) => written_list(list),
        Address::Group(groups) => groups
            .iter()
            .map(|group| match &group.name {
                Some(name) => format!("{name}: {}", written_list(&group.addresses)),
                None => written_list(&group.addresses),
            })
            .collect::<Vec<_>>()
            .join("; "),
    }
}

fn written_list(list: &[Addr<'_>]) -> String {
    let written: Vec<String> = list
        .iter()
        .filter_map(|one| match (one.name.as_deref(), one.address.as_deref()) {
            (Some(name), Some(address)) if name != address => Some(format!("{name} <{address}>")),
            (_, Some(address)) => Some(address.to_owned()),
            (Some(name), None) => Some(name.to_owned()),
            (None, None) => None,
        })
        .collect();
    written.join(", ")
}
