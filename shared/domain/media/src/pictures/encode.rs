//! Writing images: JPEG, and WebP without loss where something shows through.

use bytes::Bytes;
use image::{
    DynamicImage, ImageEncoder, ImageResult,
    codecs::{jpeg::JpegEncoder, webp::WebPEncoder},
};

use uploads::Reason;

const JPEG_QUALITY: u8 = 82;

/// What images are written as.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Jpeg,
    /// Without loss. JPEG knows no transparency.
    WebP,
}

impl Format {
    /// Returns the format that shows all of an image.
    pub(super) fn of(image: &DynamicImage) -> Self {
        let opaque = |it: &image::RgbaImage| it.pixels().all(|pixel| pixel.0[3] == u8::MAX);
        if image.as_rgba8().is_none_or(opaque) { Self::Jpeg } else { Self::WebP }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    /// Writes an image with its colour profile.
    ///
    /// # Errors
    /// The reason why the file is refused: its picture cannot be written.
    pub(super) fn encode(self, image: &DynamicImage, profile: Option<&[u8]>) -> Result<Bytes, Reason> {
        let mut bytes = Vec::new();
        let written = match self {
            Self::Jpeg => {
                let image = DynamicImage::ImageRgb8(image.to_rgb8());
                write(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY), &image, profile)
            }
            Self::WebP => write(WebPEncoder::new_lossless(&mut bytes), image, profile),
        };
        written.map_err(|_| Reason::Unreadable)?;
        Ok(bytes.into())
    }
}

fn write(mut encoder: impl ImageEncoder, image: &DynamicImage, profile: Option<&[u8]>) -> ImageResult<()> {
    if let Some(profile) = profile {
        // An encoder that takes none leaves it out.
        drop(encoder.set_icc_profile(profile.to_vec()));
    }
    image.write_with_encoder(encoder)
}
