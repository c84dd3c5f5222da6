//! The bytes of a message, prepared for the parser.
//!
//! The parser opens mails in mails to any depth, and frees what it opened by calling itself: a
//! mail of a few megabytes can end the process. So the media types that make it do so are made
//! unknown to it, and mails in mails are opened here, one by one and to a bounded depth. It also
//! takes headers for UTF-8, while old programs wrote them in whatever they had.

use std::borrow::Cow;
use std::collections::BTreeSet;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Encoding, Message, MessagePart, MessagePartId, MimeHeaders as _, PartType};

use crate::decode::decode;

/// Media types that the parser opens, with the names it does not know. Of equal length, so that a
/// place in the one text is the same place in the other.
const OPENED: [(&[u8], &[u8]); 3] = [
    (b"message/rfc822", b"message/rfc82x"),
    (b"message/global", b"message/globax"),
    (b"multipart/digest", b"multipart/digesx"),
];

/// What `multipart/digest` is called then.
const MASKED_DIGEST: &str = "digesx";

/// Subtypes of `message` that are mails.
const MASKED_SUBTYPES: [&str; 2] = ["rfc82x", "globax"];

/// A message's bytes.
pub(super) struct Source<'a> {
    bytes: Cow<'a, [u8]>,
    masked: Option<Vec<u8>>,
}

impl<'a> Source<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let bytes = with_readable_headers(bytes);
        let masked = masked(&bytes);
        Self { bytes, masked }
    }

    /// What the parser is given.
    pub(super) fn masked(&self) -> &[u8] {
        self.masked.as_deref().unwrap_or(&self.bytes)
    }

    /// What a part holds, decoded from how it was sent; as bytes, whatever their characters.
    pub(super) fn content_of<'s>(&'s self, part: &'s MessagePart<'_>) -> Cow<'s, [u8]> {
        let place = part.offset_body as usize..part.offset_end as usize;
        let Some(sent) = self.bytes.get(place) else { return Cow::Borrowed(part.contents()) };
        let decoded = match part.encoding {
            Encoding::None => return Cow::Borrowed(sent),
            Encoding::Base64 => base64_decode(sent),
            Encoding::QuotedPrintable => quoted_printable_decode(sent),
        };
        decoded.map_or(Cow::Borrowed(part.contents()), Cow::Owned)
    }
}

/// Whether a part, as the parser sees it, is a mail.
pub(super) fn is_mail(media_type: &str, subtype: &str) -> bool {
    media_type.eq_ignore_ascii_case("message")
        && MASKED_SUBTYPES.iter().any(|masked| subtype.eq_ignore_ascii_case(masked))
}

/// The parts that are mails because they are in a digest and say nothing else (RFC 2046, 5.1.5).
pub(super) fn mails_of_digests(message: &Message<'_>) -> BTreeSet<MessagePartId> {
    let is_digest = |part: &&MessagePart<'_>| part.is_content_type("multipart", MASKED_DIGEST);
    let parts = message.parts.iter().filter(is_digest).flat_map(|part| match &part.body {
        PartType::Multipart(inner) => inner.as_slice(),
        _ => &[],
    });
    let says_nothing =
        |id: &&MessagePartId| message.part(**id).is_some_and(|part| part.content_type().is_none());
    parts.filter(says_nothing).copied().collect()
}

fn with_readable_headers(bytes: &[u8]) -> Cow<'_, [u8]> {
    let end = end_of_headers(bytes);
    let (headers, body) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
    if std::str::from_utf8(headers).is_ok() {
        return Cow::Borrowed(bytes);
    }
    let mut readable = decode(headers).text.into_bytes();
    readable.extend_from_slice(body);
    Cow::Owned(readable)
}

/// Where the empty line after the headers begins.
fn end_of_headers(bytes: &[u8]) -> usize {
    let is_end = |window: &[u8]| window.starts_with(b"\n\n") || window.starts_with(b"\n\r\n");
    (0..bytes.len())
        .find(|at| bytes.get(*at..).is_some_and(is_end))
        .map_or(bytes.len(), |at| at + 1)
}

fn masked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut masked: Option<Vec<u8>> = None;
    for at in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at) {
        for (opened, unknown) in OPENED {
            let slash = opened.iter().position(|byte| *byte == b'/').unwrap_or(0);
            let Some(start) = at.checked_sub(slash) else { continue };
            let place = start..start + opened.len();
            let is_there =
                bytes.get(place.clone()).is_some_and(|found| found.eq_ignore_ascii_case(opened));
            if is_there
                && let Some(target) = masked.get_or_insert_with(|| bytes.to_vec()).get_mut(place)
            {
                target.copy_from_slice(unknown);
            }
        }
    }
    masked
}
