//! Markdown reduced to the words that a reader sees.
//!
//! A draft is plain text, so what it quotes loses its emphasis marks, link targets, code ticks and
//! hard line breaks, and nothing else: the words and their order stay. The runner quotes with
//! [`plain`], the support check compares with it, and both therefore mean the same by "verbatim".
//! It is not a Markdown parser: blocks are the business of [`crate::anatomy`].

/// `text` without inline markup, blanks collapsed and trimmed.
///
/// Emphasis, strikethrough, code ticks, images, raw tags, backslash escapes, link targets and
/// reference marks (`word[2]`, `[^1]`) go; a lone no-break space stays, any other run of blanks
/// becomes one space.
pub fn plain(text: &str) -> String {
    let mut reducer =
        Reducer { chars: text.chars().collect(), at: 0, words: String::with_capacity(text.len()) };
    reducer.run();
    collapse_blanks(&reducer.words)
}

/// `text` with each run of blanks as one space, or as the no-break space that the run is.
fn collapse_blanks(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    let mut run = String::new();
    for c in text.trim().chars() {
        if c.is_whitespace() {
            run.push(c);
            continue;
        }
        match run.as_str() {
            "" => {}
            "\u{a0}" | "\u{202f}" => collapsed.push_str(&run),
            _ => collapsed.push(' '),
        }
        run.clear();
        collapsed.push(c);
    }
    collapsed
}

/// Walks once over the characters and keeps those that are words.
struct Reducer {
    chars: Vec<char>,
    at: usize,
    words: String,
}

impl Reducer {
    fn run(&mut self) {
        while let Some(c) = self.peek(0) {
            match c {
                '\\' if self.peek(1).is_some_and(|next| next.is_ascii_punctuation()) => {
                    self.at += 1;
                    self.keep();
                }
                '`' => self.code(),
                '!' if self.peek(1) == Some('[') => self.image(),
                '[' => self.bracket(),
                '<' => self.tag(),
                '*' | '~' => self.marks(c),
                '_' => self.underscores(),
                '>' if self.at_line_start() => self.at += 1,
                _ => self.keep(),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn previous(&self) -> Option<char> {
        self.at.checked_sub(1).and_then(|before| self.chars.get(before).copied())
    }

    fn keep(&mut self) {
        if let Some(c) = self.peek(0) {
            self.words.push(c);
            self.at += 1;
        }
    }

    /// Quotation marks of mail and Markdown (`> `) stand at the start of a line.
    fn at_line_start(&self) -> bool {
        let line_before = self.chars[..self.at].iter().rev().take_while(|c| **c != '\n');
        line_before.copied().all(|c| c == ' ' || c == '>')
    }

    /// Where the run that closes `open` ticks begins, looking from `from`.
    fn closing_ticks(&self, from: usize, open: usize) -> Option<usize> {
        let mut at = from;
        while at < self.chars.len() {
            let ticks = self.run_length(at, '`');
            if ticks == open {
                return Some(at);
            }
            at += ticks.max(1);
        }
        None
    }

    fn run_length(&self, from: usize, mark: char) -> usize {
        self.chars[from..].iter().take_while(|c| **c == mark).count()
    }

    /// Code keeps every character: `snake_case` and `a * b` are not emphasis there.
    fn code(&mut self) {
        let open = self.run_length(self.at, '`');
        let inside = self.at + open;
        if let Some(close) = self.closing_ticks(inside, open) {
            self.words.extend(&self.chars[inside..close]);
            self.at = close + open;
        } else {
            self.at = inside;
        }
    }

    /// The index of the mark that closes the one at `from`, nested ones passed over.
    fn closing(&self, from: usize, open: char, close: char) -> Option<usize> {
        let mut depth = 0_usize;
        for (offset, c) in self.chars[from..].iter().enumerate().take(MAX_LINK_CHARS) {
            if *c == open {
                depth += 1;
            } else if *c == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(from + offset);
                }
            }
        }
        None
    }

    /// One past the target `(…)` or `[…]` that begins right at `from`.
    fn after_target(&self, from: usize) -> Option<usize> {
        match self.chars.get(from) {
            Some('(') => self.closing(from, '(', ')'),
            Some('[') => self.closing(from, '[', ']'),
            _ => None,
        }
        .map(|close| close + 1)
    }

    fn image(&mut self) {
        let after = self.closing(self.at + 1, '[', ']').and_then(|end| self.after_target(end + 1));
        match after {
            Some(after) => self.at = after,
            None => self.keep(),
        }
    }

    fn bracket(&mut self) {
        let Some(close) = self.closing(self.at, '[', ']') else {
            return self.keep();
        };
        let inside = &self.chars[self.at + 1..close];
        let is_number = !inside.is_empty() && inside.iter().all(char::is_ascii_digit);
        let is_attached =
            self.previous().is_some_and(|before| !before.is_whitespace() && before != '(');
        if inside.first() == Some(&'^') || (is_number && is_attached) {
            self.at = close + 1;
        } else if let Some(after) = self.after_target(close + 1).filter(|_| !is_number) {
            let label: String = inside.iter().collect();
            self.words.push_str(&plain(&label));
            self.at = after;
        } else {
            self.keep();
        }
    }

    fn tag(&mut self) {
        let begins = match (self.peek(1), self.peek(2)) {
            (Some('/'), Some(second)) => second.is_ascii_alphabetic(),
            (Some(first), _) => first.is_ascii_alphabetic(),
            _ => false,
        };
        let Some(close) = self.closing(self.at, '<', '>').filter(|_| begins) else {
            return self.keep();
        };
        let inside: String = self.chars[self.at + 1..close].iter().collect();
        if inside.contains("://") || (inside.contains('@') && !inside.contains(' ')) {
            self.words.push_str(&inside);
        } else if inside.trim_end_matches(['/', ' ']).eq_ignore_ascii_case("br") {
            self.words.push(' ');
        }
        self.at = close + 1;
    }

    /// A star is emphasis where it leans on a word, and a star (`5 * 3`) where blanks surround it.
    fn marks(&mut self, mark: char) {
        let length = self.run_length(self.at, mark);
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let is_strike = mark == '~' && length == 2;
        let leans = !(blank(self.previous()) && blank(self.peek(length)));
        if leans && (is_strike || mark == '*') {
            self.at += length;
        } else {
            for _ in 0..length {
                self.keep();
            }
        }
    }

    /// An underscore inside a word is a letter of it.
    fn underscores(&mut self) {
        let length = self.run_length(self.at, '_');
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let (before, after) = (self.previous(), self.peek(length));
        let is_emphasis =
            letter(before) != letter(after) || !(letter(before) || blank(before) && blank(after));
        if is_emphasis {
            self.at += length;
        } else {
            for _ in 0..length {
                self.keep();
            }
        }
    }
}

/// How far a link's closing mark is looked for; it keeps a text of brackets linear.
const MAX_LINK_CHARS: usize = 500;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::plain;

    #[test]
    fn inline_markup_is_reduced_to_its_words() {
        for (text, words) in [
            ("Refunds take **14 days**.", "Refunds take 14 days."),
            ("See [the _whole_ page](https://x.example/a_(b)) now.", "See the whole page now."),
            ("Set `max_size` to *ten*.", "Set max_size to ten."),
            ("A file_name_here, 5 * 3 and a < b > c.", "A file_name_here, 5 * 3 and a < b > c."),
            ("Write to <help@x.example>.", "Write to help@x.example."),
            ("One<br/>two <b>three</b>", "One two three"),
            ("![logo](logo.png) Hello", "Hello"),
            ("It is true[2].[^note]", "It is true."),
            ("Press [1] for sales", "Press [1] for sales"),
            ("4 \\* 5", "4 * 5"),
            ("two\n> quoted   lines", "two quoted lines"),
        ] {
            assert_eq!(plain(text), words, "{text:?}");
        }
    }

    #[test]
    fn french_no_break_spaces_stay() {
        assert_eq!(plain("Combien\u{a0}?  Dix\u{202f}%"), "Combien\u{a0}? Dix\u{202f}%");
    }

    proptest! {
        #[test]
        fn any_text_is_reduced_without_a_crash(text in "\\PC{0,80}|[\\[\\]()*_`<>!~ a\\n]{0,60}") {
            let words = plain(&text);
            prop_assert!(words.chars().count() <= text.chars().count());
            prop_assert_eq!(words.trim(), &words);
        }
    }
}
