//! The preview of a post, and the cached metadata of pages. Because of the cache, a popular link is fetched only once.

use base::UploadId;
use platform::{HOUR_SECONDS, Key, Row, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const FOUND_SECONDS: i64 = 7 * 24 * HOUR_SECONDS;
const NOTHING_SECONDS: i64 = HOUR_SECONDS;

/// The stored preview of a post's first link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// The link as written in the post.
    pub url: String,
    /// The page's title.
    pub title: String,
    /// The page's description.
    pub description: Option<String>,
    /// The URL of the copy of the page's image, or `None` until the copy exists.
    pub image: Option<String>,
    /// The upload that is the copy of the page's image, or `None` if the page has no image.
    pub copy: Option<UploadId>,
}

/// The preview of a post's first link.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LinkPreview)]
pub struct PreviewView {
    /// The link as written in the post.
    #[schema(format = "uri", max_length = 2048, example = "https://example.com/news/42")]
    pub url: String,
    /// The page's title.
    #[schema(max_length = 300, example = "A bridge opens after ten years")]
    pub title: String,
    /// The page's description.
    #[schema(max_length = 500, example = "The first people crossed it this morning.")]
    pub description: Option<String>,
    /// The URL of a copy of the page's image, with at most as many pixels as a square of 960 pixels. Null if the page has
    /// no image. Also null for some seconds until the image is copied.
    #[schema(
        format = "uri",
        max_length = 2048,
        example = "https://files.example.com/uploads/pages/01M/medium"
    )]
    pub image: Option<String>,
}

/// The metadata of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageSummary {
    pub(super) title: String,
    pub(super) description: Option<String>,
    /// The URL of the page's image on its server.
    #[serde(skip)]
    pub(super) image: Option<String>,
    /// The upload that is the copy of the image.
    pub(super) copy: Option<UploadId>,
}

impl PageSummary {
    /// Returns the preview for a post that contains `link`. It has no image yet.
    pub(super) fn preview(self, link: &str) -> Preview {
        let Self { title, description, copy, .. } = self;
        Preview { url: link.to_owned(), title, description, image: None, copy }
    }
}

impl From<Preview> for PreviewView {
    fn from(stored: Preview) -> Self {
        let Preview { url, title, description, image, .. } = stored;
        Self { url, title, description, image }
    }
}

/// The cached metadata of a page. The row contains neither user IDs nor the link.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CachedPage {
    hash: String,
    /// The metadata, or `None` if the page has none or the fetch failed.
    pub(super) summary: Option<PageSummary>,
    pub(super) failures: u32,
    pub(super) expires: Time,
}

impl CachedPage {
    /// Returns a row that expires in a week, or in an hour if there is no metadata.
    pub(super) fn new(hash: String, summary: Option<PageSummary>, failures: u32, now: Time) -> Self {
        let seconds = if summary.is_some() { FOUND_SECONDS } else { NOTHING_SECONDS };
        Self { hash, summary, failures, expires: now.plus_seconds(seconds) }
    }
}

pub(super) fn key(hash: &str) -> Key {
    Key::new(format!("PREVIEW#{hash}"), "PAGE")
}

/// `PREVIEW#sha256 / PAGE`, expires after a week, or after an hour without metadata
impl Row for CachedPage {
    fn key(&self) -> Key {
        key(&self.hash)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
