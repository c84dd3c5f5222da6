//! Stories of workbooks, most of them written here part by part.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

use super::*;
use crate::mutation::mutations;
use crate::{Libraries, Parsed, compose, package};

/// A package with these parts.
fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A workbook of these sheets: each a name, a state and the XML between `worksheet` tags.
fn xlsx(sheets: &[(&str, &str, &str)], properties: &str) -> Vec<u8> {
    let mut parts = vec![
        (
            "[Content_Types].xml".to_owned(),
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#.to_owned(),
        ),
        (
            "_rels/.rels".to_owned(),
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#.to_owned(),
        ),
        (
            "xl/styles.xml".to_owned(),
            r##"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="#,##0.00\ &quot;€&quot;"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm"/></numFmts><cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="9" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="20" applyNumberFormat="1"/></cellXfs></styleSheet>"##.to_owned(),
        ),
    ];
    let (mut list, mut relationships) = (String::new(), String::new());
    for (at, (name, state, content)) in sheets.iter().enumerate() {
        list +=
            &format!(r#"<sheet name="{name}" sheetId="{}" state="{state}" r:id="s{at}"/>"#, at + 1);
        relationships += &format!(
            r#"<Relationship Id="s{at}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{at}.xml"/>"#
        );
        parts.push((
            format!("xl/worksheets/sheet{at}.xml"),
            format!(r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{content}</worksheet>"#),
        ));
    }
    parts.push((
        "xl/workbook.xml".to_owned(),
        format!(r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">{properties}<sheets>{list}</sheets></workbook>"#),
    ));
    parts.push((
        "xl/_rels/workbook.xml.rels".to_owned(),
        format!(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relationships}</Relationships>"#),
    ));
    let parts: Vec<(&str, &str)> = parts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    package(&parts)
}

/// Rows of cells: `"text"`, a number, or a number with its style as `3@2`.
fn rows(rows: &[&[&str]]) -> String {
    let mut xml = "<sheetData>".to_owned();
    for (row, cells) in rows.iter().enumerate() {
        xml += &format!(r#"<row r="{}">"#, row + 1);
        for (column, cell) in ('A'..).zip(*cells) {
            let place = format!("{column}{}", row + 1);
            xml += &match cell.split_once('@') {
                _ if cell.is_empty() => String::new(),
                Some((number, style)) => {
                    format!(r#"<c r="{place}" s="{style}"><v>{number}</v></c>"#)
                }
                None if cell.parse::<f64>().is_ok() => {
                    format!(r#"<c r="{place}"><v>{cell}</v></c>"#)
                }
                None => format!(r#"<c r="{place}" t="inlineStr"><is><t>{cell}</t></is></c>"#),
            };
        }
        xml += "</row>";
    }
    xml + "</sheetData>"
}

fn content(bytes: &[u8], format: Format) -> Result<Content, ExtractError> {
    read(
        &Input {
            bytes,
            file_name: "tarifs 2024.xlsx",
            password: None,
            recognise: false,
            libraries: &Libraries::default(),
            depth: 0,
            progress: &|_| (),
        },
        format,
    )
}

fn parsed(bytes: &[u8]) -> Parsed {
    compose::compose(content(bytes, Format::Xlsx).unwrap(), Format::Xlsx, "tarifs 2024.xlsx")
        .unwrap()
}

#[test]
fn a_sheet_becomes_rows_that_say_their_titles_and_pieces_that_know_their_cells() {
    let sheet = rows(&[
        &["Our plans and their prices for this year"],
        &[],
        &["Plan", "Price", "Discount", "Since"],
        &["Duo", "29.9@2", "0.25@3", "44197@1"],
        &["Solo", "19@2", "", "44197.604166667@4"],
    ]);
    let parsed =
        parsed(&xlsx(&[("Prices", "visible", &sheet), ("Other", "visible", "<sheetData/>")], ""));
    assert_eq!(
        parsed.text,
        "# Prices\n\nOur plans and their prices for this year\n\n\
         - Plan: Duo; Price: 29.90 €; Discount: 25%; Since: 2021-01-01\n\
         - Plan: Solo; Price: 19.00 €; Since: 2021-01-01 14:30\n"
    );
    let pages = parsed.pagination.unwrap().pages;
    assert_eq!(pages[0].label.as_deref(), Some("Prices!A1:D5"));
    assert_eq!(parsed.title, "tarifs 2024");
}

#[test]
fn dates_are_right_in_both_systems() {
    let sheet = rows(&[&["Day", "42735@1"], &["Hour", "0.604166667@5"]]);
    let epoch_1904 = xlsx(&[("Feuil1", "visible", &sheet)], r#"<workbookPr date1904="1"/>"#);
    assert_eq!(parsed(&epoch_1904).text, "- Day; 2021-01-01\n- Hour; 14:30\n");
    let epoch_1900 = xlsx(&[("Feuil1", "visible", &sheet)], "");
    assert_eq!(parsed(&epoch_1900).text, "- Day; 2016-12-31\n- Hour; 14:30\n");
}

#[test]
fn merged_cells_hold_for_all_they_cover() {
    let sheet = rows(&[
        &["Region", "Sales", ""],
        &["", "Q one", "Q two"],
        &["North", "1", "2"],
        &["", "3", "4"],
    ]) + r#"<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="A3:A4"/></mergeCells>"#;
    assert_eq!(
        parsed(&xlsx(&[("Sheet1", "visible", &sheet)], "")).text,
        "- Region: North; Sales › Q one: 1; Sales › Q two: 2\n\
         - Region: North; Sales › Q one: 3; Sales › Q two: 4\n"
    );
}

#[test]
fn a_hidden_sheet_is_named_and_not_read() {
    let sheet = rows(&[&["visible text"]]);
    let secret = rows(&[&["secret"]]);
    let parsed = parsed(&xlsx(&[("A", "visible", &sheet), ("Calculs", "hidden", &secret)], ""));
    assert_eq!(parsed.text, "# A\n\nvisible text\n");
    assert_eq!(parsed.warnings, [Warning::SkippedParts { names: vec!["Calculs".to_owned()] }]);
}

#[test]
fn a_damaged_sheet_costs_itself_only() {
    let good = rows(&[&["good"]]);
    let cut = rows(&[&["before"], &["after"]]);
    let cut = &cut[..cut.find("after").unwrap()];
    let parsed = parsed(&xlsx(&[("A", "visible", cut), ("B", "visible", &good)], ""));
    assert_eq!(parsed.text, "# A\n\nbefore\n\n# B\n\ngood\n");
    assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![1] }]);
    let all = content(&xlsx(&[("A", "visible", "<sheetData><row><c")], ""), Format::Xlsx);
    assert!(matches!(all, Err(ExtractError::Corrupt { .. })), "{all:?}");
}

#[test]
fn a_cell_whose_place_or_value_cannot_be_read_costs_itself_only() {
    let good = r#"<row r="2"><c r="A2" t="inlineStr"><is><t>kept</t></is></c><c r="B2"><v>7</v></c></row>"#;
    for bad in [
        // Places that are none, that lack a half, or that no sheet has.
        r#"<c r="?"><v>1</v></c>"#,
        r#"<c r="A"><v>1</v></c>"#,
        r#"<c r="12"><v>1</v></c>"#,
        r#"<c r=""><v>1</v></c>"#,
        r#"<c r="A0"><v>1</v></c>"#,
        r#"<c r="XFE1"><v>1</v></c>"#,
        r#"<c r="A1048577"><v>1</v></c>"#,
        r##"<c r="#REF!"><v>1</v></c>"##,
        // Values that are none.
        r#"<c r="A1" t="s"><v>99</v></c>"#,
        r#"<c r="A1" t="nonsense"><v>1</v></c>"#,
        r#"<c r="A1" t="n"><v>much</v></c>"#,
    ] {
        let sheet = format!(r#"<sheetData><row r="1">{bad}</row>{good}</sheetData>"#);
        let content = content(&xlsx(&[("Sheet1", "visible", &sheet)], ""), Format::Xlsx)
            .unwrap_or_else(|error| panic!("{bad}: {error}"));
        assert_eq!(content.warnings, [Warning::Partial { pages: vec![1] }], "{bad}");
        let parsed = compose::compose(content, Format::Xlsx, "a.xlsx").unwrap();
        assert_eq!(parsed.text, "- kept; 7\n", "{bad}");
    }
    let row = format!(r#"<sheetData><row r="x"><c r="A1"><v>1</v></c></row>{good}</sheetData>"#);
    let merged =
        format!(r#"<sheetData>{good}</sheetData><mergeCells><mergeCell ref="?"/></mergeCells>"#);
    let newer = r##"<row r="1"><c r="A1" t="e"><v>#SPILL!</v></c></row>"##;
    let newer = format!("<sheetData>{newer}{good}</sheetData>");
    for (sheet, warnings) in [
        (row, vec![Warning::Partial { pages: vec![1] }]),
        (merged, Vec::new()),
        (newer, Vec::new()),
    ] {
        let content = content(&xlsx(&[("Sheet1", "visible", &sheet)], ""), Format::Xlsx)
            .unwrap_or_else(|error| panic!("{sheet}: {error}"));
        assert_eq!(content.warnings, warnings, "{sheet}");
        let parsed = compose::compose(content, Format::Xlsx, "a.xlsx").unwrap();
        assert!(parsed.text.ends_with("kept; 7\n"), "{sheet}: {}", parsed.text);
    }
}

#[test]
fn two_cells_in_opposite_corners_take_no_room() {
    let sheet = r#"<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>"#;
    assert_eq!(parsed(&xlsx(&[("Sheet1", "visible", sheet)], "")).text, "1\n\n2\n");
}

/// A spreadsheet with this XML between its `spreadsheet` tags.
fn ods(tables: &str) -> Vec<u8> {
    let content = format!(
        r#"<office:document-content><office:automatic-styles><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"#
    );
    package(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        ("meta.xml", "<m><dc:title>Prices &amp; more</dc:title></m>"),
        ("content.xml", &content),
    ])
}

#[test]
fn an_open_document_shows_what_its_program_showed() {
    let cell = |attributes: &str, text: &str| {
        format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
    };
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let table = [
        r#"<table:table table:name="Hidden" table:style-name="ta2"></table:table>"#.to_owned(),
        r#"<table:table table:name="Plans">"#.to_owned(),
        row(&["Region", "Price", "Since", "Hour"].map(|title| cell("", title))),
        row(&[
            cell(r#"table:number-rows-spanned="2""#, "North<text:s text:c='2'/>&amp; <text:a>west</text:a>"),
            cell(r#"office:value-type="currency" office:value="29.5""#, "29,50 €"),
            cell(r#"office:value-type="date" office:date-value="2021-01-01""#, "01/01/21"),
            cell(r#"office:value-type="time" office:time-value="PT14H30M00S""#, "2:30 PM"),
        ]),
        row(&[
            "<table:covered-table-cell/>".to_owned(),
            "<table:table-cell><office:annotation><text:p>a comment</text:p></office:annotation><text:p>12 %</text:p></table:table-cell>".to_owned(),
            cell(r#"calcext:value-type="error""#, "#N/A"),
        ]),
        r#"<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>"#.to_owned(),
    ]
    .concat();
    let content = content(&ods(&table), Format::Ods).unwrap();
    assert_eq!(content.title.as_deref(), Some("Prices & more"));
    assert_eq!(content.warnings, [Warning::SkippedParts { names: vec!["Hidden".to_owned()] }]);
    let parsed = compose::compose(content, Format::Ods, "a.ods").unwrap();
    assert_eq!(
        parsed.text,
        "# Plans\n\n- Region: North & west; Price: 29,50 €; Since: 2021-01-01; Hour: 14:30\n\
         - Region: North & west; Price: 12 %\n\n\
         B3 [comment: a comment]\n"
    );
    assert_eq!(parsed.pagination.unwrap().pages[0].label.as_deref(), Some("Plans!A1:D3"));
}

#[test]
fn an_open_document_cannot_repeat_itself_without_end() {
    let text = "x".repeat(100);
    let table = format!(
        r#"<table:table table:name="A"><table:table-row table:number-rows-repeated="4000000000"><table:table-cell table:number-columns-repeated="4000000000"><text:p>{text}</text:p></table:table-cell></table:table-row></table:table>"#
    );
    let error = content(&ods(&table), Format::Ods).unwrap_err();
    assert!(matches!(error, ExtractError::TooLarge { .. }), "{error}");
    let cut = r#"<table:table table:name="A"><table:table-row><table:table-cell><text:p>kept</text:p></table:table-cell></table:table-row><table:table-row></wrong>"#;
    let partial = content(&ods(cut), Format::Ods).unwrap();
    assert_eq!(partial.warnings, [Warning::Partial { pages: vec![1] }]);
}

#[test]
fn what_is_called_xls_is_told_apart() {
    let text = content("Nom\tPrix\nDuo\t29\n".as_bytes(), Format::Xls).unwrap();
    assert_eq!(text.blocks.len(), 1);
    let old = content(&[0x09, 0x04, 0x06, 0, 0, 0], Format::Xls).unwrap_err();
    assert_eq!(old.to_string(), "Excel 4 files are not read");
    let noise = content(&[1, 2, 3, 4, 5, 6], Format::Xls).unwrap_err();
    assert!(matches!(noise, ExtractError::Corrupt { .. }), "{noise}");
}

// `.xls` is not damaged here: its library can end the process, which the worker's tests await.
#[test]
fn a_damaged_workbook_is_read_or_refused() {
    let sheet = rows(&[&["Plan", "Price"], &["Duo", "29.9@2"], &["Solo", "44197@1"]])
        + r#"<mergeCells><mergeCell ref="A2:A3"/></mergeCells>"#;
    let xlsx = xlsx(&[("Prices", "visible", &sheet), ("B", "visible", &sheet)], "");
    let ods = include_bytes!("../../tests/documents/docl__odf_table_with_title_01.ods");
    for (bytes, format) in [(xlsx.as_slice(), Format::Xlsx), (ods, Format::Ods)] {
        for damaged in mutations(bytes, 500) {
            let _ = content(&damaged, format);
        }
    }
    // Damaged parts in an undamaged package get further.
    for damaged in mutations(sheet.as_bytes(), 500) {
        let damaged = String::from_utf8_lossy(&damaged).into_owned();
        let _ = content(&self::xlsx(&[("A", "visible", &damaged)], ""), Format::Xlsx);
    }
    let table = r#"<table:table table:name="A"><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3"><text:p>x</text:p></table:table-cell></table:table-row></table:table>"#;
    for damaged in mutations(table.as_bytes(), 500) {
        let _ = content(&self::ods(&String::from_utf8_lossy(&damaged)), Format::Ods);
    }
    assert!(package::check_budget(&xlsx).is_ok());
}

/// A measurement: run it alone, in release. The peak is that of the process, with the making of
/// the file.
#[test]
#[ignore = "it takes a minute without optimisation"]
fn sixty_thousand_rows_are_read_in_little_room() {
    let texts: Vec<String> =
        (0..60_000).map(|row| format!("customer {row} of the north")).collect();
    let mut lines: Vec<Vec<&str>> = vec![vec!["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"]];
    lines.extend(texts.iter().map(|text| {
        let mut line = vec![text.as_str(); 5];
        line.extend(["1.37@2", "2", "3.5", "44197@1", "0.25@3"]);
        line
    }));
    let lines: Vec<&[&str]> = lines.iter().map(Vec::as_slice).collect();
    let bytes = xlsx(&[("Data", "visible", &rows(&lines))], "");
    drop(lines);
    let start = std::time::Instant::now();
    let parsed = parsed(&bytes);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!("{:?}, {peak}, {} bytes of text", start.elapsed(), parsed.text.len());
    assert_eq!(parsed.pagination.unwrap().pages.len(), 3_001);
}
