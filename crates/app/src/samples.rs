//! The sample help centre: a small shop's articles and customers' questions, in both languages.
//!
//! The files under `crates/app/samples` are ours to give away with the product. What is made
//! from them is ordinary: a base, an agent and tickets that a person can change or delete.

use ancre_domain::Language;

/// Everything that the samples make in one language.
pub(crate) struct Samples {
    pub(crate) knowledge_base: &'static str,
    pub(crate) description: &'static str,
    pub(crate) agent: &'static str,
    pub(crate) agent_description: &'static str,
    pub(crate) signature: &'static str,
    pub(crate) articles: &'static [Article],
    /// The first is the one to open first.
    pub(crate) tickets: &'static [SampleTicket],
}

/// One article, in Markdown.
pub(crate) struct Article {
    pub(crate) uri: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
}

/// One customer's message.
pub(crate) struct SampleTicket {
    pub(crate) subject: &'static str,
    pub(crate) body: &'static str,
}

macro_rules! article {
    ($language:literal, $file:literal, $title:literal) => {
        Article {
            uri: concat!("sample:", $language, "/", $file),
            title: $title,
            text: include_str!(concat!("../samples/", $language, "/", $file)),
        }
    };
}

/// The samples in a language.
pub(crate) const fn in_language(language: Language) -> &'static Samples {
    match language {
        Language::Fr => &FRENCH,
        Language::En => &ENGLISH,
    }
}

const FRENCH: Samples = Samples {
    knowledge_base: "Centre d’aide (exemple)",
    description: "Livraison, retours, garantie et compte d’une petite boutique de luminaires et de meubles.",
    agent: "Camille (exemple)",
    agent_description: "Répond aux clients de la boutique.",
    signature: "L’équipe Boréale",
    articles: &[
        article!("fr", "livraison.md", "Livraison"),
        article!("fr", "retours-et-remboursements.md", "Retours et remboursements"),
        article!("fr", "garantie-et-reparations.md", "Garantie et réparations"),
        article!("fr", "compte-et-mot-de-passe.md", "Compte et mot de passe"),
        article!("fr", "paiement-et-factures.md", "Paiement et factures"),
        article!("fr", "modifier-ou-annuler.md", "Modifier ou annuler une commande"),
    ],
    tickets: &[
        SampleTicket {
            subject: "Renvoyer une lampe",
            body: "Bonjour,\n\nLa lampe que j’ai reçue lundi ne va pas du tout avec mon salon. \
                   Combien de temps ai-je pour la renvoyer, et quand serai-je remboursée ?\n\n\
                   Merci d’avance,\nClaire Dubois",
        },
        SampleTicket {
            subject: "Colis abîmé",
            body: "Bonjour, mon colis est arrivé ce matin avec un coin enfoncé et l’abat-jour est \
                   déchiré. Que dois-je faire ?\n\nKarim B.",
        },
        SampleTicket {
            subject: "Mot de passe",
            body: "Je n’arrive plus à me connecter et je ne reçois pas le lien pour changer mon mot \
                   de passe. Pouvez-vous m’aider ?",
        },
        SampleTicket {
            subject: "Facture avec numéro de TVA",
            body: "Bonjour,\nJ’ai besoin d’une facture au nom de ma société avec le numéro de TVA. \
                   Est-ce possible ?\nCordialement,\nHélène Martin",
        },
        SampleTicket {
            subject: "Partenariat avec un club de voile",
            body: "Bonjour, notre club de voile cherche des sponsors pour sa régate de juin. \
                   Votre entreprise serait-elle intéressée ?",
        },
    ],
};

const ENGLISH: Samples = Samples {
    knowledge_base: "Help centre (sample)",
    description: "Delivery, returns, warranty and accounts of a small shop for lamps and furniture.",
    agent: "Robin (sample)",
    agent_description: "Answers the shop’s customers.",
    signature: "The Boreal team",
    articles: &[
        article!("en", "delivery.md", "Delivery"),
        article!("en", "returns-and-refunds.md", "Returns and refunds"),
        article!("en", "warranty-and-repairs.md", "Warranty and repairs"),
        article!("en", "account-and-password.md", "Account and password"),
        article!("en", "payment-and-invoices.md", "Payment and invoices"),
        article!("en", "changing-or-cancelling.md", "Changing or cancelling an order"),
    ],
    tickets: &[
        SampleTicket {
            subject: "Sending a lamp back",
            body: "Hello,\n\nThe lamp I received on Monday does not suit my living room at all. How \
                   long do I have to send it back, and when will I get my money back?\n\n\
                   Thanks in advance,\nClaire Dubois",
        },
        SampleTicket {
            subject: "Damaged parcel",
            body: "Hi, my parcel arrived this morning with a crushed corner and the lampshade is \
                   torn. What should I do?\n\nKarim B.",
        },
        SampleTicket {
            subject: "Password",
            body: "I cannot sign in any more and the link to change my password does not arrive. \
                   Can you help me?",
        },
        SampleTicket {
            subject: "Invoice with VAT number",
            body: "Hello,\nI need an invoice in my company’s name with the VAT number. Is that \
                   possible?\nKind regards,\nHelen Martin",
        },
        SampleTicket {
            subject: "Sponsoring a sailing club",
            body: "Hello, our sailing club is looking for sponsors for its regatta in June. Would \
                   your company be interested?",
        },
    ],
};
