//! A preview as a post shows it, and what is kept of a page, so that a link that many share is asked for once.

use platform::{
    table::{Key, Row},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const FOUND_SECONDS: i64 = 7 * 24 * HOUR_SECONDS;
const NOTHING_SECONDS: i64 = HOUR_SECONDS;

/// What the page of a post's first link says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = LinkPreview)]
pub struct Preview {
    /// The link, as the post has it.
    #[schema(format = "uri", max_length = 2048, example = "https://example.com/news/42")]
    pub url: String,
    /// The page's title.
    #[schema(max_length = 300, example = "A bridge opens after ten years")]
    pub title: String,
    /// What the page is about.
    #[schema(max_length = 500, example = "The first people crossed it this morning.")]
    pub description: Option<String>,
    /// The address of the page's picture, at its own server.
    #[schema(format = "uri", max_length = 2048, example = "https://example.com/news/42.jpg")]
    pub image: Option<String>,
}

/// What a page says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageSummary {
    pub(super) title: String,
    pub(super) description: Option<String>,
    pub(super) image: Option<String>,
}

impl PageSummary {
    /// Returns it as a post with this link shows it.
    pub(super) fn preview(self, link: &str) -> Preview {
        let Self { title, description, image } = self;
        Preview { url: link.to_owned(), title, description, image }
    }
}

/// What is kept of a page. Nobody is named in it, nor the link.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptPage {
    hash: String,
    /// What it says of itself; none when it says nothing, or never answered.
    pub(super) summary: Option<PageSummary>,
    /// How often it was asked for and did not answer.
    pub(super) failures: u32,
    pub(super) expires: Time,
}

impl KeptPage {
    /// Returns what is kept from now on: what was found for a week, that nothing was found for an hour.
    pub(super) fn new(hash: String, summary: Option<PageSummary>, failures: u32, now: Time) -> Self {
        let seconds = if summary.is_some() { FOUND_SECONDS } else { NOTHING_SECONDS };
        Self { hash, summary, failures, expires: now.plus_seconds(seconds) }
    }
}

pub(super) fn key(hash: &str) -> Key {
    Key::new(format!("PREVIEW#{hash}"), "PAGE")
}

/// `PREVIEW#sha256 / PAGE`, swept after a week, or an hour where nothing was found
impl Row for KeptPage {
    fn key(&self) -> Key {
        key(&self.hash)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
