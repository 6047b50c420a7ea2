//! The news feeds, and the posts of one author.
//!
//! FOR_YOU has the newest public posts of anyone, FOLLOWING the posts of the authors whom the viewer
//! follows. May use posts and people.

pub mod by_author;
mod following;
mod for_you;
mod newest_page;
pub mod timelines;

use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Page},
    time::Time,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    ids::{PostId, UserId},
    posts::PostView,
};

const SIGN_IN: Error = Error::Unauthenticated("sign in first");

/// Who reads a feed.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    /// The user.
    pub user: UserId,
    /// The time of the last request of their session that may have changed something.
    pub wrote_at: Option<Time>,
}

/// The two news feeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FeedType {
    /// The newest public posts of anyone.
    #[default]
    ForYou,
    /// Posts, quotes and reposts of the users whom the viewer follows, and the viewer's own.
    Following,
}

/// Returns a page of one of the feeds, at 20 posts of 1 KB, signed in. FOR_YOU costs 3 calls and 2 RRU while this
/// instance remembers the page, else 8 calls and 12.5 RRU; FOLLOWING 6 calls and 14 RRU.
///
/// # Errors
/// [`Error::Unauthenticated`] for FOLLOWING without a viewer.
pub async fn page(
    app: &App,
    viewer: Option<Viewer>,
    feed: FeedType,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    match feed {
        FeedType::ForYou => for_you::for_you(app, viewer, cursor).await,
        FeedType::Following => following::following(app, viewer.ok_or(SIGN_IN)?.user, cursor).await,
    }
}
