//! Leaders: the dots that lead the eye from a title to its page number.

/// `Introduction . . . . . . 5` as `Introduction … 5`.
pub(super) fn left_out(text: &str) -> String {
    const MIN_DOTS: usize = 5;
    if text.matches(['.', '·', '_']).count() < MIN_DOTS {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['.', '·', '_']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let after = from.trim_start_matches(['.', '·', '_', ' ']);
        let run = &from[..from.len() - after.len()];
        if run.matches(['.', '·', '_']).count() >= MIN_DOTS {
            kept.truncate(kept.trim_end().len());
            kept.push_str(" … ");
        } else {
            kept.push_str(run);
        }
        rest = after;
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dots_of_a_table_of_contents_go() {
        assert_eq!(left_out("Délais . . . . . . . 12"), "Délais … 12");
        assert_eq!(left_out("1.2.3.4.5.6 Suite... Fin."), "1.2.3.4.5.6 Suite... Fin.");
    }
}
