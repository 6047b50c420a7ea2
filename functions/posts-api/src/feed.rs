//! Lists of posts: the news feeds, and the caller's saved posts.

use axum::extract::State;
use domain::{
    feeds::{self, FeedAfter, FeedSort, FeedType, Viewer},
    ids::Position,
    posts::{PostView, saved},
};
use platform::{
    App,
    page::{Cursor, Take},
};
use runtime::{
    caller::Caller,
    http::{List, ListEnvelope, Query, RespondList},
};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedQuery {
    /// `FOR_YOU` (the default) has the newest public posts of anyone, `FOLLOWING` those of followed users.
    #[serde(default, rename = "type")]
    #[param(inline, value_type = Option<FeedType>)]
    feed: FeedType,
    /// The order of `FOR_YOU`: `latest` (the default), or `ranked`.
    #[serde(default)]
    #[param(inline, value_type = Option<FeedSort>)]
    sort: FeedSort,
    /// The number of rows: by default 20, at most 100.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    take: Take,
    /// The `after` of the previous page.
    #[param(value_type = Option<String>)]
    after: Option<FeedAfter>,
}

/// Read the news feed
///
/// Newest first. `FOR_YOU` has public posts of type POST; `FOLLOWING`, which needs a token, has
/// posts, quotes and reposts of the users whom the caller follows, public posts and quotes with the hashtags that the
/// caller follows, and the caller's own.
///
/// `FOR_YOU` with `sort=ranked` has public posts of type POST that those whom the caller follows wrote or like, the heaviest
/// first: each of them who wrote or likes it counts 1, and the sum is divided by `(hours + 2)^1.8`. The first page fixes the
/// order, at most 100 posts: no post comes twice behind its cursors. Without a token, and for a caller who follows nobody who
/// wrote or likes anything, it is as `latest`. `FOLLOWING` is always newest first.
#[utoipa::path(get, path = "/posts/news-feed", tag = "posts", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(FeedQuery),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn get_news_feed(
    State(app): State<App>,
    caller: Option<Caller>,
    Query(FeedQuery { feed, sort, take, after }): Query<FeedQuery>,
) -> RespondList<PostView> {
    let viewer = caller.map(|it| Viewer { user: it.id, wrote_at: it.wrote_at });
    let cursor = Cursor { take, after };
    Ok(List(feeds::page(&app, viewer, (feed, sort), cursor).await?))
}

/// List the caller's saved posts
///
/// Last saved first; deleted posts are left out.
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
