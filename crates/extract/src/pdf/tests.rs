//! Stories of PDFs, each written here, and what is read of them.

mod damage;
mod pages;
mod scans;
mod tables;
mod text;

use std::path::Path;

use super::written::{Written, WrittenPage};
use crate::input::{Input, Libraries};
use crate::{ExtractError, Parsed, read};

const BODY: &str = "Vous avez trente jours pour renvoyer un article qui ne convient pas, sans \
    donner de raison. Le remboursement est fait sur le moyen de paiement de la commande, en cinq \
    jours ouvrés après la réception du colis.";

/// What set-up installed in the clone.
fn libraries() -> Libraries {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/pdfium");
    let pdfium = folder.join(libloading::library_filename("pdfium"));
    assert!(pdfium.exists(), "{} is missing: run `make setup`", pdfium.display());
    Libraries { pdfium: Some(pdfium), ..Libraries::default() }
}

fn input<'a>(bytes: &'a [u8], libraries: &'a Libraries) -> Input<'a> {
    Input {
        bytes,
        file_name: "guide.pdf",
        password: None,
        recognise: false,
        libraries,
        depth: 0,
        progress: &|_| (),
    }
}

fn parse(written: &Written) -> Result<Parsed, ExtractError> {
    read::parse(&input(&written.bytes(), &libraries()))
}

fn page() -> WrittenPage {
    WrittenPage::default()
}

fn scan() -> WrittenPage {
    page().picture(20.0, 20.0, 555.0, 800.0)
}
