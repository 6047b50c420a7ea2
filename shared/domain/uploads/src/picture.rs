//! A processed image: its properties, and the sizes of its files.

use serde::{Deserialize, Serialize};

/// Sizes of an image, largest first, each with the maximum length of the longer side in pixels. Smaller images are not
/// enlarged. The key of a size ends with its name.
pub const SIZES: [(&str, u32); 3] = [(LARGE, 2048), ("medium", 960), ("small", 320)];
/// The size in the key and the URL of an upload.
pub(super) const LARGE: &str = "large";

/// Properties of a processed image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Type of its files: `image/jpeg` or `image/webp`.
    pub content_type: String,
    /// Width of the largest size in pixels.
    pub width: u32,
    /// Height of the largest size in pixels.
    pub height: u32,
    /// Blurhash of 28 characters. Clients draw it until the file is loaded.
    pub blurhash: String,
}
