//! The name and the type of a file.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const FILENAME_MAX_CHARS: usize = 255;
const MIB: u64 = 1024 * 1024;
const IMAGE_MAX_BYTES: u64 = 10 * MIB;
const VIDEO_MAX_BYTES: u64 = 200 * MIB;
/// The types that may be uploaded, each with the file extension of its keys.
const TYPES: [(&str, &str); 9] = [
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/avif", "avif"),
    ("image/heic", "heic"),
    ("video/mp4", "mp4"),
    ("video/quicktime", "mov"),
    ("video/webm", "webm"),
];

/// A file's name on the uploader's device. It is not part of the key.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 255, example = "cat.jpg")]
pub struct Filename(String);

impl TryFrom<String> for Filename {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits =
            (1..=FILENAME_MAX_CHARS).contains(&text.chars().count()) && !text.contains(char::is_control);
        fits.then_some(Self(text)).ok_or("must have 1 to 255 characters")
    }
}

/// The type of a file that may be uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "image/jpeg")]
pub struct ContentType(usize);

impl TryFrom<String> for ContentType {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let known = TYPES.iter().position(|(it, _)| text.eq_ignore_ascii_case(it));
        known
            .map(Self)
            .ok_or("must be a JPEG, PNG, GIF, WebP, AVIF or HEIC image or an MP4, QuickTime or WebM video")
    }
}

impl From<ContentType> for String {
    fn from(it: ContentType) -> Self {
        it.name().to_owned()
    }
}

impl ContentType {
    pub(super) fn name(self) -> &'static str {
        TYPES.get(self.0).map_or("", |(name, _)| name)
    }

    pub(super) fn extension(self) -> &'static str {
        TYPES.get(self.0).map_or("", |(_, extension)| extension)
    }

    pub(super) fn max_bytes(self) -> u64 {
        if self.name().starts_with("video/") { VIDEO_MAX_BYTES } else { IMAGE_MAX_BYTES }
    }
}
