//! Decodes an image. The image's header is checked before its pixels are read.

use std::io::Cursor;
use uploads::{Reason, SIZES};

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::reduce::reduce;

/// Maximum number of pixels. A larger image is refused after its header is read.
const PIXELS_MAX: u64 = 60_000_000;
/// Maximum size of a decoded image: 60 megapixels with four channels of 16 bits.
const DECODED_MAX_BYTES: u64 = PIXELS_MAX * 8;
/// Maximum size of a color profile. Usual profiles have a few hundred bytes.
const PROFILE_MAX_BYTES: usize = 8 * 1024;
/// Position of the color space within a color profile.
const PROFILE_COLOR_SPACE: std::ops::Range<usize> = 16..20;
const RGB: &[u8] = b"RGB ";

/// Decodes an image, and rotates it upright. The result has 8 bits per channel, and is reduced to the largest of
/// [`SIZES`]. Also returns the image's RGB color profile, if any.
///
/// # Errors
/// Fails with the reason why the image is refused.
pub(super) fn decode(file: &[u8], format: ImageFormat) -> Result<(DynamicImage, Option<Vec<u8>>), Reason> {
    if image::guess_format(file).ok() != Some(format) {
        return Err(Reason::OtherType);
    }
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODED_MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(reason)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX || decoder.total_bytes() > DECODED_MAX_BYTES {
        return Err(Reason::TooManyPixels);
    }
    let orientation = decoder.orientation().map_err(reason)?;
    let profile = decoder.icc_profile().ok().flatten().filter(|profile| is_rgb_profile(profile));
    let image = DynamicImage::from_decoder(decoder).map_err(reason)?;
    // The image is reduced before it is rotated and converted, because each copy of the full image would need as much
    // memory again.
    let (_, largest) = SIZES[0];
    let mut image = reduce(image, largest);
    image.apply_orientation(orientation);
    Ok((to_eight_bits(image), profile))
}

fn to_eight_bits(image: DynamicImage) -> DynamicImage {
    match image.color().has_alpha() {
        true => DynamicImage::ImageRgba8(image.into_rgba8()),
        false => DynamicImage::ImageRgb8(image.into_rgb8()),
    }
}

fn is_rgb_profile(profile: &[u8]) -> bool {
    profile.len() <= PROFILE_MAX_BYTES && profile.get(PROFILE_COLOR_SPACE) == Some(RGB)
}

fn reason(error: ImageError) -> Reason {
    match error {
        ImageError::Limits(_) => Reason::TooManyPixels,
        _ => Reason::Unreadable,
    }
}
