//! Words that end in a dot without ending a sentence, and words that begin sentences.
//!
//! The lists hold what support texts, help pages and letters use; they are kept short on purpose,
//! because each entry is a word that can no longer end a sentence before a capital.

/// How a dotted word behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// A form of address: a name follows.
    Title,
    /// Never ends a sentence: `e.g.`, `c.-à-d.`, `vs.`
    Joint,
    /// Stands before what it shortens or announces (`art.`, `fig.`, `tél.`); it ends a sentence
    /// only before a word that plainly begins one.
    Inner,
    /// An abbreviation only before a number (`No. 5`); else an ordinary word.
    BeforeNumber,
    /// Letters with dots between, or the form of a company: may end a sentence.
    Acronym,
    /// A single capital letter.
    Initial,
}

const TITLES: &[&str] = &[
    "M", "MM", "Mm", "Mme", "Mmes", "Mlle", "Mlles", "Mgr", "Me", "Dr", "Drs", "Dre", "Pr", "Prof",
    "Mr", "Mrs", "Ms", "Mx", "St", "Ste", "Sts", "Gen", "Col", "Capt", "Cdt", "Lt", "Sgt", "Rev",
    "Hon", "Gov", "Sen", "Rep", "Pres", "Messrs", "dr",
];

const JOINTS: &[&str] = &[
    "c.-à-d", "c-à-d", "c.à.d", "càd", "cf", "e.g", "eg", "ex", "i.e", "n.b", "nb", "p.ex", "p.s",
    "ps", "viz", "vs",
];

const INNER: &[&str] = &[
    // French
    "adj", "al", "apr", "arr", "art", "av", "bd", "boul", "cf", "ch", "chap", "coll", "dép", "dest",
    "éd", "éds", "env", "esp", "ex", "excl", "fig", "hab", "ibid", "impr", "incl", "max", "nb",
    "n", "obs", "p", "p.-ê", "pp", "rech", "réf", "réfs", "resp", "suiv", "suppl", "sv", "sq",
    "sqq", "tél", "tabl", "trad", "vol", // English
    "approx", "appt", "attn", "ca", "dept", "ed", "eds", "ext", "figs", "ie", "para", "paras",
    "ref", "refs", "tel", "vols", // Months
    "janv", "févr", "fév", "avr", "juil", "sept", "oct", "nov", "déc", "jan", "feb", "aug", "dec",
];

const BEFORE_NUMBER: &[&str] = &[
    "no", "nos", "nr", "num", "sec", "sect", "min", "app", "ann", "pt", "pts", "t", "l", "v",
    "ver", "mar", "apr", "jun", "jul", "sep", "ln", "fn", "r", "lot", "ap",
];

const COMPANIES: &[&str] =
    &["Inc", "Ltd", "Co", "Corp", "Bros", "Jr", "Sr", "Cie", "Ave", "Blvd", "Rd", "Mt", "Ft"];

/// How `word`, which stands before a dot, behaves; `None` for an ordinary word.
pub(super) fn abbreviation(word: &str) -> Option<Abbreviation> {
    if word.is_empty() || word.len() > 24 {
        return None;
    }
    if TITLES.contains(&word) {
        return Some(Abbreviation::Title);
    }
    if COMPANIES.contains(&word) {
        return Some(Abbreviation::Acronym);
    }
    let lower = word.to_lowercase();
    if JOINTS.contains(&lower.as_str()) {
        return Some(Abbreviation::Joint);
    }
    if INNER.contains(&lower.as_str()) && !is_initial(word) {
        return Some(Abbreviation::Inner);
    }
    if BEFORE_NUMBER.contains(&lower.as_str()) && !is_initial(word) {
        return Some(Abbreviation::BeforeNumber);
    }
    if is_initial(word) {
        return Some(Abbreviation::Initial);
    }
    is_acronym(word).then_some(Abbreviation::Acronym)
}

/// `J`, or `J.-K` without its last dot is an acronym; `É` is an initial.
fn is_initial(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_uppercase) && characters.next().is_none()
}

/// `U.S`, `p.m`, `J.-C`, `Ph.D`: at least two pieces of one or two letters with dots between.
fn is_acronym(word: &str) -> bool {
    let mut pieces = 0;
    let short = word.split('.').all(|piece| {
        pieces += 1;
        let piece = piece.strip_prefix('-').unwrap_or(piece);
        (1..=2).contains(&piece.chars().count()) && piece.chars().all(char::is_alphabetic)
    });
    short && pieces >= 2
}

const STARTERS: &[&str] = &[
    // French
    "À",
    "Afin",
    "Ainsi",
    "Alors",
    "Après",
    "Au",
    "Aucun",
    "Aucune",
    "Aussi",
    "Aux",
    "Avant",
    "Avec",
    "Bonjour",
    "C",
    "Ce",
    "Cela",
    "Celle",
    "Celui",
    "Ces",
    "Cet",
    "Cette",
    "Chaque",
    "Cliquez",
    "Comme",
    "Comment",
    "D",
    "Dans",
    "De",
    "Depuis",
    "Des",
    "Donc",
    "Du",
    "Elle",
    "Elles",
    "En",
    "Enfin",
    "Ensuite",
    "Entre",
    "Est",
    "Et",
    "Il",
    "Ils",
    "J",
    "Je",
    "L",
    "La",
    "Le",
    "Les",
    "Leur",
    "Lorsque",
    "Lorsqu",
    "M",
    "Mais",
    "Merci",
    "Mon",
    "N",
    "Ne",
    "Nos",
    "Notre",
    "Nous",
    "On",
    "Or",
    "Ou",
    "Où",
    "Par",
    "Pendant",
    "Plusieurs",
    "Pour",
    "Pourquoi",
    "Puis",
    "Quand",
    "Que",
    "Quel",
    "Quelle",
    "Qui",
    "S",
    "Sans",
    "Selon",
    "Seul",
    "Seule",
    "Si",
    "Son",
    "Sous",
    "Sur",
    "Tous",
    "Tout",
    "Toute",
    "Toutes",
    "Un",
    "Une",
    "Veuillez",
    "Vos",
    "Votre",
    "Vous",
    "Y",
    // English
    "A",
    "After",
    "All",
    "Also",
    "Although",
    "An",
    "And",
    "Any",
    "As",
    "At",
    "Because",
    "Before",
    "But",
    "By",
    "Can",
    "Click",
    "Do",
    "Does",
    "During",
    "Each",
    "For",
    "From",
    "He",
    "Hello",
    "Her",
    "His",
    "How",
    "However",
    "I",
    "If",
    "In",
    "Is",
    "It",
    "Its",
    "My",
    "No",
    "Not",
    "Once",
    "Open",
    "Our",
    "Please",
    "Select",
    "She",
    "Since",
    "So",
    "Some",
    "Thank",
    "Thanks",
    "That",
    "The",
    "Their",
    "Then",
    "There",
    "These",
    "They",
    "This",
    "Those",
    "To",
    "Under",
    "Until",
    "Use",
    "We",
    "What",
    "When",
    "Where",
    "Which",
    "While",
    "Who",
    "Why",
    "With",
    "You",
    "Your",
];

/// Whether `word` is one that begins sentences and hardly ever names anything.
pub(super) fn begins_sentences(word: &str) -> bool {
    STARTERS.contains(&word)
}
