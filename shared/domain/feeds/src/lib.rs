//! The news feeds, the list of an author's posts, and the list of posts with a hashtag.
//!
//! FOR_YOU shows the newest public posts of all users. FOLLOWING shows posts of the users and hashtags that the viewer
//! follows. This crate may use posts and people.

mod after;
pub mod by_author;
pub mod by_topic;
mod candidates;
mod following;
mod for_you;
mod newest_likes;
mod newest_page;
mod ranked;
pub mod timelines;

use base::UserId;
use platform::{App, Cursor, Error, Page, Result, Time};
use posts::PostView;
use serde::Deserialize;
use utoipa::ToSchema;

pub use after::FeedAfter;

/// After a write request, the user's reads bypass the caches for this time, because a cached page may lack the user's
/// new post.
const WRITING_SECONDS: i64 = 3;
const SIGN_IN: Error = Error::Unauthenticated("sign in first");

/// The viewer of a feed.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    /// The user who signed in.
    pub user: UserId,
    /// The time of the last write request in the viewer's session.
    pub wrote_at: Option<Time>,
}

impl Viewer {
    fn has_just_written(&self, app: &App) -> bool {
        self.wrote_at.is_some_and(|at| app.now() < at.plus_seconds(WRITING_SECONDS))
    }
}

/// The two news feeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FeedType {
    /// The newest public posts of all users.
    #[default]
    ForYou,
    /// Posts, quotes and reposts of followed users and of the viewer, and public posts and quotes with followed
    /// hashtags.
    Following,
}

/// The order of the FOR_YOU feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FeedSort {
    /// Newest first.
    #[default]
    Latest,
    /// Posts that followed users wrote or like, highest score first. More likes by followed users raise the score, and
    /// age lowers it.
    Ranked,
}

/// Returns a page of a feed.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if FOLLOWING is requested without a viewer. Fails with [`Error::Invalid`] if
/// the cursor is from a different list.
pub async fn page(
    app: &App,
    viewer: Option<Viewer>,
    (feed, sort): (FeedType, FeedSort),
    cursor: Cursor<FeedAfter>,
) -> Result<Page<PostView>> {
    if let (FeedType::ForYou, FeedSort::Ranked, Some(viewer)) = (feed, sort, viewer) {
        return ranked::ranked(app, viewer, cursor).await;
    }
    let cursor = Cursor { take: cursor.take, after: cursor.after.map(FeedAfter::post).transpose()? };
    match feed {
        FeedType::ForYou => for_you::for_you(app, viewer, cursor).await,
        FeedType::Following => following::following(app, viewer.ok_or(SIGN_IN)?.user, cursor).await,
    }
}
