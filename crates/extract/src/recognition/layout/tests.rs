use super::*;

/// Sets lines in letters 10 wide and 20 high; more than one space is a gap of that many letters.
fn paragraph(lines: &[&str]) -> Vec<Word> {
    let mut words = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        let mut column = 0;
        for (place, text) in line.split(' ').enumerate() {
            let length = text.chars().count() as i32;
            if !text.is_empty() {
                words.push(Word {
                    text: text.to_owned(),
                    left: column * 10,
                    top: row as i32 * 30,
                    right: (column + length) * 10,
                    bottom: row as i32 * 30 + 20,
                    confidence: 0.9,
                    starts_line: place == 0,
                    starts_paragraph: place == 0 && row == 0,
                });
            }
            column += length + 1;
        }
    }
    words
}

fn text(lines: &[&str]) -> String {
    paragraphs(&paragraph(lines)).0.join("¶")
}

#[test]
fn a_full_line_runs_on_in_the_next() {
    assert_eq!(
        text(&["you may return what", "you bought within", "thirty days"]),
        "you may return what you bought within thirty days"
    );
}

#[test]
fn a_line_with_room_for_the_next_word_ends_on_purpose() {
    assert_eq!(
        text(&["Lyon", "12, rue des Lilas, au fond", "à gauche"]),
        "Lyon\n12, rue des Lilas, au fond à gauche"
    );
}

#[test]
fn the_rows_of_a_table_stay_rows() {
    assert_eq!(
        text(&["Device      Price of today", "Teapot      12.00 at most"]),
        "Device Price of today\nTeapot 12.00 at most"
    );
}

#[test]
fn a_word_divided_at_a_line_end_is_whole_again() {
    assert_eq!(text(&["le rembour-", "sement suit"]), "le remboursement suit");
}

#[test]
fn a_hyphen_that_belongs_to_the_word_stays() {
    assert_eq!(
        text(&["cela va de soi-", "même, allez-", "vous à Saint-", "Malo en 3-", "quatre jours"]),
        "cela va de soi-même, allez-vous à Saint-Malo en 3- quatre jours"
    );
}

#[test]
fn paragraphs_are_kept_apart_and_unlikely_ones_dropped() {
    let mut words = paragraph(&["First"]);
    words.extend(
        paragraph(&["s0me |~ nqise"]).into_iter().map(|word| Word { confidence: 0.4, ..word }),
    );
    words.extend(paragraph(&["— | —"]));
    words.extend(paragraph(&["Second"]));
    let (texts, confidence) = paragraphs(&words);
    assert_eq!(texts, ["First", "Second"]);
    assert!((confidence - 0.9).abs() < 1e-6, "what was dropped does not count: {confidence}");
}

#[test]
fn a_sentence_goes_on_in_what_the_engine_calls_the_next_paragraph() {
    let mut words = paragraph(&["Les frais restent à l'acheteur,"]);
    words.extend(paragraph(&["sauf si l'article est défectueux."]));
    words.extend(paragraph(&["ensuite"]));
    let (texts, _) = paragraphs(&words);
    assert_eq!(
        texts,
        ["Les frais restent à l'acheteur,\nsauf si l'article est défectueux.", "ensuite"]
    );
}

#[test]
fn no_words_make_no_paragraph() {
    assert_eq!(paragraphs(&[]), (Vec::new(), 0.0));
}

#[test]
fn places_from_nowhere_do_no_harm() {
    let far = paragraph(&["one two", "three"])
        .into_iter()
        .map(|word| Word {
            left: i32::MIN,
            right: i32::MAX,
            top: i32::MAX,
            bottom: i32::MIN,
            ..word
        })
        .collect::<Vec<_>>();
    assert_eq!(paragraphs(&far).0.len(), 1);
}
