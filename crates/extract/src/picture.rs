//! Pictures of pages, for the eye and for recognition.

use pdfium_render::prelude::{
    PdfBitmap, PdfBitmapFormat, PdfDocument, PdfPage, PdfRenderConfig, Pixels,
};

use crate::ExtractError;
use crate::format::Format;
use crate::input::Input;
use crate::pdf::{self, Opened};
use crate::read;
use crate::recognition::GrayImage;

/// The widths that are drawn, in pixels; others are brought to the nearest.
const WIDTHS: std::ops::RangeInclusive<u32> = 200..=2400;

/// The highest picture, in pixels. A page that would be higher is drawn smaller.
const MAX_HEIGHT: f32 = 4800.0;

/// The largest picture for recognition, in pixels: A3 at 300 dots per inch has 17 million.
const MAX_GRAY_PIXELS: f32 = 30.0e6;

/// PDF's unit, in an inch.
const POINTS_PER_INCH: f32 = 72.0;

/// The page as a PNG image about `width` pixels wide, from 200 to 2,400. `page` counts from 1.
///
/// # Errors
///
/// [`ExtractError::Unsupported`] for formats other than PDF and where PDFium is not installed;
/// else what opening the document says, and [`ExtractError::Corrupt`] for a page that is not there
/// or cannot be drawn.
pub(crate) fn page_picture(
    input: &Input<'_>,
    page: u32,
    width: u32,
) -> Result<Vec<u8>, ExtractError> {
    let format = read::format_of(input.bytes, input.file_name)?;
    if format != Format::Pdf {
        return Err(ExtractError::Unsupported { format: format.extension() });
    }
    let draw = |opened: &Opened<'_>| {
        let page = page_of(&opened.document, page)?;
        let (page_width, page_height) = size_of(&page);
        let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
        #[expect(clippy::cast_precision_loss, reason = "at most 2,400")]
        let scale = (width as f32 / page_width).min(MAX_HEIGHT / page_height);
        let pixels = draw(&page, scale, PdfBitmapFormat::BGR)?;
        png(&pixels)
    };
    pdf::with_document(input, draw).unwrap_or_else(|| {
        Err(ExtractError::Unsupported { format: "PDF (as pictures, without PDFium)".to_owned() })
    })
}

/// The page in shades of grey at a resolution, or a lower one where it is very large. `number`
/// counts from 1.
///
/// # Errors
///
/// [`ExtractError::Corrupt`].
pub(crate) fn gray(
    document: &PdfDocument<'_>,
    number: u32,
    dots_per_inch: u32,
) -> Result<GrayImage, ExtractError> {
    let page = page_of(document, number)?;
    let (width, height) = size_of(&page);
    #[expect(clippy::cast_precision_loss, reason = "a resolution is small")]
    let wanted = dots_per_inch as f32 / POINTS_PER_INCH;
    let scale = wanted.min((MAX_GRAY_PIXELS / (width * height)).sqrt());
    let drawn = draw(&page, scale, PdfBitmapFormat::Gray)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not above wanted")]
    let dots_per_inch = (scale * POINTS_PER_INCH).round() as u32;
    Ok(GrayImage {
        width: drawn.width,
        height: drawn.height,
        pixels: drawn.bytes,
        dots_per_inch: dots_per_inch.max(1),
    })
}

/// Rows of pixels without gaps.
struct Drawn {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

fn page_of<'a>(document: &'a PdfDocument<'_>, number: u32) -> Result<PdfPage<'a>, ExtractError> {
    number
        .checked_sub(1)
        .and_then(|at| i32::try_from(at).ok())
        .and_then(|at| document.pages().get(at).ok())
        .ok_or_else(|| ExtractError::corrupt(format!("page {number} cannot be read")))
}

/// The size of the page as it is shown, turned if it is turned, in points.
fn size_of(page: &PdfPage<'_>) -> (f32, f32) {
    let tame = |points: f32| if points.is_finite() { points.clamp(1.0, 20_000.0) } else { 1.0 };
    (tame(page.width().value), tame(page.height().value))
}

fn draw(page: &PdfPage<'_>, scale: f32, format: PdfBitmapFormat) -> Result<Drawn, ExtractError> {
    let (width, height) = size_of(page);
    #[expect(clippy::cast_possible_truncation, reason = "both callers bound the scale")]
    let pixels = |points: f32| (points * scale).round().max(1.0) as Pixels;
    let config = PdfRenderConfig::new()
        .set_fixed_size(pixels(width), pixels(height))
        .set_format(format)
        .use_grayscale_rendering(format == PdfBitmapFormat::Gray)
        .set_reverse_byte_order(format == PdfBitmapFormat::BGR);
    let bitmap = page
        .render_with_config(&config)
        .map_err(|_| ExtractError::corrupt("the page cannot be drawn"))?;
    packed(&bitmap, if format == PdfBitmapFormat::Gray { 1 } else { 3 })
        .ok_or_else(|| ExtractError::corrupt("the page cannot be drawn"))
}

/// The pixels without what fills up each row in memory.
fn packed(bitmap: &PdfBitmap<'_>, bytes_per_pixel: usize) -> Option<Drawn> {
    let (width, height) = (bitmap.width(), bitmap.height());
    let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    let raw = bitmap.as_raw_bytes();
    let stride = raw.len().checked_div(usize::try_from(height).ok()?)?;
    let row_length = usize::try_from(width).ok()?.checked_mul(bytes_per_pixel)?;
    if stride == 0 {
        return None;
    }
    let mut bytes = Vec::with_capacity(row_length * raw.len() / stride);
    for row in raw.chunks_exact(stride) {
        bytes.extend_from_slice(row.get(..row_length)?);
    }
    Some(Drawn { width, height, bytes })
}

fn png(drawn: &Drawn) -> Result<Vec<u8>, ExtractError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, drawn.width, drawn.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&drawn.bytes)?;
        writer.finish()
    });
    written.map_err(ExtractError::corrupt)?;
    Ok(file)
}
