//! Decodes an image. The image's header is checked before its pixels are read.

use std::io::Cursor;
use uploads::{Reason, SIZES};

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, metadata::Orientation,
};

use super::{inks, reduce::reduce};

/// Maximum number of pixels. A larger image is refused after its header is read.
const PIXELS_MAX: u64 = 60_000_000;
/// Maximum size of a decoded image: 60 megapixels with four channels of 16 bits.
const DECODED_MAX_BYTES: u64 = PIXELS_MAX * 8;
const PROFILE_MAX_BYTES: usize = 1024 * 1024;
/// Byte range of the color space name in a color profile.
const PROFILE_COLOR_SPACE: std::ops::Range<usize> = 16..20;
const RGB: &[u8] = b"RGB ";
const GRAY: &[u8] = b"GRAY";

/// A decoded image, upright and with 8 bits per channel. It is reduced to the largest of [`SIZES`].
pub(super) struct Decoded {
    pub(super) image: DynamicImage,
    /// Color profile of the image's color space, if any.
    pub(super) profile: Option<Vec<u8>>,
    /// Whether the image was rotated or mirrored.
    pub(super) is_rotated: bool,
}

/// Decodes an image, and rotates it upright. Fails with the reason why the image is refused.
pub(super) fn decode(file: &[u8], format: ImageFormat) -> Result<Decoded, Reason> {
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODED_MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(reason)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX || decoder.total_bytes() > DECODED_MAX_BYTES {
        return Err(Reason::TooManyPixels);
    }
    let orientation = orientation(&mut decoder);
    let profile = decoder.icc_profile().ok().flatten();
    let image = match format {
        ImageFormat::Jpeg if inks::has_plain_inks(file) => inks::decode(file)?,
        _ => DynamicImage::from_decoder(decoder).map_err(reason)?,
    };
    // Reduces the image first, because rotation and conversion copy the image.
    let (_, largest) = SIZES[0];
    let mut image = reduce(image, largest);
    image.apply_orientation(orientation);
    let (image, profile) = to_eight_bits(image, profile);
    Ok(Decoded { image, profile, is_rotated: orientation != Orientation::NoTransforms })
}

/// Returns the orientation. Damaged metadata is ignored, because it does not affect the pixels.
fn orientation(decoder: &mut impl ImageDecoder) -> Orientation {
    let exif = decoder.exif_metadata().ok().flatten().unwrap_or_default();
    // Some WebP files start the EXIF data with the prefix that JPEG files require.
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(&exif);
    Orientation::from_exif_chunk(exif).unwrap_or(Orientation::NoTransforms)
}

/// Converts the image to 8 bits per channel. Drops the color profile if it is too large or for another color space.
fn to_eight_bits(image: DynamicImage, profile: Option<Vec<u8>>) -> (DynamicImage, Option<Vec<u8>>) {
    let profile = profile.filter(|profile| profile.len() <= PROFILE_MAX_BYTES);
    let color_space = profile.as_ref().and_then(|profile| profile.get(PROFILE_COLOR_SPACE)).unwrap_or(RGB);
    let (is_gray, is_rgb) = (color_space == GRAY, color_space == RGB);
    match image.color() {
        color if color.has_alpha() => {
            (DynamicImage::ImageRgba8(image.into_rgba8()), profile.filter(|_| is_rgb))
        }
        color if is_gray && !color.has_color() => (DynamicImage::ImageLuma8(image.into_luma8()), profile),
        _ => (DynamicImage::ImageRgb8(image.into_rgb8()), profile.filter(|_| is_rgb)),
    }
}

fn reason(error: ImageError) -> Reason {
    match error {
        ImageError::Limits(_) => Reason::TooManyPixels,
        _ => Reason::Unreadable,
    }
}
