//! The format of an image, decided by its content.

use image::ImageFormat;
use uploads::Reason;

/// Brands of HEIC and AVIF files.
const HEIF_BRANDS: [&[u8; 4]; 10] =
    [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"];
const JPEG_END: u8 = 0xd9;

/// Returns the format of an image. Fails if the file is not a JPEG, PNG, GIF or WebP image. Fails with
/// [`Reason::Unreadable`] if a JPEG is truncated.
pub(super) fn of(file: &[u8]) -> Result<ImageFormat, Reason> {
    match image::guess_format(file) {
        Ok(ImageFormat::Jpeg) if !is_complete_jpeg(file) => Err(Reason::Unreadable),
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::Gif | ImageFormat::WebP)) => {
            Ok(format)
        }
        _ if is_heif(file) => Err(Reason::HeicOrAvif),
        _ => Err(Reason::OtherType),
    }
}

fn is_heif(file: &[u8]) -> bool {
    let brand = file.get(4..).and_then(|rest| rest.strip_prefix(b"ftyp"));
    brand.is_some_and(|brand| HEIF_BRANDS.iter().any(|heif| brand.starts_with(*heif)))
}

/// Returns whether a JPEG has an end marker. The decoder fills the missing part of a truncated image with gray.
fn is_complete_jpeg(file: &[u8]) -> bool {
    let mut rest = file.get(2..).unwrap_or_default();
    // Finds the next marker after a segment or after compressed data. Compressed data contains no other markers.
    while let Some(at) = rest.windows(2).position(is_marker) {
        if rest[at + 1] == JPEG_END {
            return true;
        }
        let segment = &rest[at + 2..];
        let Some(length) = segment.first_chunk().map(|length| u16::from_be_bytes(*length)) else {
            return false;
        };
        rest = segment.get(usize::from(length)..).unwrap_or_default();
    }
    false
}

/// Returns whether two bytes are the end marker or the marker of a segment.
fn is_marker(bytes: &[u8]) -> bool {
    bytes[0] == 0xff && !matches!(bytes[1], 0 | 1 | 0xd0..=0xd8 | 0xff)
}
