//! What the tests of the desk share: a small help centre and an embedder of words.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ancre_desk::words::terms;
use ancre_domain::{Cancellation, Language};
use ancre_models::{Embedder, EmbedderDescription, Embedding, ModelError, Passage};

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

pub fn word_embedder() -> Arc<dyn Embedder> {
    Arc::new(WordEmbedder(EmbedderDescription {
        id: "words".to_owned(),
        version: "1".to_owned(),
        dimension: DIMENSION,
        max_tokens: 512,
        license: "MIT".to_owned(),
    }))
}

const DIMENSION: u32 = 512;

/// A bag of stems, each at a place that its hash gives.
struct WordEmbedder(EmbedderDescription);

fn embed(text: &str) -> Embedding {
    let mut vector = vec![0.0_f32; DIMENSION as usize];
    vector[0] = 0.2;
    for term in terms(text) {
        let mut hasher = DefaultHasher::new();
        term.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % u64::from(DIMENSION)).expect("it is small");
        vector[place] += 1.0;
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    Embedding { vector, tokens_outside_window: 0 }
}

impl Embedder for WordEmbedder {
    fn description(&self) -> &EmbedderDescription {
        &self.0
    }

    fn embed_query(&self, text: &str) -> Result<Embedding, ModelError> {
        Ok(embed(text))
    }

    fn embed_passages(
        &self,
        texts: &[&str],
        _batch_size: usize,
        cancellation: &Cancellation,
        on_batch: &mut dyn FnMut(usize),
    ) -> Result<Vec<Embedding>, ModelError> {
        if cancellation.is_cancelled() {
            return Err(ModelError::Cancelled);
        }
        on_batch(texts.len());
        Ok(texts.iter().map(|text| embed(text)).collect())
    }
}
