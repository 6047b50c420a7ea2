//! A picture that can be shown: its facts, and the sizes in which it is there.

use serde::{Deserialize, Serialize};

/// The sizes of a picture, the largest first, each with the most pixels of its longer side. A smaller picture stays as
/// it is. The key of a size ends with its name.
pub const SIZES: [(&str, u32); 3] = [(LARGE, 2048), ("medium", 960), ("small", 320)];
/// The size that a picture's key and address name.
pub(super) const LARGE: &str = "large";

/// The facts of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// The type of its files: `image/jpeg` or `image/webp`.
    pub content_type: String,
    /// The width of the largest size in pixels.
    pub width: u32,
    /// The height of the largest size in pixels.
    pub height: u32,
    /// What it looks like from afar: 28 characters that a client draws until the file is there.
    pub blurhash: String,
}
