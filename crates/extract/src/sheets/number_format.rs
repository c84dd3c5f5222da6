//! How a number is shown: the percent sign, the currency and the decimals of an Excel format code
//! (ECMA-376, part 1, 18.8.31).
//!
//! Only the section of positive numbers is read, a minus is written before negative ones, and
//! figures are not grouped, so that what is searched for is found. Fractions, scientific notation
//! and codes that are not understood give the plain number. Dates are told apart by the reader.

use super::value::{fifteen_digits, plain_number};

/// Excel shows no more.
const MAX_FIGURES: usize = 30;
/// The primary languages (Windows language identifiers) that write a decimal comma.
const COMMA_LANGUAGES: [u32; 5] = [0x07, 0x0A, 0x0C, 0x10, 0x13];

/// What a format code does to a number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct NumberFormat {
    before: String,
    after: String,
    /// Figures before the decimal point, filled up with noughts: postal codes have five.
    least_figures: usize,
    decimals: usize,
    /// How many of them are only shown when they are not nought.
    optional_decimals: usize,
    has_percent: bool,
    has_comma: bool,
}

impl NumberFormat {
    /// Reads a code; `None` where a number is shown plainly.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        let mut format = Self::default();
        let (mut has_figures, mut is_decimal) = (false, false);
        let mut characters = code.chars();
        while let Some(character) = characters.next() {
            match character {
                ';' => break,
                // Figures behind a literal, as in telephone numbers.
                '0' | '#' | '?' if !format.after.trim().is_empty() => return None,
                '0' | '#' | '?' => {
                    has_figures = true;
                    format.least_figures += usize::from(character == '0' && !is_decimal);
                    if is_decimal {
                        format.decimals += 1;
                        format.optional_decimals += usize::from(character != '0');
                    }
                }
                '.' => is_decimal = true,
                // Thousands that are cut off would change the number.
                ',' if is_decimal => return None,
                ',' => {}
                '%' => {
                    format.has_percent = true;
                    format.literal('%', has_figures);
                }
                '"' => {
                    for quoted in characters.by_ref().take_while(|it| *it != '"') {
                        format.literal(quoted, has_figures);
                    }
                }
                '\\' => format.literal(characters.next()?, has_figures),
                // A blank as wide as a character, and a character that fills the cell.
                '_' | '*' => _ = characters.next(),
                '[' => {
                    let bracket: String = characters.by_ref().take_while(|it| *it != ']').collect();
                    format.bracket(&bracket, has_figures);
                }
                ' ' | '-' | '+' | '(' | ')' | '$' | '€' | '£' | '¥' | ':' | '\u{a0}'
                | '\u{202f}' => format.literal(character, has_figures),
                _ => return None,
            }
        }
        format.before = format.before.trim_start().to_owned();
        format.after = format.after.trim_end().to_owned();
        let is_shown = has_figures && format.decimals.max(format.least_figures) <= MAX_FIGURES;
        is_shown.then_some(format)
    }

    fn literal(&mut self, character: char, is_after: bool) {
        if is_after { self.after.push(character) } else { self.before.push(character) }
    }

    /// `[$€-40C]` is a currency with a language; `[Red]` and `[>100]` say nothing of the number.
    fn bracket(&mut self, bracket: &str, is_after: bool) {
        let Some(currency) = bracket.strip_prefix('$') else { return };
        let (sign, language) = currency.split_once('-').unwrap_or((currency, ""));
        for character in sign.chars() {
            self.literal(character, is_after);
        }
        let language = u32::from_str_radix(language, 16).unwrap_or(0) & 0x3FF;
        self.has_comma |= COMMA_LANGUAGES.contains(&language);
    }

    /// The number as it is shown.
    pub(super) fn write(&self, number: f64) -> String {
        let shown = if self.has_percent { number * 100.0 } else { number };
        let shown = fifteen_digits(shown);
        if !shown.is_finite() || shown.abs() >= 1e15 {
            return plain_number(number);
        }
        let decimals = i32::try_from(self.decimals).unwrap_or(0);
        let scale = 10_f64.powi(decimals);
        // Half away from nought, as spreadsheets do it; `format!` rounds half to even.
        let scaled = fifteen_digits(shown.abs() * scale);
        let rounded = if scaled < 1e15 { scaled.round() / scale } else { shown.abs() };
        let mut figures = format!("{rounded:.0$}", self.decimals);
        for _ in 0..self.optional_decimals {
            if figures.contains('.') && figures.ends_with('0') {
                figures.pop();
            }
        }
        let figures = figures.strip_suffix('.').unwrap_or(&figures);
        let figures = if self.has_comma { figures.replace('.', ",") } else { figures.to_owned() };
        let whole = figures.find([',', '.']).unwrap_or(figures.len());
        let noughts = "0".repeat(self.least_figures.saturating_sub(whole));
        let minus = if shown < 0.0 && rounded > 0.0 { "-" } else { "" };
        format!("{minus}{}{noughts}{figures}{}", self.before, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_their_format_says() {
        for (code, number, text) in [
            ("0%", 0.25, "25%"),
            ("0.0 %", 0.055, "5.5 %"),
            ("0.00", 2.71728, "2.72"),
            ("0", 2.5, "3"),
            ("0.00", 1.005, "1.01"),
            ("#,##0.00\\ \"€\"", 1234.5, "1234.50 €"),
            ("#,##0.00 [$€-40C]", 29.9, "29,90 €"),
            ("\"$\"#,##0.00_);[Red](\"$\"#,##0.00)", -5.0, "-$5.00"),
            ("_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00", 7.0, "7,00 €"),
            ("0.0##", 1.25, "1.25"),
            ("#.##", 3.0, "3"),
            ("00000", 1000.0, "01000"),
        ] {
            assert_eq!(NumberFormat::of_code(code).unwrap().write(number), text, "{code}");
        }
    }

    #[test]
    fn what_is_not_understood_is_plain() {
        for code in [
            "General",
            "@",
            "0.00E+00",
            "# ?/?",
            "",
            "0.0,,",
            "\\",
            "[Red]",
            "yyyy",
            "0#\" \"##-##",
        ] {
            assert_eq!(NumberFormat::of_code(code), None, "{code}");
        }
        let format = NumberFormat::of_code("0.00").unwrap();
        for number in [f64::NAN, f64::INFINITY, 1e300, -1e300, 1e-300] {
            assert!(format.write(number).len() < 30, "{number}");
        }
    }
}
