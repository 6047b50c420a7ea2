//! A processed image: its properties, and the sizes of its files.

use serde::{Deserialize, Serialize};

/// The image sizes, largest first: each with its name, and the side of a square in pixels. An image of this size has at
/// most as many pixels as the square. Smaller images are not enlarged. A file's key ends with the name of its size.
pub const SIZES: [(&str, u32); 3] = [(LARGE, 2048), ("medium", 960), ("small", 320)];
/// The name of the size that an upload's `key` and URL refer to.
pub(super) const LARGE: &str = "large";
/// Maximum length of a side in pixels. Lossless WebP does not support longer sides.
pub const SIDE_MAX_PIXELS: u32 = 16_383;
const ANIMATION: &str = "animation";

/// Properties of a processed image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Type of the files in [`SIZES`]: `image/jpeg` or `image/webp`.
    pub content_type: String,
    /// Type of the animation, or `None` if the image has no animation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// Width of the largest size in pixels.
    pub width: u32,
    /// Height of the largest size in pixels.
    pub height: u32,
    /// Blurhash of 28 characters. Clients show the blurhash until the file is loaded.
    pub blurhash: String,
}

/// Returns the key or URL of an image's animation. `still` is the key or URL of the size `large`.
pub fn animation_of(still: &str) -> String {
    format!("{}{ANIMATION}", still.strip_suffix(LARGE).unwrap_or(still))
}
