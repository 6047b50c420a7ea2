//! Encodes images as JPEG, and as lossless WebP if they have transparent pixels.

use bytes::Bytes;
use image::{
    DynamicImage, ImageEncoder, ImageResult,
    codecs::{jpeg::JpegEncoder, webp::WebPEncoder},
};

use uploads::Reason;

const JPEG_QUALITY: u8 = 82;

#[derive(Clone, Copy)]
pub(super) enum Format {
    Jpeg,
    /// Lossless WebP, for images with transparency.
    WebP,
}

impl Format {
    /// Returns the format that can represent all pixels of an image.
    pub(super) fn of(image: &DynamicImage) -> Self {
        let is_opaque = |image: &image::RgbaImage| image.pixels().all(|pixel| pixel.0[3] == u8::MAX);
        if image.as_rgba8().is_none_or(is_opaque) { Self::Jpeg } else { Self::WebP }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    /// Returns the encoded image with its color profile. Fails with [`Reason::Unreadable`] if the image cannot be
    /// encoded.
    pub(super) fn encode(self, image: &DynamicImage, profile: Option<&[u8]>) -> Result<Bytes, Reason> {
        let mut bytes = Vec::new();
        let written = match self {
            Self::Jpeg => {
                let encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
                match image {
                    DynamicImage::ImageLuma8(_) => write(encoder, image, profile),
                    _ => write(encoder, &DynamicImage::ImageRgb8(image.to_rgb8()), profile),
                }
            }
            Self::WebP => write(WebPEncoder::new_lossless(&mut bytes), image, profile),
        };
        written.map_err(|_| Reason::Unreadable)?;
        Ok(bytes.into())
    }
}

fn write(mut encoder: impl ImageEncoder, image: &DynamicImage, profile: Option<&[u8]>) -> ImageResult<()> {
    if let Some(profile) = profile {
        // Encoders that do not support color profiles ignore the profile.
        drop(encoder.set_icc_profile(profile.to_vec()));
    }
    image.write_with_encoder(encoder)
}
