//! A processed image: its properties, and the sizes of its files.

use serde::{Deserialize, Serialize};

/// The name of each image size, and the maximum length of the longer side in pixels, largest first. Smaller images are
/// not enlarged. A file's key ends with the name of its size.
pub const SIZES: [(&str, u32); 3] = [(LARGE, 2048), ("medium", 960), ("small", 320)];
/// The name of the size that an upload's own key and URL refer to.
pub(super) const LARGE: &str = "large";

/// Properties of a processed image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Type of the image's files: `image/jpeg` or `image/webp`.
    pub content_type: String,
    /// Width of the largest size in pixels.
    pub width: u32,
    /// Height of the largest size in pixels.
    pub height: u32,
    /// Blurhash of 28 characters. Clients show it until the file is loaded.
    pub blurhash: String,
}
