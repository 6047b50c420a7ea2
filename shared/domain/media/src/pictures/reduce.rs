//! Making images smaller.

use image::{DynamicImage, imageops::FilterType};

/// From this many times the wanted size on, averages bring an image near it first: a filter over all of its pixels
/// would take seconds and as much memory again.
const AVERAGED_FROM: u32 = 2;

/// Returns the image with its longer side no longer than so many pixels. Never makes it larger.
pub(super) fn reduce(image: DynamicImage, pixels: u32) -> DynamicImage {
    let (width, height) = (image.width(), image.height());
    if width.max(height) <= pixels {
        return image;
    }
    let near = pixels * AVERAGED_FROM;
    let image = match width.max(height) > near {
        true => {
            let (near_width, near_height) = fit(width, height, near);
            image.thumbnail_exact(near_width, near_height)
        }
        false => image,
    };
    let (width, height) = fit(width, height, pixels);
    image.resize_exact(width, height, FilterType::Lanczos3)
}

/// Returns width and height of the same shape with the longer side of so many pixels.
pub(super) fn fit(width: u32, height: u32, pixels: u32) -> (u32, u32) {
    let longer = u64::from(width.max(height).max(1));
    let scaled = |side: u32| {
        let exact = (u64::from(side) * u64::from(pixels) + longer / 2) / longer;
        u32::try_from(exact).unwrap_or(pixels).clamp(1, pixels)
    };
    (scaled(width), scaled(height))
}
