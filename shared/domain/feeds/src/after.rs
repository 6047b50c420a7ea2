//! Cursors of feeds. A cursor is a post ID, or the encrypted list of a ranking's remaining posts.

use base::{PostId, UserId};
use platform::{App, Error, Result, id::NotAnId, sealed};
use serde::Deserialize;
use ulid::Ulid;

const LABEL: &str = "ranked-feed";

/// The value of the query parameter `after` of a feed.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub enum FeedAfter {
    /// The last post of the previous page.
    Post(PostId),
    /// The remaining posts of a ranking, encrypted for its viewer.
    Ranked(String),
}

impl From<String> for FeedAfter {
    fn from(text: String) -> Self {
        text.parse().map_or(Self::Ranked(text), Self::Post)
    }
}

impl FeedAfter {
    /// Returns the post of a cursor for a chronological feed. Fails with [`Error::Invalid`] if the cursor is not a post
    /// ID.
    pub(crate) fn post(self) -> Result<PostId> {
        match self {
            Self::Post(post) => Ok(post),
            Self::Ranked(_) => Err(invalid()),
        }
    }
}

/// Decrypts a cursor and returns the posts that remain in its ranking. Fails with [`Error::Invalid`] if the cursor was
/// not issued to the viewer.
pub(super) async fn open(app: &App, viewer: UserId, text: &str) -> Result<Vec<PostId>> {
    let text = text.replace('-', "+").replace('_', "/");
    let opened = sealed::open(app, LABEL, &viewer.to_string(), &text).await?.ok_or_else(invalid)?;
    let (ids, _) = opened.plain.as_chunks();
    Ok(ids.iter().map(|bytes| Ulid::from_bytes(*bytes).into()).collect())
}

/// Returns the encrypted cursor of `rest`, or `None` if `rest` is empty. The cursor needs no escaping in a query
/// string.
pub(super) async fn seal(app: &App, viewer: UserId, rest: &[PostId]) -> Result<Option<String>> {
    if rest.is_empty() {
        return Ok(None);
    }
    let posts: Vec<_> = rest.iter().flat_map(|id| Ulid::from(*id).to_bytes()).collect();
    let text = sealed::seal(app, LABEL, &viewer.to_string(), &posts).await?;
    Ok(Some(text.replace('+', "-").replace('/', "_")))
}

fn invalid() -> Error {
    Error::invalid("after", &NotAnId.to_string())
}
