//! What the tests of the desk share: a small help centre and an embedder of words.

#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(clippy::expect_used, reason = "a test ends where a step of its story fails")]

pub mod samples;

use std::sync::Arc;

use ancre_domain::Language;
use ancre_models::{Embedder, Passage};
use ancre_testkit::WordEmbedder;

pub fn passage(number: u32, title: &str, content: &str) -> Passage {
    Passage {
        number,
        title: title.to_owned(),
        uri: None,
        content: content.to_owned(),
        continues_before: false,
        continues_after: false,
        distance: 0.1 + f64::from(number) / 100.0,
    }
}

/// Four short pages in one language.
pub fn help_centre(language: Language) -> Vec<Passage> {
    let pages: [(&str, &str); 4] = match language {
        Language::Fr => [
            (
                "Retours et remboursements",
                "# Remboursements\n\nVous avez **30 jours** pour renvoyer un article. Le délai de remboursement \
                 est de 14 jours après réception de l’article renvoyé. Il est crédité sur la carte utilisée lors \
                 de l’achat.\n\n## Puis-je échanger un article ?\n\nOui, une fois, contre une autre taille.",
            ),
            (
                "Livraison",
                "# Livraison\n\nLa livraison standard prend 3 à 5 jours ouvrés. La livraison express prend \
                 un jour ouvré et coûte 9,90\u{a0}€.",
            ),
            (
                "Factures",
                "Pour télécharger votre facture, ouvrez «\u{a0}Mes commandes\u{a0}», puis cliquez sur \
                 [Facture](https://boutique.example/factures). Les factures restent disponibles dix ans.",
            ),
            (
                "Mot de passe",
                "Pour réinitialiser votre mot de passe, cliquez sur «\u{a0}Mot de passe oublié\u{202f}?\u{a0}». \
                 Le lien reçu par courriel est valable une heure.",
            ),
        ],
        Language::En => [
            (
                "Returns and refunds",
                "# Refunds\n\nYou have **30 days** to send an article back. A refund takes 14 days after we \
                 receive the returned article. It goes to the card used for the purchase.\n\n\
                 ## Can I exchange an article?\n\nYes, once, for another size.",
            ),
            (
                "Delivery",
                "# Delivery\n\nStandard delivery takes 3 to 5 working days. Express delivery takes one \
                 working day and costs €9.90.",
            ),
            (
                "Invoices",
                "To download your invoice, open “My orders” and click \
                 [Invoice](https://shop.example/invoices). Invoices stay available for ten years.",
            ),
            (
                "Password",
                "To reset your password, click “Forgotten password?” on the sign-in page. The link in \
                 the e-mail is valid for one hour.",
            ),
        ],
    };
    (1..).zip(pages).map(|(number, (title, content))| passage(number, title, content)).collect()
}

/// The passages as a search for `question` would give them, but for their order.
pub fn with_distances(question: &str, passages: &[Passage]) -> Vec<Passage> {
    let embedder = word_embedder();
    let question = embedder.embed_query(question).expect("it answers").vector;
    let measured = passages.iter().map(|passage| {
        let vector = embedder.embed_query(&passage.content).expect("it answers").vector;
        let cosine: f32 = question.iter().zip(&vector).map(|(a, b)| a * b).sum();
        Passage { distance: f64::from(1.0 - cosine), ..passage.clone() }
    });
    measured.collect()
}

/// Vectors of words, wide enough that few words share a place.
pub fn word_embedder() -> Arc<dyn Embedder> {
    Arc::new(WordEmbedder::new(512))
}
