use ancre_domain::Warning;
use encoding_rs::WINDOWS_1252;

use super::*;
use crate::format::Format;
use crate::input::Libraries;
use crate::mutation::mutations;
use crate::office::packing;
use crate::pdf::written::{Written, WrittenPage};
use crate::{Parsed, read};

fn parsed(bytes: &[u8]) -> Result<Parsed, ExtractError> {
    read::parse(&input(bytes, &Libraries::default()))
}

fn input<'a>(bytes: &'a [u8], libraries: &'a Libraries) -> Input<'a> {
    Input {
        bytes,
        file_name: "mail.eml",
        password: None,
        recognise: false,
        libraries,
        depth: 0,
        progress: &|_| (),
    }
}

fn text_of(mail: &str) -> String {
    parsed(mail.as_bytes()).unwrap().text.trim_end().to_owned()
}

/// A message of these parts, each with its headers.
fn mixed(parts: &[&str]) -> String {
    let mut mail = "From: Anne <a@example.com>\r\nSubject: Dossier\r\n\
                    Content-Type: multipart/mixed; boundary=\"=b\"\r\n\r\n"
        .to_owned();
    for part in parts {
        mail.push_str(&format!("--=b\r\n{part}\r\n"));
    }
    mail.push_str("--=b--\r\n");
    mail
}

const BODY: &str = "Content-Type: text/plain; charset=utf-8\r\n\r\nVoici.";

#[test]
fn the_headers_stand_before_the_text() {
    assert_eq!(
        text_of(
            "Received: from x\r\nFrom: \"Roy, Anne\" <anne@example.com>\r\nTo: b@example.com, \
             Luc <luc@example.com>\r\nDate: Wed, 21 Mar 2018 14:14:32 +0200\r\nSubject: Re:\r\n \
             Retour\r\n\r\nBonjour,\r\n\r\n> ancien\r\n>> plus ancien\r\nMerci.\r\n-- \r\nAnne\r\n"
        ),
        "From: Roy, Anne <anne@example.com>\nTo: b@example.com, Luc <luc@example.com>\n\
         Date: 2018-03-21T14:14:32+02:00\nSubject: Re: Retour\n\nBonjour,\n\n> ancien\n>> plus \
         ancien\n\nMerci.\n--\nAnne"
    );
}

#[test]
fn old_encodings_are_read_in_headers_and_text() {
    let quoted = "From: =?iso-8859-1?Q?Ren=E9e_L=E9ger?= <r@example.com>\r\nSubject: \
                  =?UTF-8?B?w4l0w6k=?=\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\
                  Content-Transfer-Encoding: quoted-printable\r\n\r\nL'=E9t=E9 est l=\r\n=E0.";
    let text = text_of(quoted);
    assert!(text.starts_with("From: Renée Léger <r@example.com>\nSubject: Été\n"), "{text}");
    assert!(text.ends_with("L'été est là."), "{text}");

    let base64 = "Subject: x\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\
                  Content-Transfer-Encoding: base64\r\n\r\nTCfpdOkgZXN0IGzgLg==\r\n";
    assert!(text_of(base64).ends_with("L'été est là."));

    let raw = "From: Renée <r@example.com>\r\nSubject: Été\r\n\r\nDéjà réglé";
    let parsed = parsed(&WINDOWS_1252.encode(raw).0).unwrap();
    assert_eq!(parsed.text, "From: Renée <r@example.com>\nSubject: Été\n\nDéjà réglé\n");
    assert_eq!(parsed.title, "Été");
}

#[test]
fn a_wrong_charset_gives_way_to_the_bytes() {
    let mail = "Subject: x\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\nDéjà réglé";
    assert!(text_of(mail).ends_with("Déjà réglé"));
    let mail = mail.replace("us-ascii", "utf-8");
    let text = parsed(&WINDOWS_1252.encode(&mail).0).unwrap().text;
    assert!(text.ends_with("Déjà réglé\n"), "{text}");
}

#[test]
fn the_alternative_that_says_more_is_read() {
    let mail = |plain: &str, html: &str| {
        text_of(&format!(
            "Subject: x\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\
             Content-Type: text/plain\r\n\r\n{plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n\
             {html}\r\n--b--\r\n"
        ))
    };
    let lists = mail("Prices: Duo 3 Trio 4", "<p>Prices<ul><li>Duo 3<li>Trio 4</ul>");
    assert!(lists.ends_with("Prices\n\n- Duo 3\n- Trio 4"), "{lists}");
    let plain = mail("Hello,\r\n\r\nall is well.", "<div>Hello,</div><div>all is well.</div>");
    assert!(plain.ends_with("Hello,\n\nall is well."), "{plain}");
    let stub = mail("See the HTML.", "<p>The parcel leaves tomorrow morning at nine o'clock.");
    assert!(stub.ends_with("The parcel leaves tomorrow morning at nine o'clock."), "{stub}");
}

#[test]
fn a_contract_and_its_annex_are_read_in_the_mail_that_brought_them() {
    let page = WrittenPage::default().line(70.0, 700.0, 11.0, "Le contrat dure douze mois.");
    let contract = Written::default().page(page).bytes();
    let annex = packing::pack(&[
        (
            "_rels/.rels",
            "<Relationships><Relationship Id='m' Type='http://schemas.openxmlformats.org/\
             officeDocument/2006/relationships/officeDocument' Target='word/document.xml'/>\
             </Relationships>",
        ),
        (
            "word/document.xml",
            "<w:document><w:body><w:p><w:r><w:t>Le débit est garanti.</w:t></w:r></w:p>\
             </w:body></w:document>",
        ),
    ]);
    let mut mail: Vec<u8> =
        b"Subject: Contrat\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
        --b\r\nContent-Type: text/plain\r\n\r\nVoici.\r\n"
            .to_vec();
    for (media_type, name, bytes) in [
        ("application/pdf", "=?utf-8?Q?contrat_sign=C3=A9.pdf?=", contract),
        ("application/octet-stream", "annexe.docx", annex),
    ] {
        let header = format!(
            "\r\n--b\r\nContent-Type: {media_type}\r\nContent-Transfer-Encoding: binary\r\n\
             Content-Disposition: attachment; filename=\"{name}\"\r\n\r\n"
        );
        mail.extend(header.as_bytes());
        mail.extend(bytes);
    }
    mail.extend(b"\r\n--b--\r\n");
    let parsed = parsed(&mail).unwrap();
    assert_eq!(
        parsed.text,
        "Subject: Contrat\n\nVoici.\n\n# contrat signé.pdf\n\nLe contrat dure douze mois.\n\n\
         # annexe.docx\n\nLe débit est garanti.\n"
    );
    assert!(parsed.warnings.is_empty(), "{:?}", parsed.warnings);
    assert!(parsed.pagination.is_none(), "pages of an attachment are no pages of its mail");
}

#[test]
fn lines_that_flow_are_joined() {
    let text = text_of(
        "Subject: x\r\nContent-Type: text/plain; format=flowed\r\n\r\nUne ligne \r\nlongue.\r\n\
         > citée \r\n> aussi.\r\n-- \r\nAnne",
    );
    assert!(text.ends_with("Une ligne longue.\n\n> citée aussi.\n\n--\nAnne"), "{text}");
}

#[test]
fn an_attachment_stands_under_its_name() {
    let markdown = "Content-Type: text/html; name=\"page.html\"\r\nContent-Disposition: \
                    attachment; filename=\"contrat final.html\"\r\n\r\n<h1>Article 1</h1><p>Oui.";
    let picture = "Content-Type: image/png\r\nContent-Disposition: attachment; \
                   filename=\"photo.png\"\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=";
    let inline = "Content-Type: image/png\r\nContent-ID: <logo>\r\nContent-Transfer-Encoding: \
                  base64\r\n\r\niVBORw0KGgo=";
    let parsed = parsed(mixed(&[BODY, markdown, picture, inline]).as_bytes()).unwrap();
    assert!(
        parsed.text.ends_with("Voici.\n\n# contrat final.html\n\n## Article 1\n\nOui.\n"),
        "{}",
        parsed.text
    );
    assert_eq!(parsed.warnings, [Warning::SkippedParts { names: vec!["photo.png".to_owned()] }]);
    assert_eq!(parsed.title, "Dossier");
}

#[test]
fn a_forwarded_mail_is_read_with_its_headers() {
    let forwarded = "Content-Type: message/rfc822\r\n\r\nFrom: c@example.com\r\nSubject: \
                     Ancien\r\n\r\nmessage/rfc822 est un type.";
    assert_eq!(
        text_of(&mixed(&[BODY, forwarded])),
        "From: Anne <a@example.com>\nSubject: Dossier\n\nVoici.\n\n# Ancien\n\nFrom: \
         c@example.com\nSubject: Ancien\n\nmessage/rfc822 est un type."
    );
}

#[test]
fn the_mails_of_a_digest_are_mails() {
    let digest = "Content-Type: multipart/digest; boundary=d\r\n\r\n--d\r\n\r\nSubject: Un\r\n\r\n\
                  premier\r\n--d\r\n\r\nSubject: Deux\r\n\r\nsecond\r\n--d--\r\n";
    let text = text_of(&mixed(&[BODY, digest]));
    assert!(
        text.ends_with(
            "Voici.\n\n# Un\n\nSubject: Un\n\npremier\n\n# Deux\n\nSubject: Deux\n\nsecond"
        ),
        "{text}"
    );
}

#[test]
fn a_packed_document_is_read_where_it_is_attached() {
    let exercise = include_bytes!("../../tests/documents/authored__question_set.h5p");
    let mail = mixed(&[
        BODY,
        "Content-Type: application/octet-stream; name=abeilles.h5p\r\n\
         Content-Transfer-Encoding: binary\r\n\r\n@@",
    ]);
    let (before, after) = mail.split_once("@@").unwrap();
    let mail = [before.as_bytes(), exercise, after.as_bytes()].concat();
    let text = parsed(&mail).unwrap().text;
    assert!(text.contains("# abeilles.h5p\n\n## Les abeilles & la ruche\n\n"), "{text}");
    assert!(text.contains("\n- Cinq yeux ✓"), "{text}");
}

#[test]
fn mails_in_mails_are_opened_to_a_depth() {
    let mut mail = "Subject: 50\r\n\r\nau fond".to_owned();
    for depth in (0..50).rev() {
        mail = format!(
            "Subject: {depth}\r\nContent-Type: multipart/mixed; boundary=b{depth}x\r\n\r\n\
             --b{depth}x\r\nContent-Type: text/plain\r\n\r\nniveau {depth}\r\n--b{depth}x\r\n\
             Content-Type: message/rfc822\r\n\r\n{mail}\r\n--b{depth}x--\r\n"
        );
    }
    let parsed = parsed(mail.as_bytes()).unwrap();
    assert!(parsed.text.contains("niveau 3") && !parsed.text.contains("niveau 4"));
    assert_eq!(parsed.warnings, [Warning::SkippedParts { names: vec!["message.eml".to_owned()] }]);
}

#[test]
fn a_hundred_thousand_mails_in_each_other_do_no_harm() {
    let mail = "Content-Type: message/rfc822\r\n\r\n".repeat(100_000);
    assert_eq!(parsed(mail.as_bytes()), Err(ExtractError::Empty));
}

#[test]
fn a_mailbox_is_read_message_by_message() {
    let mailbox = "From a@example.com Mon Jan  1 00:00:00 2024\nSubject: Un\n\nPremier.\n\n\
                   From b@example.com Mon Jan  1 00:00:01 2024\nSubject: Deux\n\n>From ici.\n";
    assert_eq!(
        text_of(mailbox),
        "# Un\n\nSubject: Un\n\nPremier.\n\n# Deux\n\nSubject: Deux\n\nFrom ici."
    );
}

#[test]
fn a_mail_without_content_is_empty() {
    assert_eq!(parsed(b"From: a@example.com\r\nSubject: x\r\n\r\n"), Err(ExtractError::Empty));
}

#[test]
fn attachments_of_every_kind_of_name_are_told_apart() {
    let office = Format::Docx.mime();
    let nameless = format!(
        "Content-Type: {office}\r\nContent-Transfer-Encoding: base64\r\n\r\nbm90IGEgcGFja2FnZQ=="
    );
    let report = "Content-Type: message/delivery-status\r\n\r\nAction: failed";
    let signature = "Content-Type: application/pgp-signature; name=signature.asc\r\n\r\nxx";
    let path = "Content-Type: text/plain; name=\"C:\\\\x\\\\notes.txt\"\r\nContent-Disposition: \
                attachment\r\n\r\nNoté.";
    let mail = mixed(&[BODY, &nameless, report, signature, path]);
    let parsed = parsed(mail.as_bytes()).unwrap();
    let skipped = vec![office.to_owned()];
    assert_eq!(parsed.warnings, [Warning::SkippedParts { names: skipped }]);
    assert!(parsed.text.contains("# message/delivery-status\n\nAction: failed"), "{}", parsed.text);
    assert!(parsed.text.ends_with("# notes.txt\n\nNoté.\n"), "{}", parsed.text);
}

#[test]
fn no_damage_stops_the_reader() {
    let part = "Content-Type: message/rfc822\r\n\r\nSubject: =?iso-8859-1?Q?=E9?=\r\n\
                Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: \
                quoted-printable\r\n\r\n<p>=C3=A9<ul><li>a";
    let file = "Content-Type: text/plain; name*=UTF-8''%C3%A9.txt\r\nContent-Disposition: \
                attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nYWJjZGVm";
    let mail = mixed(&[BODY, part, file]);
    assert!(parsed(mail.as_bytes()).is_ok());
    for damaged in mutations(mail.as_bytes(), 500) {
        if let Ok(mail) = parsed(&damaged) {
            assert!(!mail.text.is_empty());
        }
    }
}
