//! What is made of an image: three sizes without anything that the file said besides its pixels.
//!
//! Works on bytes alone. A file's own words end here: of EXIF, XMP, comments and thumbnails only the orientation is
//! read, and it is applied. A colour profile stays with the pixels that it explains.

mod decode;
mod encode;
mod reduce;

use bytes::Bytes;
use encode::Format;
use image::{DynamicImage, ImageFormat};

use uploads::{Picture, Reason, SIZES};

/// The components of a blurhash, across and down: 28 characters.
const BLURHASH_COMPONENTS: (u32, u32) = (4, 3);
/// A blurhash knows nothing finer than this many pixels.
const BLURHASH_PIXELS: u32 = 32;

/// A picture's facts, and its files: one for each of [`SIZES`].
#[derive(Debug)]
pub(super) struct Made {
    pub(super) picture: Picture,
    pub(super) files: Vec<Bytes>,
}

/// Makes the sizes of an image. Takes up to 1.5 seconds of a processor, and 700 MB for the largest image.
///
/// # Errors
/// The reason why the file is refused.
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
    let (across, down) = BLURHASH_COMPONENTS;
    let small = image.thumbnail_exact(BLURHASH_PIXELS, BLURHASH_PIXELS).into_rgba8();
    blurhash::encode(across, down, BLURHASH_PIXELS, BLURHASH_PIXELS, small.as_raw())
        .map_err(|_| Reason::Unreadable)
}

#[cfg(test)]
mod tests;
