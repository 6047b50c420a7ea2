//! Reduces the size of images.

use image::{DynamicImage, imageops::FilterType};

/// Images larger than this multiple of the target size are first reduced to this multiple by averaging. Using the
/// better filter on all pixels would take seconds and twice the memory.
const AVERAGED_FROM: u32 = 2;

/// Returns the image, reduced so that its longer side has at most `pixels` pixels. Never enlarges the image.
pub(super) fn reduce(image: DynamicImage, pixels: u32) -> DynamicImage {
    let (width, height) = (image.width(), image.height());
    if width.max(height) <= pixels {
        return image;
    }
    let averaged = pixels * AVERAGED_FROM;
    let image = match width.max(height) > averaged {
        true => {
            let (averaged_width, averaged_height) = fit(width, height, averaged);
            image.thumbnail_exact(averaged_width, averaged_height)
        }
        false => image,
    };
    let (width, height) = fit(width, height, pixels);
    image.resize_exact(width, height, FilterType::Lanczos3)
}

/// Returns the width and height, scaled so that the longer side has `pixels` pixels.
pub(super) fn fit(width: u32, height: u32, pixels: u32) -> (u32, u32) {
    let longer = u64::from(width.max(height).max(1));
    let scaled = |side: u32| {
        let exact = (u64::from(side) * u64::from(pixels) + longer / 2) / longer;
        u32::try_from(exact).unwrap_or(pixels).clamp(1, pixels)
    };
    (scaled(width), scaled(height))
}
