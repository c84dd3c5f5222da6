//! Stories of the real model in the real ONNX Runtime.
//!
//! They need what set-up installs and fail with a sentence where it is not. `ANCRE_RUNTIME` may
//! name the folder that holds `onnxruntime/` and `models/`; otherwise it is `runtime/` at the
//! root of the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

use ancre_domain::Cancellation;
use ancre_models::{
    Embedder, Embedding, ModelError, ModelPack, OnnxEmbedder, runtime_library_name,
};

static EMBEDDER: LazyLock<OnnxEmbedder> = LazyLock::new(|| {
    let pack = ModelPack::open(&pack_folder()).unwrap();
    OnnxEmbedder::load(&pack, &runtime_library()).unwrap()
});

fn runtime_folder() -> PathBuf {
    let folder = std::env::var_os("ANCRE_RUNTIME")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime"), PathBuf::from);
    assert!(
        folder.is_dir(),
        "{} is not there: run “make setup”, or set ANCRE_RUNTIME to the folder that holds \
         onnxruntime/ and models/",
        folder.display()
    );
    folder
}

fn pack_folder() -> PathBuf {
    runtime_folder().join("models/multilingual-e5-small")
}

fn runtime_library() -> PathBuf {
    runtime_folder().join("onnxruntime").join(runtime_library_name())
}

fn passages(texts: &[&str]) -> Vec<Embedding> {
    EMBEDDER.embed_passages(texts, 16, &Cancellation::new(), &mut |_| {}).unwrap()
}

fn cosine(a: &Embedding, b: &Embedding) -> f32 {
    a.vector.iter().zip(&b.vector).map(|(x, y)| x * y).sum()
}

#[test]
fn a_vector_has_the_dimension_of_the_manifest_and_length_one() {
    let question = EMBEDDER.embed_query("Où est ma commande ?").unwrap();
    assert_eq!(EMBEDDER.description().dimension, 384);
    assert_eq!(question.vector.len(), 384);
    assert_eq!(question.tokens_outside_window, 0);
    assert!((cosine(&question, &question) - 1.0).abs() < 1e-5);
}

#[test]
fn a_french_question_is_nearer_to_its_answer_in_either_language_than_to_anything_else() {
    let question = EMBEDDER.embed_query("Comment réinitialiser mon mot de passe ?").unwrap();
    let [french, english, unrelated] = passages(&[
        "Pour choisir un nouveau mot de passe, cliquez sur « Mot de passe oublié ».",
        "To reset your password, click “Forgot password” on the sign-in page.",
        "Les colis sont livrés en deux à trois jours ouvrés par notre transporteur.",
    ])
    .try_into()
    .unwrap();
    let distances = [&french, &english, &unrelated].map(|passage| cosine(&question, passage));
    assert!(distances[0] > distances[2], "{distances:?}");
    assert!(distances[1] > distances[2], "{distances:?}");
}

#[test]
fn the_vector_of_a_text_depends_neither_on_its_neighbours_nor_on_its_place() {
    let long = "La garantie couvre les pièces et la main-d'œuvre. ".repeat(20);
    let texts = ["Bonjour.", long.as_str(), "Votre colis est en route.", ""];
    let together = passages(&texts);
    for (text, embedding) in texts.iter().zip(&together) {
        assert_eq!(&passages(&[text])[0], embedding, "{text}");
    }
}

#[test]
fn what_lies_outside_the_window_is_counted() {
    let sentence = "La livraison est offerte dès cinquante euros d'achat. ";
    let short = passages(&[sentence]);
    assert_eq!(short[0].tokens_outside_window, 0);

    let outside = |count: usize| passages(&[&sentence.repeat(count)])[0].tokens_outside_window;
    let (fifty, hundred) = (outside(50), outside(100));
    assert!(fifty > 0);
    // Fifty sentences more are all outside: as many tokens more as fifty sentences have.
    assert_eq!((hundred - fifty) % 50, 0, "{fifty} {hundred}");
    assert!(hundred - fifty > fifty, "{fifty} {hundred}");
}

#[test]
fn progress_is_told_after_each_batch_and_a_stop_comes_before_the_next() {
    let texts = ["un", "deux", "trois", "quatre", "cinq"];
    let cancellation = Cancellation::new();
    let mut heard = Vec::new();
    EMBEDDER.embed_passages(&texts, 2, &cancellation, &mut |done| heard.push(done)).unwrap();
    assert_eq!(heard, [2, 4, 5]);

    heard.clear();
    let stopped = EMBEDDER.embed_passages(&texts, 2, &cancellation, &mut |done| {
        heard.push(done);
        cancellation.cancel();
    });
    assert!(matches!(stopped, Err(ModelError::Cancelled)));
    assert_eq!(heard, [2]);
}

#[test]
fn no_passages_are_no_vectors_and_a_batch_of_none_is_a_batch_of_one() {
    assert_eq!(passages(&[]), []);
    let embeddings =
        EMBEDDER.embed_passages(&["un", "deux"], 0, &Cancellation::new(), &mut |_| {}).unwrap();
    assert_eq!(embeddings.len(), 2);
}

#[test]
fn four_threads_get_the_same_vectors_as_one() {
    let question = EMBEDDER.embed_query("Quand serai-je remboursé ?").unwrap();
    let passage = passages(&["Le remboursement arrive sous cinq jours."]);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let again = EMBEDDER.embed_query("Quand serai-je remboursé ?").unwrap();
                    assert_eq!(again, question);
                    let again = passages(&["Le remboursement arrive sous cinq jours."]);
                    assert_eq!(again, passage);
                }
            });
        }
    });
}

#[test]
fn one_changed_byte_in_the_tokenizer_is_found_and_named() {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(pack_folder()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    let tokenizer = copy.path().join("tokenizer.json");
    let mut bytes = fs::read(&tokenizer).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&tokenizer, bytes).unwrap();

    let pack = ModelPack::open(copy.path()).unwrap();
    let error = OnnxEmbedder::load(&pack, &runtime_library()).err().unwrap();
    assert!(matches!(&error, ModelError::Damaged { path, .. } if *path == tokenizer), "{error}");
}

#[test]
fn the_same_runtime_serves_a_second_embedder_and_another_is_refused() {
    let pack = ModelPack::open(&pack_folder()).unwrap();
    let first = EMBEDDER.embed_query("deux fois").unwrap();
    let second = OnnxEmbedder::load(&pack, &runtime_library()).unwrap();
    assert_eq!(second.embed_query("deux fois").unwrap(), first);

    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join(runtime_library_name());
    fs::write(&other, "another library").unwrap();
    let error = OnnxEmbedder::load(&pack, &other).err().unwrap();
    assert!(matches!(&error, ModelError::RuntimeMissing { path, .. } if *path == other), "{error}");
}
