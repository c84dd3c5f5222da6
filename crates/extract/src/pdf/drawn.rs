//! What is drawn on a page beside its text: how much of it is picture, and its straight lines.
//!
//! The objects of a page are walked once, those in forms too. Lines come as strokes, as the sides of
//! stroked boxes, and as filled rectangles that are too thin to be anything else. Curves, slanted
//! lines and colours are not looked at.

use pdfium_render::prelude::{
    PdfMatrix, PdfPage, PdfPageObject, PdfPageObjectCommon, PdfPageObjectsCommon,
    PdfPagePathObject, PdfPathFillMode, PdfPathSegmentType, PdfPathSegments as _, PdfPoints,
};

use super::table::Rules;

/// The most forms inside forms that are looked into.
const MAX_FORM_DEPTH: usize = 4;

/// The most objects of a page that are looked at.
const MAX_OBJECTS: usize = 20_000;

/// A path of more segments is a drawing.
const MAX_PATH_SEGMENTS: u32 = 4_000;

/// The most segments of a page that are looked at.
const MAX_SEGMENTS: u32 = 20_000;

/// A filled rectangle that is thinner, in points, is a line.
const MAX_THICKNESS: f32 = 3.0;

/// What was found on a page.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// The area of the pictures, in square points; overlapping ones count twice.
    pub(super) picture_area: f32,
    /// The straight lines, in the coordinates of the file.
    pub(super) rules: Rules,
}

/// Looks at the page's objects.
pub(super) fn of_page(page: &PdfPage<'_>) -> Drawn {
    let mut walk = Walk {
        drawn: Drawn::default(),
        forms: Vec::new(),
        objects_left: MAX_OBJECTS,
        segments_left: MAX_SEGMENTS,
    };
    for object in page.objects().iter() {
        walk.object(&object);
    }
    walk.drawn
}

struct Walk {
    drawn: Drawn,
    /// Where the forms that are being looked into are placed, the outermost first.
    forms: Vec<PdfMatrix>,
    objects_left: usize,
    segments_left: u32,
}

impl Walk {
    fn object(&mut self, object: &PdfPageObject<'_>) {
        let Some(left) = self.objects_left.checked_sub(1) else { return };
        self.objects_left = left;
        if object.as_image_object().is_some() {
            let area = object.bounds().map_or(0.0, |it| it.width().value * it.height().value);
            let scale = self.forms.iter().map(|it| (it.a() * it.d() - it.b() * it.c()).abs());
            self.drawn.picture_area += area.abs() * scale.product::<f32>();
        } else if let Some(path) = object.as_path_object() {
            self.path(path);
        } else if let Some(form) = object.as_x_object_form_object()
            && self.forms.len() < MAX_FORM_DEPTH
        {
            self.forms.push(form.matrix().unwrap_or(PdfMatrix::IDENTITY));
            for object in form.iter() {
                self.object(&object);
            }
            self.forms.pop();
        }
    }

    fn path(&mut self, path: &PdfPagePathObject<'_>) {
        let is_stroked = path.is_stroked().unwrap_or_default();
        let is_filled = path.fill_mode().is_ok_and(|mode| mode != PdfPathFillMode::None);
        let segments = path.segments();
        let count = segments.len();
        let left = self.segments_left.checked_sub(count);
        let Some(left) = left.filter(|_| count <= MAX_PATH_SEGMENTS && (is_stroked || is_filled))
        else {
            return;
        };
        self.segments_left = left;
        let Ok(matrix) = path.matrix() else { return };
        let mut outline = Outline::default();
        for segment in segments.iter() {
            let point = self.placed(matrix, segment.point());
            match segment.segment_type() {
                PdfPathSegmentType::MoveTo => {
                    outline.end(is_stroked, &mut self.drawn.rules);
                    outline.points.push((point, false));
                }
                PdfPathSegmentType::LineTo => outline.points.push((point, true)),
                PdfPathSegmentType::BezierTo | PdfPathSegmentType::Unknown => {
                    outline.points.push((point, false));
                    outline.is_curved = true;
                }
            }
            if segment.is_close()
                && let Some((start, _)) = outline.points.first().copied()
            {
                outline.points.push((start, true));
            }
        }
        outline.end(is_stroked, &mut self.drawn.rules);
    }

    fn placed(&self, matrix: PdfMatrix, (x, y): (PdfPoints, PdfPoints)) -> (f32, f32) {
        let inside = matrix.apply_to_points(x, y);
        let (x, y) =
            self.forms.iter().rev().fold(inside, |(x, y), form| form.apply_to_points(x, y));
        (x.value, y.value)
    }
}

/// A part of a path, from where the pen was set down to where it was lifted.
#[derive(Default)]
struct Outline {
    /// Each point, and whether a straight line leads to it.
    points: Vec<((f32, f32), bool)>,
    is_curved: bool,
}

impl Outline {
    fn end(&mut self, is_stroked: bool, rules: &mut Rules) {
        let Self { points, is_curved } = std::mem::take(self);
        if is_stroked {
            for pair in points.windows(2) {
                if let [(from, _), (to, true)] = pair {
                    rules.add(*from, *to);
                }
            }
            return;
        }
        let is_rectangle = (4..=6).contains(&points.len())
            && points.windows(2).all(|pair| match pair {
                [(from, _), (to, _)] => (from.0 - to.0).abs() < 0.1 || (from.1 - to.1).abs() < 0.1,
                _ => false,
            });
        if is_curved || !is_rectangle {
            return;
        }
        let bounds = |values: &mut dyn Iterator<Item = f32>| {
            values.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), value| {
                (least.min(value), most.max(value))
            })
        };
        let (left, right) = bounds(&mut points.iter().map(|((x, _), _)| *x));
        let (bottom, top) = bounds(&mut points.iter().map(|((_, y), _)| *y));
        let (width, height) = (right - left, top - bottom);
        if height <= MAX_THICKNESS && width > height {
            let middle = bottom.midpoint(top);
            rules.add((left, middle), (right, middle));
        } else if width <= MAX_THICKNESS && height > width {
            let middle = left.midpoint(right);
            rules.add((middle, bottom), (middle, top));
        }
    }
}
