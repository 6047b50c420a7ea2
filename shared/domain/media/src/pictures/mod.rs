//! Makes the public sizes of an image, without metadata.
//!
//! Works on bytes alone. EXIF, XMP, comments and thumbnails are dropped, after the orientation was applied. The color
//! profile is kept, because the pixels depend on it.

mod decode;
mod encode;
mod reduce;

use bytes::Bytes;
use encode::Format;
use image::{DynamicImage, ImageFormat};

use uploads::{Picture, Reason, SIZES};

/// Horizontal and vertical components of a blurhash. They give 28 characters.
const BLURHASH_COMPONENTS: (u32, u32) = (4, 3);
/// Size of the thumbnail for the blurhash, which has no finer details.
const BLURHASH_PIXELS: u32 = 32;

/// Properties of an image, and its files, one for each of [`SIZES`].
#[derive(Debug)]
pub(super) struct Made {
    pub(super) picture: Picture,
    pub(super) files: Vec<Bytes>,
}

/// Makes the sizes of an image. Takes up to 1.5 seconds of CPU time, and 700 MB for the largest image.
///
/// # Errors
/// Fails with the reason of the refusal.
pub(super) fn make(file: &[u8], format: ImageFormat) -> Result<Made, Reason> {
    let (mut image, profile) = decode::decode(file, format)?;
    let format = Format::of(&image);
    let (width, height) = (image.width(), image.height());
    let mut files = Vec::with_capacity(SIZES.len());
    for (_, pixels) in SIZES {
        image = reduce::reduce(image, pixels);
        files.push(format.encode(&image, profile.as_deref())?);
    }
    let content_type = format.content_type().to_owned();
    let picture = Picture { content_type, width, height, blurhash: blurhash(&image)? };
    Ok(Made { picture, files })
}

fn blurhash(image: &DynamicImage) -> Result<String, Reason> {
    let (horizontal, vertical) = BLURHASH_COMPONENTS;
    let small = image.thumbnail_exact(BLURHASH_PIXELS, BLURHASH_PIXELS).into_rgba8();
    blurhash::encode(horizontal, vertical, BLURHASH_PIXELS, BLURHASH_PIXELS, small.as_raw())
        .map_err(|_| Reason::Unreadable)
}

#[cfg(test)]
mod tests;
