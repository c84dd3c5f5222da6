use encoding_rs::{ISO_8859_15, WINDOWS_1252};

use super::*;
use crate::format::Format;
use crate::input::Libraries;
use crate::mutation::mutations;
use crate::{Parsed, compose, read};

fn parsed(bytes: &[u8]) -> Result<Parsed, ExtractError> {
    read::parse(&Input {
        bytes,
        file_name: "page.html",
        password: None,
        recognise: false,
        libraries: &Libraries::default(),
        depth: 0,
        progress: &|_| (),
    })
}

fn text_of(html: &str) -> String {
    let content = Content { blocks: blocks_of_html(html).blocks, ..Content::default() };
    match compose::compose(content, Format::Html, "page.html") {
        Ok(parsed) => parsed.text.trim_end().to_owned(),
        Err(ExtractError::Empty) => String::new(),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn headings_paragraphs_and_lines_are_kept() {
    assert_eq!(
        text_of(
            "<h1>Retours <em>et</em>\n échanges <a href=#x>¶</a></h1>Sous <b>30</b> jours,<br>sans frais.<p>Puis\n\
             rien.<div role=heading aria-level=3>Délais</div><p>Un<br><br>deux"
        ),
        "# Retours et échanges\n\nSous 30 jours,\nsans frais.\n\nPuis rien.\n\n### Délais\n\nUn\n\n\
         deux"
    );
}

#[test]
fn nested_lists_keep_their_depth_and_their_numbers() {
    assert_eq!(
        text_of(
            "<ol start=3><li>trois<ul><li>a<li>b<p>suite</ul><li value=9>neuf<li>dix</ol>\
             <p>Puis<ol reversed><li>x<li>y</ol><p>Puis<ol type=i><li>x<li>y</ol><li>seul"
        ),
        "3. trois\n  - a\n  - b\nsuite\n9. neuf\n10. dix\n\nPuis\n\n2. x\n1. y\n\nPuis\n\n\
         i. x\nii. y\n- seul"
    );
}

#[test]
fn a_definition_stands_behind_its_term() {
    assert_eq!(
        text_of(
            "<dl><dt>Can I return it?<dd>Yes, within 30 days.<dt>Colour<dt>Hue<dd><p>Red.<p>Or \
             blue.<dt>Sizes<dd><ul><li>S<li>M</ul></dl>"
        ),
        "- Can I return it? Yes, within 30 days.\n- Colour, Hue: Red.\n\nOr blue.\n\n- Sizes\n- \
         S\n- M"
    );
}

#[test]
fn every_row_says_what_its_values_are_even_under_spans() {
    assert_eq!(
        text_of(
            "<table><caption>Tariffs of the year</caption>\
             <thead><tr><th rowspan=2>Plan<th colspan=2>Price</tr><tr><th>month<th>year</tr>\
             <tbody><tr><td rowspan=2>Duo<td>3<td>30<tr><td>4<td>40<tr><td colspan=3>From May\
             </table>"
        ),
        "Tariffs of the year\n\n- Plan: Duo; Price month: 3; Price year: 30\n- Plan: Duo; Price \
         month: 4; Price year: 40\n- Plan: From May"
    );
}

#[test]
fn a_table_of_titled_rows_is_read_by_row() {
    assert_eq!(
        text_of("<table><tr><th>Weight<td>3 kg<tr><th>Height<td>20 cm</table>"),
        "- Weight: 3 kg\n- Height: 20 cm"
    );
}

#[test]
fn a_table_in_a_cell_stays_in_the_cell() {
    let inner = "<table><tr><th>Size<th>Stock<tr><td>S<td>4<tr><td>M<td>0</table>";
    assert_eq!(
        text_of(&format!("<table><tr><th>Item<th>Sizes<tr><td>Shirt<td>{inner}</table>")),
        "- Item: Shirt; Sizes: Size S, Stock 4, Size M, Stock 0"
    );
}

#[test]
fn a_table_that_only_arranges_the_page_is_no_table() {
    assert_eq!(
        text_of(
            "<table><tr><td><table><tr><td><h2>Bonjour</h2><p>Votre colis part.</table>\
             <tr><td>Total</td><td>29 €</td></tr></table>"
        ),
        "## Bonjour\n\nVotre colis part.\n\nTotal 29 €"
    );
}

#[test]
fn what_nobody_sees_or_reads_is_left_out() {
    assert_eq!(
        text_of(
            "<head><title>Page</title><style>p{}</style></head><nav>Home</nav><p hidden>x</p>\
             <p style='DISPLAY : none'>x</p><script>x</script><p>Lu<svg><text>x</text></svg> \
             <span aria-hidden=true>x</span><button>x</button><img src='data:image/png;base64,AAAA' \
             alt=logo><img alt='Le plan de la gare'></p><!-- x --><template><p>x</template>"
        ),
        "Lu Le plan de la gare"
    );
}

#[test]
fn the_answer_that_a_question_opens_is_read_while_it_is_closed() {
    assert_eq!(
        text_of(
            "<h2>Aide <button>x</button></h2><h3><button>Délais</button></h3>\
             <h3><button aria-controls=a1>Combien de temps ?</button></h3>\
             <div id=a1 hidden>Trente jours.</div><div id=a2 hidden>rien</div>"
        ),
        "## Aide\n\n### Délais\n\n### Combien de temps ?\n\nTrente jours."
    );
}

#[test]
fn code_keeps_its_lines_and_blanks() {
    assert_eq!(
        text_of("<p>Do<pre>\nif a:\n    b<br>    c\n\nd</pre>done"),
        "Do\n\nif a:\n    b\n    c\n\nd\n\ndone"
    );
}

#[test]
fn french_typography_and_other_scripts_stay() {
    assert_eq!(
        text_of(
            "<p>Prix&nbsp;: 1&#8239;299,50&nbsp;&euro; &laquo;&nbsp;net&nbsp;&raquo; &lt;ok&gt;"
        ),
        "Prix\u{a0}: 1\u{202f}299,50\u{a0}€ «\u{a0}net\u{a0}» <ok>"
    );
    assert_eq!(text_of("<p dir=rtl>مرحبا <b>بالعالم</b>!"), "مرحبا بالعالم!");
}

#[test]
fn the_title_is_that_of_the_page() {
    let page = parsed(b"<title>\n Guide &amp; aide </title><svg><title>x</title></svg><h1>A</h1>");
    assert_eq!(page.unwrap().title, "Guide & aide");
}

#[test]
fn every_encoding_is_read_declared_or_not() {
    let words = "<p>Le cœur coûte 12 € à Noël";
    for (page, encoding) in [
        (WINDOWS_1252.encode(words).0.into_owned(), "windows-1252"),
        (
            ISO_8859_15.encode(&format!("<meta charset=iso-8859-15>{words}")).0.into_owned(),
            "ISO-8859-15",
        ),
        // Said wrongly.
        (
            WINDOWS_1252.encode(&format!("<meta charset=utf-8>{words}")).0.into_owned(),
            "windows-1252",
        ),
        (format!("<meta charset=iso-8859-1>{words}").into_bytes(), "UTF-8"),
        (
            [b"\xFF\xFE".to_vec(), words.encode_utf16().flat_map(u16::to_le_bytes).collect()]
                .concat(),
            "UTF-16LE",
        ),
    ] {
        let page = parsed(&page).unwrap();
        assert_eq!(page.text, "Le cœur coûte 12 € à Noël\n");
        assert_eq!(page.encoding.as_deref(), Some(encoding));
    }
}

#[test]
fn a_page_of_xhtml_with_an_empty_title_is_read() {
    assert_eq!(text_of("<?xml version='1.0'?><html><head><title/></head><p>Lu</p>"), "Lu");
}

#[test]
fn a_page_nested_a_hundred_thousand_deep_is_read() {
    for (tag, count) in [
        ("div", 100_000),
        ("b", 100_000),
        ("x-y", 100_000),
        ("blockquote", 100_000),
        ("table><tr><td", 20_000),
        ("ul><li", 5_000),
        ("dl><dd", 5_000),
    ] {
        let page = format!("{}mot", format!("<{tag}>").repeat(count));
        assert_eq!(text_of(&page).trim_start_matches(['-', ' ']), "mot", "{tag}");
    }
}

#[test]
fn a_cell_that_says_it_spans_the_whole_world_is_bounded() {
    let page = format!(
        "<table><tr><th>a<th>b<tr><td rowspan=65534 colspan=1000>{}{}</table>",
        "mot ".repeat(1000),
        "<tr><td>x".repeat(20_000)
    );
    let blocks = blocks_of_html(&page).blocks;
    let cells: usize = blocks
        .iter()
        .map(|block| match block {
            Block::Row { cells, .. } => cells.iter().map(String::len).sum(),
            _ => 0,
        })
        .sum();
    assert!(cells <= compose::MAX_TEXT_BYTES, "{cells}");
}

#[test]
fn no_damage_stops_the_reader() {
    let page = "<?xml version='1.0' encoding='iso-8859-15'?><html><head><title>A</title></head>\
                <body><h1 id='a'>B</h1><ul><li>c<ol start='2'><li>d</ol></ul><table><thead><tr>\
                <th colspan='2'>e</thead><tr><td rowspan='3'>f<td>g<tr><td>h</table><pre>i\n j</pre>\
                <dl><dt>k<dd>l</dl><svg><g/></svg><p style='display:none'>m<p>n&eacute;&#233;</p>";
    for damaged in mutations(page.as_bytes(), 500) {
        if let Ok(page) = parsed(&damaged) {
            assert!(!page.text.is_empty());
        }
    }
}
