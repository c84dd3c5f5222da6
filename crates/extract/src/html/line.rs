//! Running text with its blanks as a browser shows them.

/// Text being gathered: runs of blanks become one space, none at the ends of lines; no-break
/// spaces stay (CSS Text 3, 4.1).
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    has_blank_after: bool,
}

impl Line {
    /// An empty one.
    pub(super) const fn new() -> Self {
        Self { text: String::new(), has_blank_after: false }
    }

    /// Adds text whose blanks do not matter.
    pub(super) fn push(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                ' ' | '\t' | '\n' | '\r' | '\u{C}' => self.has_blank_after = true,
                // A soft hyphen says where a word may be broken, and is no letter of it.
                '\u{AD}' => {}
                _ => {
                    if std::mem::take(&mut self.has_blank_after) && !self.is_at_line_start() {
                        self.text.push(' ');
                    }
                    self.text.push(character);
                }
            }
        }
    }

    /// Adds text as it is.
    pub(super) fn push_verbatim(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Parts two words.
    pub(super) const fn push_blank(&mut self) {
        self.has_blank_after = true;
    }

    /// Begins a line. Says `false`, and does nothing, where one has just begun.
    pub(super) fn break_line(&mut self) -> bool {
        self.has_blank_after = false;
        let is_new = !self.is_at_line_start();
        if is_new {
            self.text.push('\n');
        }
        is_new
    }

    /// Takes what was gathered.
    pub(super) fn take(&mut self) -> String {
        self.has_blank_after = false;
        std::mem::take(&mut self.text)
    }

    /// Whether there is nothing but blanks.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_at_line_start(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_collapse_and_no_break_spaces_stay() {
        let mut line = Line::default();
        line.push("  Combien\n   ");
        line.push("\tça coûte\u{a0}? ");
        assert!(line.break_line());
        assert!(!line.break_line(), "an empty line ends a paragraph");
        line.push(" 29\u{202f}€  mar\u{AD}qué");
        assert_eq!(line.take(), "Combien ça coûte\u{a0}?\n29\u{202f}€ marqué");
    }
}
