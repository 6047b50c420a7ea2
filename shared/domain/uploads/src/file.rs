//! Names and types of uploaded files.

use platform::{Error, Result, text::is_text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const FILENAME_MAX_CHARS: usize = 255;
const MIB: u64 = 1024 * 1024;
const IMAGE_MAX_BYTES: u64 = 10 * MIB;
const VIDEO_MAX_BYTES: u64 = 200 * MIB;
/// The accepted content types, each with the file extension for its object keys.
static TYPES: [FileType; 9] = [
    ("image/jpeg", "jpg", Kind::Image),
    ("image/jpg", "jpg", Kind::Image),
    ("image/png", "png", Kind::Image),
    ("image/apng", "png", Kind::Image),
    ("image/gif", "gif", Kind::Image),
    ("image/webp", "webp", Kind::Image),
    ("video/mp4", "mp4", Kind::Video(Container::IsoMedia)),
    ("video/quicktime", "mov", Kind::Video(Container::IsoMedia)),
    ("video/webm", "webm", Kind::Video(Container::WebM)),
];
const UNSUPPORTED_TYPE: &str = "must be a JPEG, PNG, GIF or WebP image or an MP4, QuickTime or WebM video. Save HEIC and \
                         AVIF images as JPEG.";

/// The kind of a file type. The kind determines how files are processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An image, which is decoded. The content of the file determines its format.
    Image,
    /// A video, which is parsed without decoding and passed to the video provider.
    Video(Container),
}

/// Container format of a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// ISO base media: MP4 and QuickTime.
    IsoMedia,
    /// WebM, a subset of Matroska.
    WebM,
}

platform::text_types! {
    /// A file name on the uploader's device. The file name is not part of the key.
    #[schema(value_type = String, min_length = 1, max_length = 255, example = "cat.jpg")]
    Filename: filename;
}

impl Filename {
    /// Returns the file name of a copy.
    pub(super) fn of_copy() -> Self {
        Self("copy.jpg".to_owned())
    }
}

fn filename(text: String) -> Result<String, &'static str> {
    let fits = is_text(&text, FILENAME_MAX_CHARS) && !text.contains(char::is_control);
    fits.then_some(text).ok_or("must have 1 to 255 characters")
}

/// Content type of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "image/jpeg")]
pub struct ContentType(&'static FileType);

/// The MIME type, the file extension in object keys, and the kind of a file type.
type FileType = (&'static str, &'static str, Kind);

impl TryFrom<String> for ContentType {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        TYPES.iter().find(|(name, ..)| text.eq_ignore_ascii_case(name)).map(Self).ok_or(UNSUPPORTED_TYPE)
    }
}

impl From<ContentType> for String {
    fn from(content_type: ContentType) -> Self {
        content_type.name().to_owned()
    }
}

impl ContentType {
    /// The type of JPEG images. A file with this type can have any image format.
    pub(super) const JPEG: Self = Self(&TYPES[0]);

    /// Checks that a file of this type can have this size in bytes.
    pub(super) fn check(self, size: u64) -> Result<()> {
        let max = self.max_bytes();
        let error = || Error::invalid("size", &format!("must be 1 to {max} bytes for this content type"));
        (1..=max).contains(&size).then_some(()).ok_or_else(error)
    }

    /// Returns the MIME type.
    pub fn name(self) -> &'static str {
        self.0.0
    }

    /// Returns whether files of this type are images or videos.
    pub fn kind(self) -> Kind {
        self.0.2
    }

    /// Returns the extension of the file's name, without the dot.
    pub fn extension(self) -> &'static str {
        self.0.1
    }

    /// Returns the maximum size in bytes.
    pub fn max_bytes(self) -> u64 {
        if matches!(self.kind(), Kind::Video(_)) { VIDEO_MAX_BYTES } else { IMAGE_MAX_BYTES }
    }
}
