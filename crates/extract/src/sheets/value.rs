//! What a cell shows: its value as a person reads it.
//!
//! Dates are written as ISO 8601 has them, because that is the one form that every reader and
//! every search understands; numbers without the dust of binary fractions, with the percent sign,
//! the currency and the decimals of their format. Errors such as `#N/A` are no information and are
//! left out.

use calamine::{Data, ExcelDateTime};

use super::number_format::NumberFormat;

/// The last day that Excel knows, 9999-12-31, and one more.
const END_OF_DAYS: f64 = 2_958_466.0;

/// The text of a cell; empty for what says nothing. `format` is how its numbers are shown.
pub(super) fn text_of(value: Data, format: Option<&NumberFormat>) -> String {
    match value {
        Data::String(text) if text.contains('\0') => text.replace('\0', ""),
        Data::String(text) => text,
        Data::Int(number) => match format {
            // Whole numbers this large are identifiers, which have no format.
            Some(format) if number.unsigned_abs() < 1 << 53 => format.write(number as f64),
            _ => number.to_string(),
        },
        Data::Float(number) => {
            format.map_or_else(|| plain_number(number), |format| format.write(number))
        }
        Data::Bool(value) => value.to_string(),
        Data::DateTime(moment) => moment_text(&moment),
        Data::DateTimeIso(text) => iso_moment(&text),
        Data::DurationIso(text) => iso_duration(&text).unwrap_or(text),
        Data::Error(_) | Data::Empty => String::new(),
    }
}

/// A number in up to 15 significant digits, which is what spreadsheets compute with: 0.1 + 0.2 is
/// 0.3.
pub(super) fn plain_number(number: f64) -> String {
    if !number.is_finite() {
        return String::new();
    }
    let rounded = fifteen_digits(number);
    let size = rounded.abs();
    if size >= 1e21 || (size > 0.0 && size < 1e-9) {
        format!("{rounded:e}")
    } else if rounded == 0.0 {
        "0".to_owned()
    } else {
        rounded.to_string()
    }
}

pub(super) fn fifteen_digits(number: f64) -> f64 {
    format!("{number:.14e}").parse().unwrap_or(number)
}

fn moment_text(moment: &ExcelDateTime) -> String {
    let value = moment.as_f64();
    if !(0.0..END_OF_DAYS).contains(&value) {
        return plain_number(value);
    }
    if moment.is_duration() {
        let seconds = (value * 86_400.0).round() as u64;
        return clock(seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    let Some(when) = moment.as_datetime() else { return plain_number(value) };
    // Seconds are rounded, since a third of a day is no round number of milliseconds.
    let time = (value.fract() * 86_400.0).round() as u64;
    if value < 1.0 {
        return clock(time / 3600 % 24, time / 60 % 60, time % 60);
    }
    let text = when.format("%Y-%m-%d").to_string();
    if time == 0 || time >= 86_400 {
        return text;
    }
    format!("{text} {}", clock(time / 3600, time / 60 % 60, time % 60))
}

/// `14:30`, or `14:30:05`.
fn clock(hours: u64, minutes: u64, seconds: u64) -> String {
    if seconds == 0 {
        format!("{hours:02}:{minutes:02}")
    } else {
        format!("{hours:02}:{minutes:02}:{seconds:02}")
    }
}

/// `2021-01-01T14:30:00` as `2021-01-01 14:30`.
fn iso_moment(text: &str) -> String {
    let Some((date, time)) = text.split_once('T') else { return text.to_owned() };
    let time = time.split('.').next().unwrap_or(time).trim_end_matches('Z');
    match time.strip_suffix(":00").unwrap_or(time) {
        "00:00" => date.to_owned(),
        time => format!("{date} {time}"),
    }
}

/// `PT14H30M00S` as `14:30`; `None` for what is written otherwise.
fn iso_duration(text: &str) -> Option<String> {
    let mut rest = text.strip_prefix("PT")?;
    let mut part = |unit: char| -> Option<u64> {
        let Some((digits, after)) = rest.split_once(unit) else { return Some(0) };
        rest = after;
        digits.split(['.', ',']).next()?.parse().ok()
    };
    let (hours, minutes, seconds) = (part('H')?, part('M')?, part('S')?);
    Some(clock(hours, minutes, seconds))
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType::{DateTime, TimeDelta};

    use super::*;

    fn number(value: f64) -> String {
        text_of(Data::Float(value), None)
    }

    #[test]
    fn numbers_have_no_dust() {
        for (value, text) in [
            (29.0, "29"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333333333333"),
            (-0.0, "0"),
            (123_456_789_012_345.0, "123456789012345"),
            (1e300, "1e300"),
            (2.5e-12, "2.5e-12"),
            (f64::NAN, ""),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn moments_are_iso_dates_and_times() {
        let moment = |value, is_1904| {
            text_of(Data::DateTime(ExcelDateTime::new(value, DateTime, is_1904)), None)
        };
        assert_eq!(moment(44_197.0, false), "2021-01-01");
        assert_eq!(moment(42_735.0, true), "2021-01-01");
        assert_eq!(moment(1.0, false), "1900-01-01");
        assert_eq!(moment(44_197.604_166_666_664, false), "2021-01-01 14:30");
        assert_eq!(moment(0.604_166_666_666_666_6, false), "14:30");
        for value in [f64::MIN, f64::MAX, f64::NAN, f64::INFINITY, -1.0, 3e6] {
            assert!(!moment(value, false).contains(':'), "{value}");
        }
        let duration =
            Data::DateTime(ExcelDateTime::new(1.104_166_666_666_666_7, TimeDelta, false));
        assert_eq!(text_of(duration, None), "26:30");
    }

    #[test]
    fn iso_moments_lose_what_is_nought() {
        let moment = |text: &str| text_of(Data::DateTimeIso(text.to_owned()), None);
        assert_eq!(moment("2021-01-01"), "2021-01-01");
        assert_eq!(moment("2021-01-01T00:00:00"), "2021-01-01");
        assert_eq!(moment("2021-01-01T14:30:00.000"), "2021-01-01 14:30");
        let duration = |text: &str| text_of(Data::DurationIso(text.to_owned()), None);
        assert_eq!(duration("PT14H30M00S"), "14:30");
        assert_eq!(duration("PT90M05.5S"), "00:90:05");
        assert_eq!(duration("P1Y"), "P1Y");
    }

    #[test]
    fn zero_bytes_and_errors_go() {
        assert_eq!(text_of(Data::String("T\0i\0".to_owned()), None), "Ti");
        assert_eq!(text_of(Data::Error(calamine::CellErrorType::NA), None), "");
        assert_eq!(text_of(Data::Bool(true), None), "true");
    }
}
