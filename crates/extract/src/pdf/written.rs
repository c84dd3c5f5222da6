//! Small PDFs for tests: placed lines in Helvetica, pictures, bookmarks, labels, fields.

use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization as _;

/// A document in the making.
#[derive(Default)]
pub(crate) struct Written {
    pages: Vec<WrittenPage>,
    bookmarks: Vec<(String, u8, usize)>,
    title: Option<String>,
    /// The pages from which labels count in small Roman, and in Arabic numbers.
    has_front_matter: Option<usize>,
}

/// A page of A4.
#[derive(Default, Clone)]
pub(crate) struct WrittenPage {
    content: Vec<u8>,
    annotations: Vec<String>,
    turn: u32,
}

impl WrittenPage {
    /// A line with its left end and baseline, in points from the page's lower left corner.
    pub(crate) fn line(self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.show([x, y], size, "F1", 0, text)
    }

    pub(crate) fn bold(self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.show([x, y], size, "F2", 0, text)
    }

    /// A line that runs upwards.
    pub(crate) fn sideways(mut self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.content.extend(b"q 0 1 -1 0 0 0 cm\n");
        let mut turned = self.show([y, -x], size, "F1", 0, text);
        turned.content.extend(b"Q\n");
        turned
    }

    /// A line of a text layer: there, but not drawn.
    pub(crate) fn hidden(self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.show([x, y], size, "F1", 3, text)
    }

    /// Text set in lines of at most `width` points, each 1.2 sizes under the one before, and
    /// the baseline of the line after it.
    pub(crate) fn wrapped(
        mut self,
        x: f32,
        y: f32,
        size: f32,
        width: f32,
        text: &str,
    ) -> (Self, f32) {
        let mut line = String::new();
        let mut y = y;
        for word in text.split(' ') {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width_of(&longer, size) > width && !line.is_empty() {
                self = self.line(x, y, size, &line);
                y -= 1.2 * size;
                line = word.to_owned();
            } else {
                line = longer;
            }
        }
        (self.line(x, y, size, &line), y - 1.2 * size)
    }

    /// A grey picture.
    pub(crate) fn picture(mut self, x: f32, y: f32, width: f32, height: f32) -> Self {
        let drawn = format!("q {width} 0 0 {height} {x} {y} cm /I1 Do Q\n");
        self.content.extend(drawn.bytes());
        self
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        self.annotations.push(format!(
            "/Subtype /Widget /FT /Tx /T ({name}) /V ({value}) /Rect [50 50 150 70]"
        ));
        self
    }

    pub(crate) fn free_text(mut self, text: &str) -> Self {
        self.annotations.push(format!(
            "/Subtype /FreeText /Contents ({text}) /DA (/F1 10 Tf) /Rect [50 90 150 110]"
        ));
        self
    }

    /// A drawn line.
    pub(crate) fn rule(self, from: [f32; 2], to: [f32; 2]) -> Self {
        self.content(&format!("{} {} m {} {} l S\n", from[0], from[1], to[0], to[1]))
    }

    /// Lines around cells: where columns and rows begin and end, rows from the top.
    pub(crate) fn ruled(self, xs: &[f32], ys: &[f32]) -> Self {
        let (left, right) = (xs[0], xs[xs.len() - 1]);
        let (top, bottom) = (ys[0], ys[ys.len() - 1]);
        let across = ys.iter().fold(self, |page, y| page.rule([left, *y], [right, *y]));
        xs.iter().fold(across, |page, x| page.rule([*x, top], [*x, bottom]))
    }

    /// Operators as they are.
    pub(crate) fn content(mut self, operators: &str) -> Self {
        self.content.extend(operators.bytes());
        self
    }

    /// Turned clockwise by so many degrees when it is shown.
    pub(crate) fn turned(mut self, degrees: u32) -> Self {
        self.turn = degrees;
        self
    }

    fn show(mut self, [x, y]: [f32; 2], size: f32, font: &str, mode: u8, text: &str) -> Self {
        let before = format!("BT /{font} {size} Tf {mode} Tr 1 0 0 1 {x} {y} Tm (");
        self.content.extend(before.bytes());
        self.content.extend(windows_1252(text));
        self.content.extend(b") Tj ET\n");
        self
    }
}

impl Written {
    pub(crate) fn page(mut self, page: WrittenPage) -> Self {
        self.pages.push(page);
        self
    }

    pub(crate) fn title(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// An entry of the outline; `level` from 1, `page` from 0.
    pub(crate) fn bookmark(mut self, level: u8, page: usize, title: &str) -> Self {
        self.bookmarks.push((title.to_owned(), level, page));
        self
    }

    /// The first pages are called i, ii, iii…, those after them 1, 2, 3….
    pub(crate) fn front_matter(mut self, pages: usize) -> Self {
        self.has_front_matter = Some(pages);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut file = File::default();
        let catalog = file.reserve();
        let tree = file.reserve();
        let outline = file.reserve();
        let font = |name: &str| {
            format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
            )
        };
        let regular = file.add(font("Helvetica"));
        let bold = file.add(font("Helvetica-Bold"));
        let picture = file.add_stream(
            "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray \
             /BitsPerComponent 8",
            &[90, 200, 200, 90],
        );
        let resources = format!(
            "<< /Font << /F1 {regular} 0 R /F2 {bold} 0 R >> /XObject << /I1 {picture} 0 R >> >>"
        );
        let mut pages = Vec::new();
        let mut fields = String::new();
        for page in &self.pages {
            let content = file.add_stream("", &page.content);
            let mut annotations = String::new();
            for annotation in &page.annotations {
                let number = file.add(format!("<< /Type /Annot {annotation} >>"));
                write!(annotations, "{number} 0 R ").unwrap();
                if annotation.contains("/Widget") {
                    write!(fields, "{number} 0 R ").unwrap();
                }
            }
            pages.push(file.add(format!(
                "<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842] /Rotate {} \
                 /Resources {resources} /Contents {content} 0 R /Annots [{annotations}] >>",
                page.turn
            )));
        }
        let kids: String = pages.iter().map(|page| format!("{page} 0 R ")).collect();
        file.set(tree, format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()));
        self.write_outline(&mut file, outline, &pages);
        let labels = self.has_front_matter.map_or_else(String::new, |count| {
            format!("/PageLabels << /Nums [0 << /S /r >> {count} << /S /D >>] >>")
        });
        file.set(
            catalog,
            format!(
                "<< /Type /Catalog /Pages {tree} 0 R /Outlines {outline} 0 R {labels} \
                 /AcroForm << /Fields [{fields}] /DR {resources} >> >>"
            ),
        );
        let title = self.title.as_ref().map_or_else(String::new, |it| format!("/Title ({it})"));
        let info = file.add(format!("<< {title} >>"));
        file.finish(catalog, info)
    }

    /// Each entry under the last of a lower level.
    fn write_outline(&self, file: &mut File, root: usize, pages: &[usize]) {
        let numbers: Vec<usize> = self.bookmarks.iter().map(|_| file.reserve()).collect();
        let level = |at: usize| self.bookmarks[at].1;
        let children = |parent: Option<usize>| -> Vec<usize> {
            let from = parent.map_or(0, |at| at + 1);
            let depth = parent.map_or(1, |at| level(at) + 1);
            (from..self.bookmarks.len())
                .take_while(|at| level(*at) >= depth)
                .filter(|at| level(*at) == depth)
                .collect()
        };
        let ends = |of: &[usize]| match (of.first(), of.last()) {
            (Some(first), Some(last)) => format!(
                "/First {} 0 R /Last {} 0 R /Count {}",
                numbers[*first],
                numbers[*last],
                of.len()
            ),
            _ => String::new(),
        };
        let top = children(None);
        file.set(root, format!("<< /Type /Outlines {} >>", ends(&top)));
        for (at, (title, _, page)) in self.bookmarks.iter().enumerate() {
            let parent = (0..at).rev().find(|it| level(*it) < level(at));
            let siblings = children(parent);
            let next = siblings.iter().find(|it| **it > at);
            let next = next.map_or_else(String::new, |it| format!("/Next {} 0 R", numbers[*it]));
            let parent = parent.map_or(root, |it| numbers[it]);
            let below = ends(&children(Some(at)));
            let mut utf16 = String::from("FEFF");
            title.encode_utf16().for_each(|unit| write!(utf16, "{unit:04X}").unwrap());
            file.set(
                numbers[at],
                format!(
                    "<< /Title <{utf16}> /Parent {parent} 0 R /Dest [{} 0 R /Fit] {next} {below} >>",
                    pages[*page]
                ),
            );
        }
    }
}

/// Objects with their numbers, from 1.
#[derive(Default)]
struct File {
    objects: Vec<Vec<u8>>,
}

impl File {
    fn reserve(&mut self) -> usize {
        self.objects.push(Vec::new());
        self.objects.len()
    }

    fn set(&mut self, number: usize, object: String) {
        self.objects[number - 1] = object.into_bytes();
    }

    fn add(&mut self, object: String) -> usize {
        self.objects.push(object.into_bytes());
        self.objects.len()
    }

    fn add_stream(&mut self, entries: &str, data: &[u8]) -> usize {
        let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
        object.extend_from_slice(data);
        object.extend_from_slice(b"\nendstream");
        self.objects.push(object);
        self.objects.len()
    }

    fn finish(self, catalog: usize, info: usize) -> Vec<u8> {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        let mut places = Vec::new();
        for (object, number) in self.objects.iter().zip(1..) {
            places.push(bytes.len());
            bytes.extend(format!("{number} 0 obj\n").bytes());
            bytes.extend_from_slice(object);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        let table = bytes.len();
        let count = places.len() + 1;
        bytes.extend(format!("xref\n0 {count}\n0000000000 65535 f \n").bytes());
        for place in places {
            bytes.extend(format!("{place:010} 00000 n \n").bytes());
        }
        bytes.extend(
            format!(
                "trailer\n<< /Size {count} /Root {catalog} 0 R /Info {info} 0 R >>\nstartxref\n\
                 {table}\n%%EOF\n"
            )
            .bytes(),
        );
        bytes
    }
}

fn windows_1252(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        match character {
            '(' | ')' | '\\' => bytes.extend([b'\\', u8::try_from(character).unwrap()]),
            '€' => bytes.push(0x80),
            '…' => bytes.push(0x85),
            '’' => bytes.push(0x92),
            '•' => bytes.push(0x95),
            '–' => bytes.push(0x96),
            'œ' => bytes.push(0x9C),
            _ => bytes.push(u8::try_from(u32::from(character)).unwrap()),
        }
    }
    bytes
}

/// The width in Helvetica (Adobe Font Metrics); an accent adds nothing.
fn width_of(text: &str, size: f32) -> f32 {
    const WIDTHS: [u16; 95] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556,
        556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722,
        722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
        667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
        556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,
        500, 334, 260, 334, 584,
    ];
    let width = |character: char| {
        let at = u32::from(character).checked_sub(32).and_then(|at| usize::try_from(at).ok());
        f32::from(at.and_then(|at| WIDTHS.get(at)).copied().unwrap_or(556))
    };
    let is_mark = |it: &char| matches!(it, '\u{300}'..='\u{36F}');
    text.nfd().filter(|it| !is_mark(it)).map(width).sum::<f32>() * size / 1000.0
}
