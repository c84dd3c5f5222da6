//! Measures extraction as the application does it, through worker processes: seconds and the
//! largest worker for a long PDF and a long sheet, a thousand small files, and what the worker
//! adds to each. `cargo bench -p ancre-extract`; the figures in `docs/PERFORMANCE.md` are its.
//!
//! A plain program instead of criterion: each document is read a few times and takes seconds, and
//! peak memory is as interesting as time. The documents are made here, so nothing is downloaded.

#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ancre_extract::{Libraries, ReadFile, ReadOptions, Reader, WORKER_ARGUMENT, WorkerCommand};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const SENTENCE: &str = "Pour obtenir un remboursement, renvoyez l'article dans les trente jours qui \
                        suivent la livraison, avec sa facture et son emballage d'origine. ";
const RUNS: usize = 5;

fn main() {
    // `cargo test --benches` starts every bench once: there is nothing to check here.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    measure("350-page PDF", "long.pdf", &pdf(350));
    measure("60,000 × 10 sheet", "long.xlsx", &sheet(60_000, 10));
    measure("350-page Word document", "long.docx", &document(350 * 8));
    measure_small_files();
    measure_overhead();
}

/// Each run in a fresh worker, whose peak memory is then its own.
fn measure(what: &str, name: &str, bytes: &[u8]) {
    let mut times = Vec::new();
    let mut characters = 0;
    for _ in 0..RUNS {
        let reader = isolated();
        // Starts the worker, so that its start is not measured.
        reader.read_bytes(&document(1), "warm.docx", ReadOptions::default()).unwrap();
        let begun = Instant::now();
        let parsed = reader.read_bytes(bytes, name, ReadOptions::default()).unwrap();
        times.push(begun.elapsed());
        characters = parsed.text.chars().count();
    }
    println!(
        "{what} ({} KiB, {characters} characters): {}; largest worker so far {} MiB",
        bytes.len() >> 10,
        spread(&mut times),
        largest_child_mebibytes(),
    );
}

fn measure_small_files() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..1000)
        .map(|number| {
            let (name, bytes) = match number % 4 {
                0 => ("md", format!("# Page {number}\n\n{}", SENTENCE.repeat(8)).into_bytes()),
                1 => ("html", format!("<h1>{number}</h1><p>{}</p>", SENTENCE.repeat(8)).into()),
                2 => ("docx", document(8)),
                _ => ("pdf", pdf(2)),
            };
            let path = folder.path().join(format!("{number}.{name}"));
            std::fs::write(&path, bytes).unwrap();
            path
        })
        .collect();
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let reader = isolated();
            let begun = Instant::now();
            for path in &paths {
                let read = reader.read_path(path, ReadOptions::default()).unwrap();
                assert!(matches!(read, ReadFile::Document(_)));
            }
            begun.elapsed()
        })
        .collect();
    println!(
        "1,000 small files (Markdown, HTML, Word, PDF), one after another: {}",
        spread(&mut times)
    );
}

/// The same small page in this process and in a warm worker, in turns.
fn measure_overhead() {
    let page = format!("<h1>Retours</h1><p>{}</p>", SENTENCE.repeat(8)).into_bytes();
    let (here, apart) = (Reader::in_process(libraries()), isolated());
    let time = |reader: &Reader| {
        let begun = Instant::now();
        reader.read_bytes(&page, "page.html", ReadOptions::default()).unwrap();
        begun.elapsed()
    };
    time(&here);
    time(&apart);
    let (mut direct, mut isolated) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        direct.push(time(&here));
        isolated.push(time(&apart));
    }
    direct.sort();
    isolated.sort();
    println!(
        "a small page in this process p50 {:?}, in a warm worker p50 {:?}, p95 {:?}",
        direct[150], isolated[150], isolated[285]
    );
}

fn isolated() -> Reader {
    let command = WorkerCommand {
        program: env!("CARGO_BIN_EXE_ancre-extract-worker").into(),
        arguments: vec![WORKER_ARGUMENT.to_owned()],
    };
    Reader::isolated(command, libraries())
}

fn libraries() -> Libraries {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let pdfium = runtime.join("pdfium").join(libloading::library_filename("pdfium"));
    Libraries { pdfium: pdfium.is_file().then_some(pdfium), ..Libraries::default() }
}

fn spread(times: &mut [Duration]) -> String {
    times.sort();
    let seconds = |at: usize| times[at].as_secs_f64();
    format!(
        "median {:.2} s (min {:.2}, max {:.2})",
        seconds(RUNS / 2),
        seconds(0),
        seconds(RUNS - 1)
    )
}

/// The most memory that a child that has ended ever had. Ours end when their reader is dropped.
#[cfg(unix)]
#[allow(unsafe_code)]
fn largest_child_mebibytes() -> i64 {
    std::thread::sleep(Duration::from_millis(300));
    // SAFETY: `rusage` is plain numbers, for which zeros are valid, and the call writes only there.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    usage.ru_maxrss >> 10
}

#[cfg(not(unix))]
fn largest_child_mebibytes() -> i64 {
    0
}

/// A PDF of text pages, 45 lines each.
fn pdf(pages: usize) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut kids = String::new();
    for page in 0..pages {
        let mut content = String::from("BT /F 10 Tf 13 TL 60 780 Td\n");
        for line in 0..45 {
            let text = format!("{page}.{line} {}", &SENTENCE[..90]);
            writeln!(content, "({text}) '").unwrap();
        }
        content.push_str("ET");
        let at = objects.len() + 1;
        write!(kids, "{at} 0 R ").unwrap();
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 R\
             /Resources<</Font<</F 3 0 R>>>>>>",
            at + 1
        ));
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()));
    }
    objects[1] = format!("<</Type/Pages/Count {pages}/Kids[{kids}]>>");
    let mut file = String::from("%PDF-1.4\n");
    let mut places = String::new();
    for (number, object) in objects.iter().enumerate() {
        writeln!(places, "{:010} 00000 n ", file.len()).unwrap();
        writeln!(file, "{} 0 obj{object}endobj", number + 1).unwrap();
    }
    let count = objects.len() + 1;
    let start = file.len();
    write!(
        file,
        "xref\n0 {count}\n0000000000 65535 f \n{places}trailer<</Size {count}/Root 1 0 R>>\n\
         startxref\n{start}\n%%EOF"
    )
    .unwrap();
    file.into_bytes()
}

/// A workbook of one sheet, words in every second column and numbers in the others.
fn sheet(rows: usize, columns: u8) -> Vec<u8> {
    let mut data = String::from("<worksheet><sheetData>");
    for row in 1..=rows {
        data.push_str("<row>");
        for column in 0..columns {
            let reference = format!("{}{row}", char::from(b'A' + column));
            if row == 1 || column % 2 == 0 {
                let text = if row == 1 { "Titre" } else { "valeur" };
                write!(
                    data,
                    "<c r=\"{reference}\" t=\"inlineStr\"><is><t>{text} {column} {row}</t></is></c>"
                )
                .unwrap();
            } else {
                write!(data, "<c r=\"{reference}\"><v>{}.5</v></c>", row * 7).unwrap();
            }
        }
        data.push_str("</row>");
    }
    data.push_str("</sheetData></worksheet>");
    package(&[
        (
            "[Content_Types].xml",
            "<Types><Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/></Types>",
        ),
        (
            "_rels/.rels",
            "<Relationships><Relationship Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
        ),
        (
            "xl/workbook.xml",
            "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Tarifs\" sheetId=\"1\" r:id=\"s\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"s\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
        ),
        ("xl/worksheets/sheet1.xml", &data),
    ])
}

/// A Word document of paragraphs.
fn document(paragraphs: usize) -> Vec<u8> {
    let mut body = String::from("<w:document xmlns:w=\"w\"><w:body>");
    for number in 0..paragraphs {
        write!(body, "<w:p><w:r><w:t>{number}. {}</w:t></w:r></w:p>", SENTENCE.repeat(3)).unwrap();
    }
    body.push_str("</w:body></w:document>");
    package(&[
        (
            "[Content_Types].xml",
            "<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>",
        ),
        (
            "_rels/.rels",
            "<Relationships><Relationship Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>",
        ),
        ("word/document.xml", &body),
    ])
}

fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
