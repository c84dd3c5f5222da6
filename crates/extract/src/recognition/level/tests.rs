use super::*;

/// A page of lines that fall towards the right by so many degrees: bars with gaps like words.
fn page(width: u32, height: u32, degrees: f32) -> GrayImage {
    let slope = degrees.to_radians().tan();
    let pixels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x as f32, y as f32)))
        .map(|(x, y)| {
            let along = y - (x - width as f32 / 2.0) * slope;
            let is_margin = x < width as f32 * 0.1 || x > width as f32 * 0.9;
            let line = (along / 30.0).floor();
            let words = x + line * line * 17.0;
            let is_ink = along.rem_euclid(30.0) < 14.0 && words.rem_euclid(70.0) < 55.0;
            if is_ink && !is_margin { 40 } else { 230 }
        })
        .collect();
    GrayImage { width, height, pixels, dots_per_inch: 150 }
}

fn lean(image: &GrayImage) -> Lean {
    Reduced::of(image).expect("large enough").lean()
}

#[test]
fn a_lean_is_measured_to_a_fifth_of_a_degree() {
    for degrees in [-5.0, -2.3, -0.5, 0.0, 0.7, 1.0, 3.2, 5.5] {
        let seen = lean(&page(1240, 1754, degrees));
        assert!((seen.degrees - degrees).abs() <= 0.2, "{degrees}: {seen:?}");
        assert!(seen.sharpness > CLEAR, "{degrees}: {seen:?}");
    }
}

#[test]
fn a_leaning_page_is_level_afterwards_and_keeps_its_size() {
    let leaning = page(1240, 1754, -2.5);
    let level = levelled(&leaning);
    assert_eq!((level.width, level.height), (1240, 1754));
    assert!(lean(&level).degrees.abs() <= 0.2, "{:?}", lean(&level));
}

#[test]
fn a_level_page_is_left_as_it_is() {
    let page = page(1240, 1754, 0.0);
    assert_eq!(levelled(&page), page);
}

#[test]
fn a_page_on_its_side_is_set_up_and_levelled() {
    let on_its_side = turned(&page(1240, 1754, 2.0));
    let level = levelled(&on_its_side);
    assert_eq!((level.width, level.height), (1240, 1754));
    assert!(lean(&level).degrees.abs() <= 0.2, "{:?}", lean(&level));
}

#[test]
fn four_quarters_and_two_halves_are_a_whole() {
    let page = page(40, 70, 3.0);
    assert_eq!(turned(&turned(&turned(&turned(&page)))), page);
    assert_eq!(turned(&turned(&page)), upside_down(&page));
}

#[test]
fn what_comes_in_at_the_corners_is_paper() {
    let level = rotated(&page(1240, 1754, 4.0), 4.0);
    assert_eq!(level.pixels.first(), Some(&230));
}

#[test]
fn pictures_without_lines_and_without_size_stay_what_they_are() {
    for (width, height) in
        [(0, 0), (1, 1), (0, 900), (70, 70), (20_000, 1), (1, 20_000), (900, 900)]
    {
        let pixels = vec![200; width as usize * height as usize];
        let plain = GrayImage { width, height, pixels, dots_per_inch: 0 };
        assert_eq!(levelled(&plain), plain);
    }
}
