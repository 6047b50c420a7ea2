//! Lists of posts: the news feeds, and the caller's saved posts.

use axum::extract::State;
use domain::{
    Position,
    feeds::{self, FeedAfter, FeedSort, FeedType, Viewer},
    posts::{PostView, saved},
};
use platform::{App, Cursor, Take};
use runtime::{Caller, List, ListEnvelope, Query, RespondList, Visitor};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedQuery {
    /// `FOR_YOU` (default) returns public posts of all users. `FOLLOWING` returns posts of followed users.
    #[serde(default, rename = "type")]
    #[param(inline, value_type = Option<FeedType>)]
    feed: FeedType,
    /// Order of `FOR_YOU`: `latest` (default) or `ranked`.
    #[serde(default)]
    #[param(inline, value_type = Option<FeedSort>)]
    sort: FeedSort,
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    take: Take,
    #[param(value_type = Option<String>)]
    after: Option<FeedAfter>,
}

/// Read the news feed
///
/// Returns posts, newest first. `FOR_YOU` has public posts of type POST. `FOLLOWING` requires a token. It has the
/// caller's own posts, and the posts, quotes and reposts of followed users. `FOLLOWING` also has public posts and
/// quotes with followed hashtags. After a follow, the followed user's newest 20 posts from before the follow appear
/// too.
///
/// `FOR_YOU` with `sort=ranked` has public posts of type POST that followed users wrote or like. Each followed user who
/// wrote or likes a post adds 1 to the post's weight. A post's score is its weight divided by `(hours + 2)^1.8`, where
/// `hours` is its age. Posts with the highest score come first. The first page fixes the order of at most 100 posts, so
/// later pages do not repeat posts. Without a token, or if no such post exists, the order is `latest`. `FOLLOWING`
/// ignores `sort`.
#[utoipa::path(get, path = "/posts/news-feed", tag = "posts", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(FeedQuery),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn get_news_feed(
    State(app): State<App>,
    Visitor(caller): Visitor,
    Query(FeedQuery { feed, sort, take, after }): Query<FeedQuery>,
) -> RespondList<PostView> {
    let caller = match feed {
        FeedType::ForYou => caller.ok(),
        FeedType::Following => Some(caller?),
    };
    let viewer = caller.map(|caller| Viewer { user: caller.id, wrote_at: caller.wrote_at });
    let cursor = Cursor { take, after };
    Ok(List(feeds::page(&app, viewer, (feed, sort), cursor).await?))
}

/// List the caller's saved posts
///
/// Returns the most recently saved post first. Deleted posts are omitted.
#[utoipa::path(get, path = "/posts/me/saved", tag = "posts", extensions(("x-status" = json!("proposed"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<Position>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_saved_posts(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<PostView> {
    Ok(List(saved::list(&app, caller.id, cursor).await?))
}
