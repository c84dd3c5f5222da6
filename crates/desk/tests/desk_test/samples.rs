//! The sample help centre of the product as a search would give it, and its customers' messages.

use std::path::PathBuf;

use ancre_domain::{ChunkingSettings, Language};
use ancre_knowledge::chunker::chunk_text;
use ancre_models::Passage;

/// The chunks of the sample articles in one language, in the order of their files' names.
pub fn sample_passages(language: Language) -> Vec<Passage> {
    let name = match language {
        Language::Fr => "fr",
        Language::En => "en",
    };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../app/samples").join(name);
    let entries = std::fs::read_dir(&folder).expect("the sample articles are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut passages = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("an article is text");
        let title = text.lines().next().expect("it has a title").trim_start_matches("# ");
        for slice in chunk_text(&text, ChunkingSettings::default()) {
            passages.push(Passage {
                number: 0,
                title: title.to_owned(),
                uri: None,
                content: text[slice.bytes.clone()].to_owned(),
                continues_before: slice.bytes.start > 0,
                continues_after: slice.bytes.end < text.trim_end().len(),
                distance: 0.0,
            });
        }
    }
    passages
}

/// A customer's message: subject and words, as in the product's samples.
pub struct SampleTicket {
    pub language: Language,
    pub subject: &'static str,
    pub body: &'static str,
    /// Words of the sentences that a good reply quotes; none: nothing in the articles answers.
    pub quoted: &'static [&'static str],
}

pub const SAMPLE_TICKETS: &[SampleTicket] = &[
    SampleTicket {
        language: Language::Fr,
        subject: "Renvoyer une lampe",
        body: "Bonjour,\n\nLa lampe que j’ai reçue lundi ne va pas du tout avec mon salon. \
               Combien de temps ai-je pour la renvoyer, et quand serai-je remboursée ?\n\n\
               Merci d’avance,\nClaire Dubois",
        quoted: &["30 jours après la réception", "dans les 5 jours ouvrés qui suivent l'arrivée"],
    },
    SampleTicket {
        language: Language::Fr,
        subject: "Colis abîmé",
        body: "Bonjour, mon colis est arrivé ce matin avec un coin enfoncé et l’abat-jour est \
               déchiré. Que dois-je faire ?\n\nKarim B.",
        quoted: &["dans les 3 jours qui suivent la réception, avec deux photos"],
    },
    SampleTicket {
        language: Language::Fr,
        subject: "Mot de passe",
        body: "Je n’arrive plus à me connecter et je ne reçois pas le lien pour changer mon mot \
               de passe. Pouvez-vous m’aider ?",
        quoted: &["Cliquez sur « Mot de passe oublié »", "courriers indésirables"],
    },
    SampleTicket {
        language: Language::Fr,
        subject: "Facture avec numéro de TVA",
        body: "Bonjour,\nJ’ai besoin d’une facture au nom de ma société avec le numéro de TVA. \
               Est-ce possible ?\nCordialement,\nHélène Martin",
        quoted: &["écrivez-nous dans les 30 jours : nous émettons une facture rectifiée"],
    },
    SampleTicket {
        language: Language::Fr,
        subject: "Partenariat avec un club de voile",
        body: "Bonjour, notre club de voile cherche des sponsors pour sa régate de juin. \
               Votre entreprise serait-elle intéressée ?",
        quoted: &[],
    },
    SampleTicket {
        language: Language::En,
        subject: "Sending a lamp back",
        body: "Hello,\n\nThe lamp I received on Monday does not suit my living room at all. How \
               long do I have to send it back, and when will I get my money back?\n\n\
               Thanks in advance,\nClaire Dubois",
        quoted: &["30 days after delivery", "within 5 working days of the parcel reaching"],
    },
    SampleTicket {
        language: Language::En,
        subject: "Damaged parcel",
        body: "Hi, my parcel arrived this morning with a crushed corner and the lampshade is \
               torn. What should I do?\n\nKarim B.",
        quoted: &["within 3 days of receiving it, with two photos"],
    },
    SampleTicket {
        language: Language::En,
        subject: "Password",
        body: "I cannot sign in any more and the link to change my password does not arrive. \
               Can you help me?",
        quoted: &["Click “Forgotten password”", "spam folder"],
    },
    SampleTicket {
        language: Language::En,
        subject: "Invoice with VAT number",
        body: "Hello,\nI need an invoice in my company’s name with the VAT number. Is that \
               possible?\nKind regards,\nHelen Martin",
        quoted: &["write to us within 30 days: we issue a corrected invoice"],
    },
    SampleTicket {
        language: Language::En,
        subject: "Sponsoring a sailing club",
        body: "Hello, our sailing club is looking for sponsors for its regatta in June. Would \
               your company be interested?",
        quoted: &[],
    },
];
