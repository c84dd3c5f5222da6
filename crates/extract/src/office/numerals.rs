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

/// The mark of an item from what a document shows before it: a mark that ends in a letter or a
/// digit gets a dot, so that it does not run into the words.
pub(crate) fn mark(label: &str) -> String {
    let label = label.trim();
    match label.chars().last() {
        None => "-".to_owned(),
        Some(last) if last.is_alphanumeric() => format!("{label}."),
        Some(_) => label.to_owned(),
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
        assert_eq!([mark("1.2"), mark("a)"), mark(" ")], ["1.2.", "a)", "-"]);
    }
}
