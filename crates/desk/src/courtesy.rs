//! The sentences that Ancre writes itself: greeting, thanks, what it could not find, closing.
//!
//! None of them claims anything about the customer's business. They are the only words of an
//! extractive draft that come from no passage, so the support check knows them by heart.
//! French typography has its no-break spaces and its typographic apostrophe.

use ancre_domain::Language;

/// A sentence of courtesy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Courtesy {
    /// The first line.
    Greeting,
    /// Thanks for the message.
    Thanks,
    /// Says that what follows is quoted in French, to a reader of English.
    QuotesFrench,
    /// Says that what follows is quoted in English, to a reader of French.
    QuotesEnglish,
    /// Says that nothing relevant was found.
    NothingFound,
    /// Says that one of the things asked was not found.
    PartNotFound,
    /// The last line, unless the agent has its own.
    Closing,
}

impl Courtesy {
    const ALL: [Self; 7] = [
        Self::Greeting,
        Self::Thanks,
        Self::QuotesFrench,
        Self::QuotesEnglish,
        Self::NothingFound,
        Self::PartNotFound,
        Self::Closing,
    ];

    /// The sentence that introduces quotations in `language`.
    pub const fn quotes(language: Language) -> Self {
        match language {
            Language::Fr => Self::QuotesFrench,
            Language::En => Self::QuotesEnglish,
        }
    }

    /// The sentence in `language`.
    pub const fn words(self, language: Language) -> &'static str {
        match (language, self) {
            (Language::Fr, Self::Greeting) => "Bonjour,",
            (Language::Fr, Self::Thanks) => "Merci pour votre message.",
            (Language::Fr, Self::QuotesFrench) => "Voici ce que dit notre documentation\u{a0}:",
            (Language::Fr, Self::QuotesEnglish) => {
                "Voici ce que dit notre documentation, en anglais\u{a0}:"
            }
            (Language::Fr, Self::NothingFound) => {
                "Nous n’avons pas trouvé la réponse à votre question dans notre \
                 documentation\u{202f}; un collègue vous répondra."
            }
            (Language::Fr, Self::PartNotFound) => {
                "Pour le reste de votre message, nous n’avons pas trouvé la réponse dans notre \
                 documentation\u{202f}; un collègue vous répondra."
            }
            (Language::Fr, Self::Closing) => "Bien cordialement,",
            (Language::En, Self::Greeting) => "Hello,",
            (Language::En, Self::Thanks) => "Thank you for your message.",
            (Language::En, Self::QuotesFrench) => "Here is what our documentation says, in French:",
            (Language::En, Self::QuotesEnglish) => "Here is what our documentation says:",
            (Language::En, Self::NothingFound) => {
                "We did not find the answer to your question in our documentation; a colleague \
                 will answer you."
            }
            (Language::En, Self::PartNotFound) => {
                "For the rest of your message, we did not find the answer in our documentation; a \
                 colleague will answer you."
            }
            (Language::En, Self::Closing) => "Kind regards,",
        }
    }
}

/// Whether `sentence` is one of the product's own courtesies, in any language.
pub fn is_courtesy(sentence: &str) -> bool {
    let sentence = sentence.trim();
    Language::ALL.into_iter().any(|language| {
        Courtesy::ALL.into_iter().any(|courtesy| courtesy.words(language) == sentence)
    })
}
