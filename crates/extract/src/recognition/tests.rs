//! The engine itself, on the scans of `tests/scans`, whose README says how they were made.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::*;

#[test]
fn without_an_engine_scans_are_said_to_be_unsupported() {
    let somewhere = std::env::temp_dir().join("nowhere");
    let missing = Libraries {
        tesseract: Some(somewhere.join("libtesseract.so")),
        tessdata: Some(somewhere.clone()),
        ..Libraries::default()
    };
    let relative = Libraries {
        tesseract: Some("libtesseract.so".into()),
        tessdata: Some("tessdata".into()),
        ..Libraries::default()
    };
    for libraries in [Libraries::default(), missing, relative] {
        let error = open(&libraries).err().expect("nothing is there to open");
        assert!(matches!(error, ExtractError::Unsupported { .. }), "{error:?}");
    }
}

// Set-up has an engine for these platforms; elsewhere scans are not recognised.
#[cfg(any(target_os = "linux", all(target_os = "macos", target_arch = "aarch64")))]
mod with_the_engine {
    use super::*;

    #[test]
    fn an_upright_french_page_is_read_with_its_accents() {
        let read = scan("french-upright");
        assert_error_at_most(0.03, &read, "french.txt");
        for words in ["« Le remboursement", "un cœur de robinet", "4,90 €", "à l’entrepôt"]
        {
            let plain = words.replace('’', "'");
            let is_there =
                read.paragraphs.iter().any(|text| text.replace('’', "'").contains(&plain));
            assert!(is_there, "{words} in {:#?}", read.paragraphs);
        }
    }

    #[test]
    fn a_page_upside_down_is_read() {
        assert_error_at_most(0.03, &scan("french-upside-down"), "french.txt");
    }

    #[test]
    fn an_english_page_on_its_side_is_read() {
        // Four of its words are the ranges of a table, "2 to 3", whose spaces are not seen.
        assert_error_at_most(0.05, &scan("english-quarter-turn"), "english.txt");
    }

    #[test]
    fn columns_are_read_one_after_the_other_and_paragraphs_kept_whole() {
        let read = scan("columns");
        assert_error_at_most(0.02, &read, "columns.txt");
        assert_eq!(
            read.paragraphs.len(),
            4,
            "a title and three paragraphs: {:#?}",
            read.paragraphs
        );
        assert!(read.paragraphs.iter().all(|text| !text.contains('\n')), "{:#?}", read.paragraphs);
    }

    #[test]
    fn the_rows_of_a_table_are_lines() {
        let text = scan("french-upright").paragraphs.join("\n");
        assert!(text.contains("\nBouilloire 36 mois 15,00 €\n"), "{text}");
    }

    #[test]
    fn blank_noisy_and_tiny_pictures_hold_no_paragraphs() {
        let engine = engine();
        for image in [
            plain(1240, 1754),
            noise(1240, 1754),
            stripes(800, 800),
            plain(9, 2000),
            plain(0, 0),
            plain(1, 1),
        ] {
            let read = engine.recognise(&image).expect("a picture");
            assert_eq!(read, Recognised { paragraphs: Vec::new(), confidence: 0.0 });
        }
    }

    #[test]
    fn pictures_that_are_not_what_they_say_are_refused() {
        let engine = engine();
        let short = GrayImage { height: 2000, ..plain(1240, 1754) };
        let vast =
            GrayImage { width: 100_000, height: 100_000, pixels: Vec::new(), dots_per_inch: 300 };
        assert!(matches!(engine.recognise(&short), Err(ExtractError::Corrupt { .. })));
        assert!(matches!(engine.recognise(&vast), Err(ExtractError::TooLarge { .. })));
    }

    #[test]
    fn a_page_that_takes_too_long_is_given_up_and_the_next_one_read() {
        let libraries = libraries();
        let (library, data) = (libraries.tesseract.expect("set"), libraries.tessdata.expect("set"));
        let engine = Engine::load(&library, &data, LANGUAGES).expect("the engine");
        let image = picture(&scans().join("columns.png"));
        let stopped = engine.words(&image, Duration::from_millis(1));
        assert!(matches!(stopped, Err(ExtractError::Timeout { .. })), "{stopped:?}");
        assert!(!engine.words(&image, MOST_TIME).expect("time enough").is_empty());
    }

    /// Prints the figures of `docs/decisions/0011-recognition.md` for each kind of scan, after
    /// `python crates/extract/tests/scans/make_scans.py FOLDER --all`:
    ///
    /// `ANCRE_SCANS=FOLDER cargo test -p ancre-extract --release --lib recognition -- --ignored --nocapture`
    #[test]
    #[ignore = "a measurement"]
    fn pages_a_minute_and_word_error() {
        let folder = std::env::var_os("ANCRE_SCANS").map_or_else(scans, PathBuf::from);
        let engine = engine();
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .expect("a folder of scans")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
            .collect();
        files.sort();
        let (mut wrong, mut words, mut seconds) = (0, 0, 0.0);
        for file in &files {
            let image = picture(file);
            let started = std::time::Instant::now();
            let read = engine.recognise(&image).expect("a scan");
            let took = started.elapsed().as_secs_f64();
            let (errors, count) =
                errors(&read, &std::fs::read_to_string(text_of(file)).expect("its text"));
            let name = file.file_stem().unwrap_or_default().display();
            println!(
                "{name:32} {:5.1} % {took:5.2} s  sure {:.2}",
                percent(errors, count),
                read.confidence
            );
            wrong += errors;
            words += count;
            seconds += took;
        }
        println!(
            "word error {:.2} %, {:.1} pages a minute",
            percent(wrong, words),
            files.len() as f64 * 60.0 / seconds
        );
    }

    fn percent(part: usize, whole: usize) -> f64 {
        part as f64 * 100.0 / whole as f64
    }

    /// The text beside a scan, or, for the scans of the tests, that of its language.
    fn text_of(scan: &Path) -> PathBuf {
        let beside = scan.with_extension("txt");
        if beside.exists() {
            return beside;
        }
        let name = scan.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        scans().join(format!("{}.txt", name.split('-').next().unwrap_or_default()))
    }

    fn scan(name: &str) -> Recognised {
        engine().recognise(&picture(&scans().join(format!("{name}.png")))).expect("a scan")
    }

    fn engine() -> Box<dyn Recogniser> {
        open(&libraries()).expect("runtime/tesseract is missing; `make setup` installs it")
    }

    fn libraries() -> Libraries {
        let folder = std::env::var_os("ANCRE_RUNTIME")
            .map_or_else(
                || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime"),
                PathBuf::from,
            )
            .join("tesseract");
        let name = format!("libtesseract{}", std::env::consts::DLL_SUFFIX);
        Libraries {
            tesseract: Some(folder.join(name)),
            tessdata: Some(folder.join("tessdata")),
            ..Libraries::default()
        }
    }

    fn assert_error_at_most(most: f64, read: &Recognised, text: &str) {
        let text = std::fs::read_to_string(scans().join(text)).expect("the text of the scan");
        let (errors, words) = errors(read, &text);
        let error = errors as f64 / words as f64;
        assert!(error <= most, "{errors} of {words} words are wrong in {:#?}", read.paragraphs);
        assert!(read.confidence > 0.85, "{}", read.confidence);
    }

    /// How many words must be changed, put in or taken out, and how many there are. Apostrophes
    /// and quotation marks count as one whatever their shape, which no scan tells.
    fn errors(read: &Recognised, text: &str) -> (usize, usize) {
        let plain = |text: &str| text.replace(['’', '‘'], "'").replace(['“', '”'], "\"");
        let (wanted, seen) = (plain(text), plain(&read.paragraphs.join("\n")));
        let seen: Vec<&str> = seen.split_whitespace().collect();
        let mut costs: Vec<usize> = (0..=seen.len()).collect();
        let mut count = 0;
        for word in wanted.split_whitespace() {
            count += 1;
            let mut diagonal = std::mem::replace(&mut costs[0], count);
            for (place, other) in seen.iter().enumerate() {
                let changed = diagonal + usize::from(word != *other);
                diagonal = costs[place + 1];
                costs[place + 1] = changed.min(diagonal + 1).min(costs[place] + 1);
            }
        }
        (costs[seen.len()], count)
    }

    fn scans() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scans")
    }

    fn picture(path: &Path) -> GrayImage {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(path).expect("a scan")));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let frame = reader.next_frame(&mut pixels).expect("pixels");
        let channels = frame.color_type.samples();
        let pixels = pixels.chunks_exact(channels).map(|pixel| pixel[0]).collect();
        let dots = reader
            .info()
            .pixel_dims
            .map_or(0, |density| (f64::from(density.xppu) * 0.0254).round() as u32);
        GrayImage { width: frame.width, height: frame.height, pixels, dots_per_inch: dots }
    }

    fn plain(width: u32, height: u32) -> GrayImage {
        let pixels = vec![230; width as usize * height as usize];
        GrayImage { width, height, pixels, dots_per_inch: 150 }
    }

    fn noise(width: u32, height: u32) -> GrayImage {
        let mut state = 1u32;
        let mut image = plain(width, height);
        for pixel in &mut image.pixels {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *pixel = (state >> 24) as u8;
        }
        image
    }

    fn stripes(width: u32, height: u32) -> GrayImage {
        let mut image = plain(width, height);
        for (place, pixel) in image.pixels.iter_mut().enumerate() {
            *pixel = if place / 800 % 40 < 20 { 20 } else { 240 };
        }
        image
    }
}
