//! The tokens of RTF (Rich Text Format Specification 1.9.1, “RTF syntax”).

/// The longest name of a control word, in letters.
const MAX_NAME: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `{`
    Open,
    /// `}`
    Close,
    /// `\name` or `\name7`.
    Word { name: &'a str, value: Option<i32> },
    /// A backslash with a character that is no letter; `\'` is a [`Byte`](Self::Byte).
    Symbol(u8),
    /// `\'e9`: a byte of the font's code page.
    Byte(u8),
    /// Bytes as they stand, without line ends.
    Text(&'a [u8]),
    /// `\bin` with its data, which are left out.
    Binary,
}

pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Takes the bytes before the first for which `is_end` holds.
    fn take_until(&mut self, is_end: impl Fn(&u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(is_end).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn control(&mut self) -> Option<Token<'a>> {
        let name = self.take_until(|byte| !byte.is_ascii_alphabetic());
        if name.is_empty() {
            let (symbol, rest) = self.rest.split_first()?;
            self.rest = rest;
            return Some(if *symbol == b'\'' { self.byte() } else { Token::Symbol(*symbol) });
        }
        let is_negative =
            self.rest.first() == Some(&b'-') && self.rest.get(1).is_some_and(u8::is_ascii_digit);
        if is_negative {
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
        let digits = self.take_until(|byte| !byte.is_ascii_digit());
        let value = digits.iter().fold(0_i32, |value, digit| {
            value.saturating_mul(10).saturating_add(i32::from(digit - b'0'))
        });
        let value = (!digits.is_empty()).then_some(if is_negative { -value } else { value });
        if let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
        let name = name.get(..name.len().min(MAX_NAME)).unwrap_or_default();
        let name = std::str::from_utf8(name).unwrap_or_default();
        if name == "bin" {
            let length = usize::try_from(value.unwrap_or(0)).unwrap_or(0);
            self.rest = self.rest.get(length..).unwrap_or_default();
            return Some(Token::Binary);
        }
        Some(Token::Word { name, value })
    }

    fn byte(&mut self) -> Token<'a> {
        let digit = |at: usize| {
            let digit = self.rest.get(at).copied().map(char::from)?.to_digit(16)?;
            u8::try_from(digit).ok()
        };
        match (digit(0), digit(1)) {
            (Some(high), Some(low)) => {
                self.rest = self.rest.get(2..).unwrap_or_default();
                Token::Byte(high << 4 | low)
            }
            _ => Token::Symbol(b'\''),
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (first, rest) = self.rest.split_first()?;
            match first {
                b'{' | b'}' | b'\\' => self.rest = rest,
                _ => {}
            }
            match first {
                b'{' => return Some(Token::Open),
                b'}' => return Some(Token::Close),
                b'\\' => return self.control(),
                b'\r' | b'\n' | 0 => self.rest = rest,
                _ => {
                    let is_end =
                        |byte: &u8| matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
                    return Some(Token::Text(self.take_until(is_end)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_symbols_bytes_and_data_are_told_apart() {
        let tokens: Vec<Token<'_>> =
            Tokens::new(b"{\\rtf1\\b0 x\r\ny\\'e9\\~\\li-20z\\bin3 {}}\\u233?}").collect();
        let word = |name, value| Token::Word { name, value };
        assert_eq!(
            tokens,
            [
                Token::Open,
                word("rtf", Some(1)),
                word("b", Some(0)),
                Token::Text(b"x"),
                Token::Text(b"y"),
                Token::Byte(0xE9),
                Token::Symbol(b'~'),
                word("li", Some(-20)),
                Token::Text(b"z"),
                Token::Binary,
                word("u", Some(233)),
                Token::Text(b"?"),
                Token::Close,
            ]
        );
        assert_eq!(Tokens::new(b"\\bin99999 x").collect::<Vec<_>>(), [Token::Binary]);
        assert_eq!(Tokens::new(b"\\'g1\\").count(), 2);
    }
}
