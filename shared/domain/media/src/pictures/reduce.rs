//! Reduces the size of images.

use image::{DynamicImage, imageops::FilterType};
use uploads::SIDE_MAX_PIXELS;

/// Images larger than this multiple of the target size are first reduced to this multiple by averaging. Using the
/// better filter on all pixels would take seconds and twice the memory.
const AVERAGED_FROM: u32 = 2;

/// Returns the image, reduced so that it has at most as many pixels as a square of `side` pixels. Never enlarges the
/// image.
pub(super) fn reduce(image: DynamicImage, side: u32) -> DynamicImage {
    if fits(&image, side) {
        return image;
    }
    let averaged = side * AVERAGED_FROM;
    let image = match fits(&image, averaged) {
        true => image,
        false => {
            let (width, height) = fit(image.width(), image.height(), averaged);
            image.thumbnail_exact(width, height)
        }
    };
    let (width, height) = fit(image.width(), image.height(), side);
    image.resize_exact(width, height, FilterType::Lanczos3)
}

fn fits(image: &DynamicImage, side: u32) -> bool {
    let (width, height) = (u64::from(image.width()), u64::from(image.height()));
    width * height <= u64::from(side).pow(2) && width.max(height) <= u64::from(SIDE_MAX_PIXELS)
}

/// Returns the width and height, scaled to the area of a square of `side` pixels. Scales further if a side would be
/// longer than [`SIDE_MAX_PIXELS`].
pub(super) fn fit(width: u32, height: u32, side: u32) -> (u32, u32) {
    let [width, height, side] = [width, height, side].map(|side| u64::from(side.max(1)));
    let side_max = u64::from(SIDE_MAX_PIXELS);
    let scaled = |own: u64, other: u64| {
        let by_area = (side * side * own / other).isqrt();
        let by_length = own * side_max / own.max(other);
        u32::try_from(by_area.min(by_length)).unwrap_or(SIDE_MAX_PIXELS).max(1)
    };
    (scaled(width, height), scaled(height, width))
}
