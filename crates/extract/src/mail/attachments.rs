//! What is attached to a message: read where one of our readers can, named where not.

use ancre_domain::Warning;
use mail_parser::{ContentType, Message, MessagePart, MimeHeaders as _, PartType};

use super::source::{self, Source, is_mail};
use crate::content::{Block, Content};
use crate::format::{Format, is_supported};
use crate::input::Input;
use crate::read;

/// The most attachments of one message that are read.
const MAX_ATTACHMENTS: usize = 100;

/// What a mail in a mail is called when neither it nor the mail around it gives it a name.
const NAMELESS_MAIL: &str = "message.eml";

/// What belongs to the sending of a mail, and is no attachment to its reader.
const MACHINERY: [&str; 6] = [
    "application/pgp-signature",
    "application/pgp-keys",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "text/rfc822-headers",
    "text/x-amp-html",
];

/// Writes the attachments under headings of `level`, and names those that are not read.
pub(super) fn write(
    message: &Message<'_>,
    source: &Source<'_>,
    input: &Input<'_>,
    level: u8,
    content: &mut Content,
) {
    let mut skipped = Vec::new();
    let mut count = 0_usize;
    let mails = source::mails_of_digests(message);
    let attached = message.attachments.iter().filter(|id| !mails.contains(id)).chain(&mails);
    for (id, part) in attached.filter_map(|id| Some((id, message.part(*id)?))) {
        let kind = if mails.contains(id) { Kind::of_mail() } else { Kind::of(part) };
        if kind.is_no_attachment() {
            continue;
        }
        count += 1;
        let is_read = count <= MAX_ATTACHMENTS
            && input.depth < Input::MAX_DEPTH
            && write_one(&source.content_of(part), &kind, input, level, content);
        if !is_read {
            skipped.push(kind.title);
        }
    }
    if !skipped.is_empty() {
        let skipped = vec![Warning::SkippedParts { names: skipped }];
        merge_warnings(&mut content.warnings, skipped, input.file_name);
    }
}

/// Says whether the attachment could be read.
fn write_one(
    bytes: &[u8],
    kind: &Kind,
    input: &Input<'_>,
    level: u8,
    content: &mut Content,
) -> bool {
    let inner = Input { bytes, file_name: &kind.file_name, depth: input.depth + 1, ..*input };
    let Ok((format, attached)) = read::content_of(&inner) else { return false };
    if !attached.blocks.iter().any(|block| !matches!(block, Block::Page { .. })) {
        return false;
    }
    let subject = attached.title.filter(|_| format == Format::Eml && !kind.has_own_name);
    content.heading(level, subject.unwrap_or_else(|| kind.title.clone()));
    content
        .blocks
        .extend(attached.blocks.into_iter().filter_map(|block| pushed_down(block, level)));
    merge_warnings(&mut content.warnings, attached.warnings, &kind.title);
    true
}

/// A block of an attachment in its mail, which has no pages.
fn pushed_down(block: Block, level: u8) -> Option<Block> {
    match block {
        Block::Page { .. } => None,
        Block::Heading { level: own, text } => {
            Some(Block::Heading { level: own.saturating_add(level).min(6), text })
        }
        other => Some(other),
    }
}

/// Adds the warnings of something inside, of which `name` is the name: pages are no pages of what
/// is around it, so those that were not read are told by that name.
pub(super) fn merge_warnings(into: &mut Vec<Warning>, inner: Vec<Warning>, name: &str) {
    for warning in inner {
        match warning {
            Warning::SkippedParts { names } => skip(into, names),
            Warning::ScannedPages { .. } => skip(into, vec![name.to_owned()]),
            Warning::Partial { .. } => warn_partial(into),
            Warning::ReplacedCharacters { .. } if !into.contains(&warning) => into.push(warning),
            Warning::ReplacedCharacters { .. }
            | Warning::RecognisedPages { .. }
            | Warning::GarbledPages { .. }
            | Warning::OutsideWindow { .. }
            | Warning::ManyChunks { .. }
            | Warning::MostlyUnprintable { .. }
            | Warning::LittleText { .. } => {}
        }
    }
}

/// Says once that something is lost.
pub(super) fn warn_partial(warnings: &mut Vec<Warning>) {
    let partial = Warning::Partial { pages: Vec::new() };
    if !warnings.contains(&partial) {
        warnings.push(partial);
    }
}

/// Adds to the names of the one warning of its kind.
fn skip(warnings: &mut Vec<Warning>, more: Vec<String>) {
    let known = warnings.iter_mut().find_map(|warning| match warning {
        Warning::SkippedParts { names } => Some(names),
        _ => None,
    });
    let room = |known: usize| MAX_ATTACHMENTS.saturating_sub(known);
    match known {
        Some(names) => names.extend(more.into_iter().take(room(names.len()))),
        None => {
            let names = more.into_iter().take(room(0)).collect();
            warnings.push(Warning::SkippedParts { names });
        }
    }
}

/// What an attachment is.
struct Kind {
    /// `application/pdf`, in lower case.
    media_type: String,
    /// What a person knows it by.
    title: String,
    /// A name whose extension says how it is read.
    file_name: String,
    has_own_name: bool,
    is_in_text: bool,
}

impl Kind {
    fn of(part: &MessagePart<'_>) -> Self {
        let media_type = media_type(part);
        let own_name = part.attachment_name().map(last_component).filter(|name| !name.is_empty());
        let has_own_name = own_name.is_some();
        let extension = extension_of(&media_type);
        let title = own_name.unwrap_or_else(|| match extension {
            Some("eml") => NAMELESS_MAIL.to_owned(),
            _ => media_type.clone(),
        });
        let file_name = match extension {
            Some(extension) if !is_supported(title.as_ref()) => format!("{title}.{extension}"),
            _ => title.clone(),
        };
        let is_media = ["image/", "audio/", "video/"].iter().any(|it| media_type.starts_with(it));
        let is_attachment = part.content_disposition().is_some_and(ContentType::is_attachment);
        let is_in_text = is_media && !is_attachment && part.content_id().is_some();
        Self { media_type, title, file_name, has_own_name, is_in_text }
    }

    /// A mail of a digest, whose parts do not say what they are.
    fn of_mail() -> Self {
        Self {
            media_type: "message/rfc822".to_owned(),
            title: NAMELESS_MAIL.to_owned(),
            file_name: NAMELESS_MAIL.to_owned(),
            has_own_name: false,
            is_in_text: false,
        }
    }

    /// Pictures in the text and what only the transport needs.
    fn is_no_attachment(&self) -> bool {
        self.is_in_text || MACHINERY.contains(&self.media_type.as_str())
    }
}

fn media_type(part: &MessagePart<'_>) -> String {
    let Some(found) = part.content_type() else {
        return match part.body {
            PartType::Html(_) => "text/html",
            _ => "text/plain",
        }
        .to_owned();
    };
    let subtype = found.subtype().unwrap_or_default();
    if is_mail(found.ctype(), subtype) {
        return "message/rfc822".to_owned();
    }
    format!("{}/{subtype}", found.ctype()).to_ascii_lowercase()
}

/// The extension of files of a media type, for parts without a name.
fn extension_of(media_type: &str) -> Option<&'static str> {
    let extension = match media_type {
        "message/rfc822" => "eml",
        "message/delivery-status" | "message/disposition-notification" => "txt",
        "text/html" | "application/xhtml+xml" => "html",
        "text/csv" => "csv",
        "text/markdown" => "md",
        "text/xml" | "application/xml" => "xml",
        "text/rtf" | "application/rtf" => "rtf",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "application/msword" | "application/vnd.ms-excel" => return None,
        other if other.starts_with("text/") => "txt",
        other => return office_extension(other),
    };
    Some(extension)
}

fn office_extension(media_type: &str) -> Option<&'static str> {
    [Format::Docx, Format::Xlsx, Format::Pptx, Format::Odt, Format::Ods, Format::Odp, Format::Epub]
        .into_iter()
        .zip(["docx", "xlsx", "pptx", "odt", "ods", "odp", "epub"])
        .find(|(format, _)| format.mime() == media_type)
        .map(|(_, extension)| extension)
}

/// A file name without folders, whichever system wrote it.
fn last_component(name: &str) -> String {
    name.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned()
}
