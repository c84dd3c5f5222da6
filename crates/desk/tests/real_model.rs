//! Letters with the real model on a small help centre in both languages. The model pack and ONNX
//! Runtime are looked for where `ANCRE_RUNTIME` says, else in `runtime` at the workspace's root;
//! without them these tests fail, because a skipped test says nothing.

#![allow(clippy::expect_used, reason = "a test ends where a step of its story fails")]

mod desk_test;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};

use ancre_desk::extractive::ExtractiveRunner;
use ancre_domain::{Cancellation, Language};
use ancre_models::{
    Embedder, Embedding, GenerationRequest, ModelPack, OnnxEmbedder, Passage, Runner,
    runtime_library_name,
};

use desk_test::help_centre;
use desk_test::samples::{SAMPLE_TICKETS, sample_passages};

static EMBEDDER: LazyLock<Arc<OnnxEmbedder>> = LazyLock::new(|| {
    let folder = std::env::var_os("ANCRE_RUNTIME").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../runtime"),
        PathBuf::from,
    );
    let pack = ModelPack::open(&folder.join("models/multilingual-e5-small"))
        .expect("the model pack is there; “make setup” makes it");
    let library = folder.join("onnxruntime").join(runtime_library_name());
    Arc::new(OnnxEmbedder::load(&pack, &library).expect("the model loads"))
});

/// As many passages as an agent gets unless its owner says otherwise.
const TOP_K: usize = 6;

/// What is quoted for `question` from the pages, which are searched as the product does.
fn quotes(language: Language, question: &str, pages: &[Passage]) -> Vec<String> {
    quotes_of_ticket(language, "", question, pages)
}

fn quotes_of_ticket(
    language: Language,
    subject: &str,
    body: &str,
    pages: &[Passage],
) -> Vec<String> {
    let embedder = &*EMBEDDER;
    let vectors: Vec<Embedding> = pages.iter().map(|page| vector_of(&page.content)).collect();
    let query = ancre_desk::question::search_query(subject, body);
    let query = embedder.embed_query(&query).expect("the model answers").vector;
    let mut found: Vec<Passage> = pages.to_vec();
    for (page, vector) in found.iter_mut().zip(&vectors) {
        let cosine: f32 = query.iter().zip(&vector.vector).map(|(a, b)| a * b).sum();
        page.distance = f64::from(1.0 - cosine);
    }
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    found.truncate(TOP_K);
    (1..).zip(&mut found).for_each(|(number, passage)| passage.number = number);
    let question = format!("{subject}\n\n{body}");
    let request = GenerationRequest {
        language,
        question: &question,
        passages: &found,
        instructions: "",
        signature: "",
    };
    let runner = ExtractiveRunner::new(embedder.clone());
    let generation = runner.generate(&request, &Cancellation::new()).expect("it writes");
    let quoted = generation.parts.into_iter().filter(|part| !part.citations.is_empty());
    quoted.map(|part| part.text).collect()
}

/// The vector of a page, made once for all tests.
fn vector_of(content: &str) -> Embedding {
    static KNOWN: LazyLock<Mutex<HashMap<String, Embedding>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().expect("no test fails while it holds it");
    if let Some(vector) = known.get(content) {
        return vector.clone();
    }
    let vectors = EMBEDDER
        .embed_passages(&[content], 1, &Cancellation::new(), &mut |_| {})
        .expect("the model answers");
    let vector = vectors.into_iter().next().expect("one for one");
    known.entry(content.to_owned()).or_insert(vector).clone()
}

#[test]
fn everyday_questions_are_answered_from_the_right_sentence() {
    let cases = [
        (Language::Fr, "Sous combien de temps serai-je remboursé ?", "14 jours"),
        (
            Language::Fr,
            "Bonjour, quand vais-je recevoir mon colis en livraison standard ?",
            "3 à 5 jours",
        ),
        (
            Language::Fr,
            "Je n’arrive plus à me connecter, j’ai perdu mon mot de passe.",
            "Mot de passe oublié",
        ),
        (Language::Fr, "Où puis-je récupérer ma facture ?", "Pour télécharger votre facture"),
        (Language::En, "When will I get my refund?", "14 days"),
        (Language::En, "How long will the delivery of my order take?", "3 to 5 working days"),
        (Language::En, "I forgot my password, what should I do?", "Forgotten password"),
        (Language::En, "Where do I find the invoice for my order?", "To download your invoice"),
    ];
    for (language, question, expected) in cases {
        let quoted = quotes(language, question, &help_centre(language)).join(" ");
        assert!(quoted.contains(expected), "{question}: {quoted:?}");
    }
}

#[test]
fn plain_paraphrases_are_answered() {
    let cases = [
        (Language::En, "When will I get my money back?", "14 days"),
        (Language::En, "How long does shipping take?", "3 to 5 working days"),
        (Language::En, "I want to send it back", "30 days"),
        (Language::En, "I can't log in", "Forgotten password"),
        (Language::En, "Where is my bill?", "To download your invoice"),
        (Language::Fr, "Je voudrais être remboursé", "14 jours"),
        (Language::Fr, "Comment vous renvoyer l’article ?", "30 jours"),
        (Language::Fr, "Je n’ai plus mon mdp", "Mot de passe oublié"),
        (Language::Fr, "Quels sont les délais d’expédition ?", "3 à 5 jours"),
    ];
    for (language, question, expected) in cases {
        let quoted = quotes(language, question, &help_centre(language)).join(" ");
        assert!(quoted.contains(expected), "{question}: {quoted:?}");
    }
}

#[test]
fn paraphrases_are_answered_from_the_sample_articles() {
    let (fr, en) = (Language::Fr, Language::En);
    let cases = [
        (en, en, "My package hasn't arrived", "has not arrived 3 working days after"),
        (en, en, "Where is my parcel?", "tracking number"),
        (en, en, "Can I pay by cheque?", "Cheques are not accepted"),
        (en, en, "Can I pay by check?", "Cheques are not accepted"),
        (en, en, "When will I get my money back?", "within 5 working days of the parcel"),
        (en, en, "How long does shipping take?", "home delivery takes 2 to 3 working days"),
        (en, en, "How much is postage?", "costs €3.90"),
        (en, en, "Can I spread the cost?", "3 instalments"),
        (en, en, "I'd like to close my account", "Deletion is requested"),
        (fr, fr, "Je voudrais être remboursé", "Le remboursement est effectué"),
        (fr, fr, "Où est mon colis ?", "numéro de suivi"),
        (fr, fr, "Comment vous renvoyer l’article ?", "choisissez l'article puis « Retourner »"),
        (fr, fr, "Je n’ai toujours pas reçu mon paquet", "n'est pas arrivé 3 jours ouvrés"),
        (fr, fr, "Combien coûtent les frais de port ?", "coûte 3,90 €"),
        (fr, fr, "Acceptez-vous les paiements par chèque ?", "Les chèques ne sont pas acceptés"),
        (en, en, "Where is my bill?", "The invoice is attached"),
        (en, en, "I can't log in", "Forgotten password"),
        (fr, fr, "Je veux fermer mon compte", "La suppression se demande"),
        (fr, en, "Quand serai-je remboursé ?", "within 5 working days of the parcel"),
        (fr, en, "Puis-je payer par chèque ?", "Cheques are not accepted"),
        (en, fr, "Can I pay in instalments?", "Le paiement en 3 fois"),
        (en, fr, "How do I cancel my order?", "Une commande s'annule gratuitement"),
    ];
    for (language, of_pages, question, expected) in cases {
        let quoted = quotes(language, question, &sample_passages(of_pages)).join(" ");
        assert!(quoted.contains(expected), "{question}: {quoted:?}");
    }
}

#[test]
fn the_sample_tickets_get_what_a_good_colleague_would_quote() {
    for ticket in SAMPLE_TICKETS {
        let pages = sample_passages(ticket.language);
        let quoted = quotes_of_ticket(ticket.language, ticket.subject, ticket.body, &pages);
        assert_eq!(quoted.is_empty(), ticket.quoted.is_empty(), "{}: {quoted:?}", ticket.subject);
        let reply = quoted.join(" ");
        for words in ticket.quoted {
            assert!(reply.contains(words), "{}: {quoted:?}", ticket.subject);
        }
    }
}

#[test]
fn what_the_help_centre_does_not_know_is_not_answered() {
    let cases = [
        (Language::Fr, "Quel temps fera-t-il demain à Marseille ?"),
        (Language::Fr, "Comment préparer une tarte aux pommes ?"),
        (Language::En, "Will it rain in Glasgow on Sunday?"),
        (Language::En, "Who won the football world cup in 1998?"),
    ];
    for (language, question) in cases {
        let quoted = quotes(language, question, &help_centre(language));
        assert!(quoted.is_empty(), "{question}: {quoted:?}");
    }
}

#[test]
fn what_the_sample_articles_do_not_know_is_not_answered() {
    let cases = [
        (Language::Fr, "Avez-vous un emploi pour mon fils ?"),
        (Language::Fr, "Comment préparer une tarte aux pommes ?"),
        (Language::Fr, "Quel temps fera-t-il demain à Marseille ?"),
        (Language::En, "Do you sell garden hoses?"),
        (Language::En, "How long does it take to learn the piano?"),
        (Language::En, "Who won the football world cup in 1998?"),
    ];
    for (language, question) in cases {
        let quoted = quotes(language, question, &sample_passages(language));
        assert!(quoted.is_empty(), "{question}: {quoted:?}");
    }
}

/// What the rule of evidence misses today: words that the articles have not outweigh the concepts
/// that they have. A change that answers these is welcome; this test then says so.
#[test]
fn a_complaint_about_what_the_articles_do_not_name_is_still_missed() {
    let cases = [
        (Language::En, "My lamp arrived broken, can I get a replacement?"),
        (Language::Fr, "Mon code promo ne marche pas"),
    ];
    for (language, question) in cases {
        let quoted = quotes(language, question, &sample_passages(language));
        assert!(quoted.is_empty(), "it is answered now, move it up: {quoted:?}");
    }
}

#[test]
fn a_french_question_is_answered_from_english_pages() {
    let quoted = quotes(
        Language::Fr,
        "Comment réinitialiser mon mot de passe ?",
        &help_centre(Language::En),
    );
    assert!(quoted.join(" ").contains("Forgotten password"), "{quoted:?}");
    let quoted =
        quotes(Language::Fr, "Comment préparer une tarte aux pommes ?", &help_centre(Language::En));
    assert!(quoted.is_empty(), "{quoted:?}");
}
