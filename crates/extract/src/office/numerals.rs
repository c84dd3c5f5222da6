//! Numbers as lists and notes show them.

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numerals {
    Decimal,
    LowerLetter,
    UpperLetter,
    LowerRoman,
    UpperRoman,
}

impl Numerals {
    /// Writes a number; 0 and what has no such form are written in digits.
    pub(crate) fn write(self, number: u32) -> String {
        match self {
            Self::Decimal => number.to_string(),
            Self::LowerLetter => letters(number),
            Self::UpperLetter => letters(number).to_uppercase(),
            Self::LowerRoman => roman(number),
            Self::UpperRoman => roman(number).to_uppercase(),
        }
    }
}

/// `a` to `z`, then `aa`, `bb` as word processors do (ECMA-376, part 1, 17.18.59).
fn letters(number: u32) -> String {
    const MOST: u32 = 26 * 4;
    if number == 0 || number > MOST {
        return number.to_string();
    }
    let letter = char::from(b'a' + u8::try_from((number - 1) % 26).unwrap_or_default());
    std::iter::repeat_n(letter, ((number - 1) / 26 + 1) as usize).collect()
}

fn roman(number: u32) -> String {
    const STEPS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if number == 0 || number > 3_999 {
        return number.to_string();
    }
    let mut rest = number;
    let mut written = String::new();
    for (value, sign) in STEPS {
        while rest >= value {
            written.push_str(sign);
            rest -= value;
        }
    }
    written
}

/// What a document shows before an item or a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Label {
    Bullet,
    /// A number as it is shown, such as `1.2` or `b)`; nothing where nothing stands.
    Number(String),
}

impl Label {
    /// The mark of an item; `None` where nothing stands. A number that ends in a letter or a digit
    /// gets a dot, so that it does not run into the words.
    pub(crate) fn mark(&self) -> Option<String> {
        let Self::Number(number) = self else { return Some("-".to_owned()) };
        let number = number.trim();
        number.chars().last().map(|last| {
            if last.is_alphanumeric() { format!("{number}.") } else { number.to_owned() }
        })
    }

    /// The words of a heading with the number that people call it by.
    pub(crate) fn before_heading(&self, words: &str) -> String {
        match self {
            Self::Number(number) if !number.trim().is_empty() => {
                format!("{} {words}", number.trim())
            }
            Self::Number(_) | Self::Bullet => words.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_word_processors_write_them() {
        assert_eq!(Numerals::LowerLetter.write(26), "z");
        assert_eq!(Numerals::UpperLetter.write(28), "BB");
        assert_eq!(Numerals::LowerRoman.write(1994), "mcmxciv");
        assert_eq!(Numerals::UpperRoman.write(u32::MAX), u32::MAX.to_string());
        assert_eq!(Numerals::LowerLetter.write(0), "0");
    }

    #[test]
    fn a_mark_does_not_run_into_the_words() {
        let mark = |number: &str| Label::Number(number.to_owned()).mark();
        assert_eq!(mark("1.2").as_deref(), Some("1.2."));
        assert_eq!(mark("a)").as_deref(), Some("a)"));
        assert_eq!(mark(" "), None);
        assert_eq!(Label::Number("1.2".to_owned()).before_heading("Fees"), "1.2 Fees");
    }
}
