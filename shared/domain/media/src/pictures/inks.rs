//! JPEG images in CMYK, which store amounts of ink. Files with Adobe's marker store inverted amounts, as the decoder of
//! the crate `image` expects. Files without the marker store plain amounts, which that decoder would turn into black.

use image::{DynamicImage, RgbImage};
use uploads::Reason;
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

const INKS: u8 = 4;
const ADOBE: &[u8] = b"Adobe";
/// Marker of the segment that can contain Adobe's marker.
const APP14: u8 = 0xee;
const START_OF_SCAN: u8 = 0xda;
/// Position of the number of color components in a frame header.
const COMPONENTS_AT: usize = 5;

/// Returns whether a JPEG stores amounts of ink that are not inverted.
pub(super) fn has_plain_inks(file: &[u8]) -> bool {
    let mut has_inks = false;
    let mut rest = file.get(2..).unwrap_or_default();
    while let Some((&[0xff, marker], after)) = rest.split_first_chunk::<2>()
        && marker != START_OF_SCAN
    {
        if marker == 0xff {
            // Any number of fill bytes may precede a marker.
            rest = &rest[1..];
            continue;
        }
        let length = after.first_chunk().map_or(0, |length| usize::from(u16::from_be_bytes(*length)));
        let Some(content) = after.get(2..length) else { return false };
        match marker {
            APP14 if content.starts_with(ADOBE) => return false,
            // All frame headers. The other three markers in this range have other meanings.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                has_inks = content.get(COMPONENTS_AT) == Some(&INKS);
            }
            _ => (),
        }
        rest = &after[length..];
    }
    has_inks
}

/// Decodes a JPEG for which [`has_plain_inks`] is true. Fails if the file is damaged.
pub(super) fn decode(file: &[u8]) -> Result<DynamicImage, Reason> {
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::CMYK)
        .set_strict_mode(false)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    let inks = decoder.decode().map_err(|_| Reason::Unreadable)?;
    let (width, height) = decoder.dimensions().ok_or(Reason::Unreadable)?;
    let (pixels, _) = inks.as_chunks::<4>();
    let colors: Vec<u8> = pixels.iter().flat_map(color).collect();
    let size = u32::try_from(width).ok().zip(u32::try_from(height).ok());
    let image = size.and_then(|(width, height)| RgbImage::from_raw(width, height, colors));
    image.map(DynamicImage::ImageRgb8).ok_or(Reason::Unreadable)
}

/// Returns red, green and blue of a pixel with cyan, magenta, yellow and black.
fn color([cyan, magenta, yellow, black]: &[u8; 4]) -> [u8; 3] {
    let light = |ink: u8| u16::from(255 - ink);
    [cyan, magenta, yellow].map(|ink| (light(*ink) * light(*black) / 255) as u8)
}
