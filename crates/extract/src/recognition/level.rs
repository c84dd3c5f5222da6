//! Brings the lines of a page's picture level.
//!
//! The engine reads lines that lean by one degree and loses whole paragraphs from two degrees
//! on, and it takes a page turned by a quarter for a puzzle. Both are seen in the same way: the
//! darkness of a page, summed along its lines, jumps between line and space, and jumps most when
//! the sums run exactly along the lines (Postl, US patent 4,723,297 of 1988, long expired; the
//! measure is that of D. Bloomberg's "Measuring document image skew", 1995). Whether the page is
//! upside down cannot be seen so; that is left to the engine's own confidence.

use super::GrayImage;

/// The picture with its lines level. It may be upside down.
pub(crate) fn levelled(image: &GrayImage) -> GrayImage {
    let Some(reduced) = Reduced::of(image) else {
        return image.clone();
    };
    let across = reduced.lean();
    let down = reduced.transposed().lean();
    if down.sharpness > RUNS_DOWN * across.sharpness {
        // What leans one way in a mirror leans the other way.
        straightened(turned(image), -down.degrees, down)
    } else {
        straightened(image.clone(), across.degrees, across)
    }
}

/// The picture turned by half a turn.
pub(super) fn upside_down(image: &GrayImage) -> GrayImage {
    let mut pixels = image.pixels.clone();
    pixels.reverse();
    GrayImage { pixels, ..*image }
}

/// A page is taken to lie on its side when its lines so seen are this much sharper. On the scans
/// of `make_scans.py` the sharpness was 24 to 65 along the lines and 1.2 to 1.7 across them.
const RUNS_DOWN: f32 = 3.0;

/// A lean is believed from this sharpness on.
const CLEAR: f32 = 3.0;

/// Less does no harm, and turning a picture blurs it a little.
const HARMLESS_DEGREES: f32 = 0.4;

/// No scanner takes a sheet in that leans more.
const MOST_DEGREES: f32 = 6.0;

/// Pixels on the long side of a reduced picture: a line of an A4 page is about 15 high.
const REDUCED_SIDE: u32 = 900;

/// A reduced picture has at least so many pixels on each side.
const LEAST_SIDE: usize = 64;

/// Pixels of a row that are moved as one; within them no lean makes a whole pixel.
const STRIP: usize = 8;

/// How lines lean, and how clearly.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Lean {
    /// Positive where lines fall towards the right.
    degrees: f32,
    /// How much more the sums along lines jump in this direction than in a middling one.
    sharpness: f32,
}

fn straightened(image: GrayImage, degrees: f32, lean: Lean) -> GrayImage {
    if lean.sharpness < CLEAR || degrees.abs() < HARMLESS_DEGREES {
        return image;
    }
    rotated(&image, degrees)
}

/// A small picture of the page's darkness, without its edges, where scanners leave borders.
struct Reduced {
    width: usize,
    height: usize,
    darkness: Vec<u8>,
}

impl Reduced {
    /// `None` for a picture so small that no lean can be seen.
    fn of(image: &GrayImage) -> Option<Self> {
        let factor = (image.width.max(image.height) / REDUCED_SIDE).max(1) as usize;
        let (columns, rows) = (image.width as usize / factor, image.height as usize / factor);
        let (aside, above) = (columns / 32, rows / 32);
        let (width, height) = (columns - 2 * aside, rows - 2 * above);
        if width < LEAST_SIDE || height < LEAST_SIDE {
            return None;
        }
        let mut darkness = Vec::with_capacity(width * height);
        for row in above..above + height {
            for column in aside..aside + width {
                let mut sum = 0u32;
                for line in
                    image.pixels.chunks_exact(image.width as usize).skip(row * factor).take(factor)
                {
                    let cells = line.iter().skip(column * factor).take(factor);
                    sum += cells.map(|&pixel| u32::from(255 - pixel)).sum::<u32>();
                }
                // At most 255, as a mean of bytes.
                darkness.push((sum / (factor * factor) as u32) as u8);
            }
        }
        Some(Self { width, height, darkness })
    }

    fn transposed(&self) -> Self {
        let darkness = (0..self.width)
            .flat_map(|column| self.darkness.iter().skip(column).step_by(self.width.max(1)))
            .copied()
            .collect();
        Self { width: self.height, height: self.width, darkness }
    }

    /// The direction near level in which the sums jump most.
    fn lean(&self) -> Lean {
        let strips = self.strips();
        let coarse = angles(0.0, MOST_DEGREES, 0.5);
        let mut jumps: Vec<(f32, f32)> =
            coarse.map(|degrees| (degrees, jumps(&strips, self.height, degrees))).collect();
        let Some(&(near, _)) = jumps.iter().max_by(|one, other| one.1.total_cmp(&other.1)) else {
            return Lean { degrees: 0.0, sharpness: 0.0 };
        };
        jumps.sort_by(|one, other| one.1.total_cmp(&other.1));
        let middling = jumps.get(jumps.len() / 2).map_or(0.0, |jump| jump.1);
        let fine = angles(near, 0.4, 0.1);
        let best = fine
            .map(|degrees| (degrees, self::jumps(&strips, self.height, degrees)))
            .max_by(|one, other| one.1.total_cmp(&other.1));
        let (degrees, most) = best.unwrap_or((0.0, 0.0));
        Lean { degrees, sharpness: if middling > 0.0 { most / middling } else { 0.0 } }
    }

    /// For each strip of columns, its distance from the middle and the sum of each of its rows.
    fn strips(&self) -> Vec<(f32, Vec<u32>)> {
        let middle = self.width as f32 / 2.0;
        (0..self.width / STRIP)
            .map(|strip| {
                let sums = self
                    .darkness
                    .chunks_exact(self.width)
                    .map(|row| {
                        let cells = row.iter().skip(strip * STRIP).take(STRIP);
                        cells.map(|&cell| u32::from(cell)).sum()
                    })
                    .collect();
                ((strip * STRIP + STRIP / 2) as f32 - middle, sums)
            })
            .collect()
    }
}

/// Angles around a middle, in degrees.
fn angles(middle: f32, reach: f32, step: f32) -> impl Iterator<Item = f32> {
    let steps = (reach / step).round() as i32;
    (-steps..=steps).map(move |number| middle + number as f32 * step)
}

/// The squared jumps between neighbouring sums along lines that lean by so much.
fn jumps(strips: &[(f32, Vec<u32>)], height: usize, degrees: f32) -> f32 {
    let slope = degrees.to_radians().tan();
    let mut sums = vec![0u32; height];
    for (distance, rows) in strips {
        let shift = (distance * slope).round() as isize;
        for (row, sum) in sums.iter_mut().enumerate() {
            // Past an edge its last row goes on, so that the edge itself is no jump.
            let from = row.saturating_add_signed(shift).min(height.saturating_sub(1));
            *sum += rows.get(from).copied().unwrap_or(0);
        }
    }
    let squares = sums.windows(2).map(|pair| match pair {
        [above, below] => f64::from(above.abs_diff(*below)).powi(2),
        _ => 0.0,
    });
    squares.sum::<f64>() as f32
}

/// The picture turned by a quarter, clockwise.
fn turned(image: &GrayImage) -> GrayImage {
    let width = image.width as usize;
    let rows: Vec<&[u8]> = image.pixels.chunks_exact(width.max(1)).rev().collect();
    let pixels = (0..width)
        .flat_map(|column| rows.iter().filter_map(move |row| row.get(column)))
        .copied()
        .collect();
    GrayImage { width: image.height, height: image.width, pixels, ..*image }
}

/// The picture turned so that lines that lean by so much are level. It keeps its size; what
/// comes in at the corners has the colour of the paper.
fn rotated(image: &GrayImage, degrees: f32) -> GrayImage {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (middle_x, middle_y) = (image.width as f32 / 2.0, image.height as f32 / 2.0);
    let paper = paper(image);
    let mut pixels = Vec::with_capacity(image.pixels.len());
    for y in 0..image.height {
        let below = y as f32 - middle_y;
        for x in 0..image.width {
            let aside = x as f32 - middle_x;
            let from_x = middle_x + aside * cosine - below * sine;
            let from_y = middle_y + aside * sine + below * cosine;
            pixels.push(between(image, from_x, from_y, paper));
        }
    }
    GrayImage { pixels, ..*image }
}

/// The colour at a place between four pixels.
fn between(image: &GrayImage, x: f32, y: f32, paper: u8) -> u8 {
    let (left, above) = (x.floor(), y.floor());
    if left < 0.0 || above < 0.0 {
        return paper;
    }
    let width = image.width as usize;
    let (column, row) = (left as usize, above as usize);
    if column + 1 >= width {
        return paper;
    }
    let pair = |row: usize| match image.pixels.get(row * width + column..) {
        Some([first, second, ..]) => Some((f32::from(*first), f32::from(*second))),
        _ => None,
    };
    let (Some(upper), Some(lower)) = (pair(row), pair(row + 1)) else {
        return paper;
    };
    let (right, down) = (x - left, y - above);
    let mix = |pair: (f32, f32)| pair.0 + (pair.1 - pair.0) * right;
    // Between bytes, so a byte.
    (mix(upper) + (mix(lower) - mix(upper)) * down).round() as u8
}

/// The commonest of the light shades.
fn paper(image: &GrayImage) -> u8 {
    let mut counts = [0u32; 256];
    for &pixel in &image.pixels {
        if let Some(count) = counts.get_mut(usize::from(pixel)) {
            *count += 1;
        }
    }
    (128..=255u8).max_by_key(|&shade| counts.get(usize::from(shade)).copied()).unwrap_or(255)
}

#[cfg(test)]
mod tests;
