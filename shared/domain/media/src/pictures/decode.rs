//! Reading an image: its header first, and its pixels only when these are few enough.

use std::io::Cursor;
use uploads::{Reason, SIZES};

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::reduce::reduce;

/// More is no photo: the header of the file is enough to refuse it.
const PIXELS_MAX: u64 = 60_000_000;
/// 60 megapixels of four channels with 16 bits each.
const DECODED_MAX_BYTES: u64 = PIXELS_MAX * 8;
/// A profile of a camera or a screen has some hundred bytes.
const PROFILE_MAX_BYTES: usize = 8 * 1024;
/// Where a colour profile names the colours that it explains, and what it says for ours.
const PROFILE_COLOURS: std::ops::Range<usize> = 16..20;
const RGB: &[u8] = b"RGB ";

/// Decodes an image, not larger than its largest size, the right way up, with eight bits a channel. Returns its colour
/// profile too.
///
/// # Errors
/// The reason why the file is refused.
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
    let profile = decoder.icc_profile().ok().flatten().filter(|it| explains_rgb(it));
    let image = DynamicImage::from_decoder(decoder).map_err(reason)?;
    // Small before it is turned and converted: each copy of all pixels would need as much memory again.
    let (_, largest) = SIZES[0];
    let mut image = reduce(image, largest);
    image.apply_orientation(orientation);
    Ok((in_eight_bits(image), profile))
}

fn in_eight_bits(image: DynamicImage) -> DynamicImage {
    match image.color().has_alpha() {
        true => DynamicImage::ImageRgba8(image.into_rgba8()),
        false => DynamicImage::ImageRgb8(image.into_rgb8()),
    }
}

fn explains_rgb(profile: &[u8]) -> bool {
    profile.len() <= PROFILE_MAX_BYTES && profile.get(PROFILE_COLOURS) == Some(RGB)
}

fn reason(error: ImageError) -> Reason {
    match error {
        ImageError::Limits(_) => Reason::TooManyPixels,
        _ => Reason::Unreadable,
    }
}
