//! Stories of RTF in the manner of the programs that write it.

use std::fmt::Write as _;

use super::*;
use crate::format::Format;
use crate::mutation::mutations;
use crate::{Libraries, Parsed, compose};

fn content(bytes: &[u8]) -> Result<Content, ExtractError> {
    read(&Input {
        bytes,
        file_name: "guide.rtf",
        password: None,
        recognise: false,
        libraries: &Libraries::default(),
        depth: 0,
        progress: &|_| (),
    })
}

fn parsed(rtf: &str) -> Parsed {
    compose::compose(content(rtf.as_bytes()).unwrap(), Format::Rtf, "guide.rtf").unwrap()
}

const WORD: &str = r"{\rtf1\adeflang1025\ansi\ansicpg1252\uc1\deff0
{\fonttbl{\f0\froman\fcharset0\fprq2{\*\panose 02020603050405020304}Times New Roman;}
{\f1\fswiss\fcharset204 Arial CYR;}{\f3\fnil\fcharset2 Symbol;}{\f4\fcharset128 MS Mincho;}}
{\colortbl;\red0\green0\blue0;}
{\stylesheet{\ql \fs24 \snext0 Normal;}{\s1\ql\outlinelevel0 \fs32 \sbasedon0 heading 1;}
{\s2 \sbasedon0 Titre 2;}{\*\cs10 \additive Default Paragraph Font;}}
{\info{\title Guide des retours}{\author Somebody}{\creatim\yr2024}}
{\header \pard Running header\par}{\*\generator Somewriter;}
\pard\plain\s1 Retours\par
\pard\plain Vous avez \b trente\b0  jours\'a0: c\rquote est l\'92\'e9t\'e9{\footnote \pard {\super\chftn} Sauf \'e9t\'e9.\par}.\line Suite\par
\pard\plain\s2 D\'e9lais\par
{\listtext\pard\plain\f3 \'b7\tab}\pard\ls1\ilvl0 gratuit\par
{\listtext\pard\plain 2.\tab}\pard\ls1\ilvl1 rapide\par
\pard\plain{\f1\'cf\'f0\'e8\'e2\'e5\'f2} {\f4\'93\'fa\'96\'7b} \u8364?5 \u-10179?\u-8704?!\par
{\field{\*\fldinst HYPERLINK secret}{\fldrslt lien}} {\pict\wmetafile8 010203}{\deleted parti}{\v cach\'e9}fin\par
{\*\unknown never}{\shp{\*\shpinst\shpleft0{\sp{\sn posh}{\sv 1}}{\shptxt \pard Encadr\'e9\par}}}
\page Autre page\par}";

#[test]
fn what_word_writes_is_read_with_its_structure() {
    let parsed = parsed(WORD);
    assert_eq!(
        parsed.text,
        "# Retours\n\nVous avez trente jours\u{a0}: c’est l’été [note: Sauf été.].\nSuite\n\n\
         ## Délais\n\n- gratuit\n  2. rapide\n\nПривет 日本 €5 😀!\n\nlien fin\n\nEncadré\n\n\
         Autre page\n"
    );
    assert_eq!(parsed.title, "Guide des retours");
    let pagination = parsed.pagination.unwrap();
    assert_eq!(pagination.kind, PageKind::ApproximatePage);
    assert_eq!(pagination.page_count(), 2);
    assert!(parsed.warnings.is_empty(), "{:?}", parsed.warnings);
}

#[test]
fn what_textedit_writes_is_read() {
    let parsed = parsed(
        "{\\rtf1\\ansi\\ansicpg1252\\cocoartf2709\n\\cocoatextscaling0\\cocoaplatform0{\\fonttbl\\f0\\fswiss\\fcharset0 Helvetica;\\f1\\fnil\\fcharset204 X;}\n\
         {\\colortbl;\\red255\\green255\\blue255;}\n{\\*\\expandedcolortbl;;}\n\
         \\pard\\tx566\\f0\\fs24 \\cf0 Bonjour \\'e0 tous\\\nligne deux\\\n\
         \\pard\\ls1\\ilvl0{\\listtext\t\\uc0\\u8226 \t}un\\\n{\\listtext\t\\uc0\\u8226 \t}deux \\uc0\\u233 t\\u233 \\\n\
         \\f1 \\'cf}",
    );
    assert_eq!(parsed.text, "Bonjour à tous\n\nligne deux\n\n- un\n- deux été\n\nП\n");
}

#[test]
fn what_libreoffice_writes_has_notes_and_tables() {
    let parsed = parsed(
        r"{\rtf1\ansi\deff3\adeflang1025
{\fonttbl{\f3\froman\fprq2\fcharset0 Liberation Serif;}}
{\stylesheet{\s0\snext0 Normal;}{\s15\sbasedon0\snext16\outlinelevel0 Heading 1;}}
\pgwsxn11906{\*\pgdsctbl{\pgdsc0 Default Page Style;}}
\pard\plain \s15\outlinelevel0 Prices\par
\pard\plain The list{\super \chftn{\*\footnote\chftn\pard\plain \s19 Without tax.}} follows.\par
\trowd\trhdr\clbrdrt\cellx3000\cellx6000\cellx9000
\pard\intbl Plan\cell\pard\intbl Price\cell\pard\intbl Note\cell\row
\trowd\clvmgf\cellx3000\cellx6000\cellx9000\pard\intbl Duo\cell 29\par\pard\intbl euros\cell x\cell\row
\trowd\clvmrg\cellx3000\cellx6000\cellx9000\pard\intbl\cell 290\cell y\cell\row
\pard\plain After.\par
\sect\sectd\sbknone Same page.\par\sect\sectd Next page.\par}",
    );
    assert_eq!(
        parsed.text,
        "# Prices\n\nThe list [note: Without tax.] follows.\n\n\
         - Plan: Duo; Price: 29 euros; Note: x\n- Plan: Duo; Price: 290; Note: y\n\n\
         After.\n\nSame page.\n\nNext page.\n"
    );
    assert_eq!(parsed.pagination.unwrap().page_count(), 2);
}

#[test]
fn the_code_page_of_the_document_holds_where_the_font_has_none() {
    assert_eq!(parsed(r"{\rtf1\ansi\ansicpg1250 \'b9\'ea}").text, "šę\n".replace('š', "ą"));
    assert_eq!(parsed(r"{\rtf1\mac \'8e}").text, "é\n");
    assert_eq!(parsed(r"{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b}").text, "日本\n");
}

#[test]
fn substitutes_are_skipped_as_many_as_there_are() {
    assert_eq!(parsed(r"{\rtf1\uc2 \u233 e'x{\uc0 \u233 y}\u233\'65\'65z}").text, "éxéyéz\n");
}

#[test]
fn binary_data_are_skipped_by_their_length() {
    assert_eq!(parsed("{\\rtf1 a{\\*\\blob\\bin5 {{{{{}b{\\pict\\bin2 }}}c}").text, "abc\n");
}

#[test]
fn a_document_that_is_cut_off_gives_what_is_there() {
    let content = content(&WORD.as_bytes()[..WORD.find("Suite").unwrap()]).unwrap();
    assert_eq!(content.warnings, [Warning::Partial { pages: Vec::new() }]);
    assert_eq!(content.blocks.len(), 2);
    let error = super::read(&Input {
        bytes: b"{\\rtf1{\\fonttbl",
        file_name: "a.rtf",
        password: None,
        recognise: false,
        libraries: &Libraries::default(),
        depth: 0,
        progress: &|_| (),
    })
    .unwrap_err();
    assert!(matches!(error, ExtractError::Corrupt { .. }), "{error}");
}

#[test]
fn a_million_groups_are_only_counted() {
    let deep = format!("{{\\rtf1 a{}b{}c}}", "{".repeat(1_000_000), "}".repeat(1_000_000));
    assert_eq!(parsed(&deep).text, "abc\n");
}

#[test]
fn damaged_rtf_is_read_or_refused() {
    let mut source = WORD.to_owned();
    write!(source, "\\trowd\\cellx1\\intbl a\\cell b\\cell\\row{{\\bin3 abc}}").unwrap();
    for damaged in mutations(source.as_bytes(), 500).chain(mutations(WORD.as_bytes(), 500)) {
        let _ = content(&damaged);
    }
}

#[test]
fn a_comment_stands_at_its_place_and_unicode_beats_its_substitute() {
    let rtf = r"{\rtf1\ansi Prix{\*\atnid Z}{\*\atnauthor Zo}\chatn{\*\annotation \pard ferme\par} net {\upr{ansi}{\*\ud uni\u233?}} nb\_fin\par}";
    assert_eq!(parsed(rtf).text, "Prix [comment: ferme] net unié nb-fin\n");
}

#[test]
fn a_list_whose_marks_are_words_is_a_list() {
    let rtf = r"{\rtf1\ansi\pard\li360\fi-360 1.\tx360\tab un\par\pard\li720\fi-360 \bullet \tab sous\par
\pard Prix :\tab 29\par}";
    assert_eq!(parsed(rtf).text, "1. un\n  - sous\n\nPrix :\t29\n");
}

#[test]
fn a_table_of_contents_is_left_out() {
    let rtf = r"{\rtf1\ansi{\stylesheet{\s1 heading 1;}{\s5 toc 1;}}\pard\s5 Retours\tab 3\par
\pard\s1 Retours\par\pard Texte\par}";
    assert_eq!(parsed(rtf).text, "# Retours\n\nTexte\n");
}
