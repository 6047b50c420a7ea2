//! Makes the public files of an image, without metadata.
//!
//! This module only processes bytes in memory. It applies the orientation, and drops EXIF, XMP, comments and
//! thumbnails. The color profile is kept, because the meaning of the pixels depends on the profile.

mod animation;
mod chunks;
mod decode;
mod encode;
mod format;
mod inks;
mod reduce;

use bytes::Bytes;
use decode::Decoded;
use encode::Format;
use image::DynamicImage;

use uploads::{Picture, Reason, SIZES};

/// Numbers of horizontal and vertical components of a blurhash.
const BLURHASH_COMPONENTS: (u32, u32) = (4, 3);
/// Size in pixels of the thumbnail from which the blurhash is computed. A blurhash shows no finer details.
const BLURHASH_PIXELS: u32 = 32;

/// The properties of an image, and its files with their content types. There is one file for each of [`SIZES`], and one
/// for the animation, if any.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) picture: Picture,
    pub(super) files: Vec<(&'static str, Bytes)>,
}

/// Returns the files of an image. The content of `file` decides its format. The largest image takes 1.5 seconds of CPU
/// time and 700 MB of memory. Fails with the reason why the image is refused.
pub(super) fn make(file: &[u8]) -> Result<Made, Reason> {
    let input = format::of(file)?;
    let Decoded { mut image, profile, is_rotated } = decode::decode(file, input)?;
    let format = Format::of(&image);
    let (width, height) = (image.width(), image.height());
    let mut files = Vec::with_capacity(SIZES.len() + 1);
    for (_, pixels) in SIZES {
        image = reduce::reduce(image, pixels);
        files.push((format.content_type(), format.encode(&image, profile.as_deref())?));
    }
    // The frames of an animation are not rotated, so a rotated animation is only shown as its first frame.
    let animation = if is_rotated { None } else { animation::without_metadata(file, input) };
    let animation = animation.map(|file| (input.to_mime_type(), Bytes::from(file)));
    let picture = Picture {
        content_type: format.content_type().to_owned(),
        animation: animation.as_ref().map(|(content_type, _)| (*content_type).to_owned()),
        width,
        height,
        blurhash: blurhash(&image)?,
    };
    files.extend(animation);
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
