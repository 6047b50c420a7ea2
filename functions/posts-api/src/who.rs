//! Who liked or reposted a post, and its quotes.

use axum::extract::State;
use domain::{
    ids::{Position, PostId},
    people::follows::FollowRow,
    posts::{self, PostView, likes},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{List, ListEnvelope, Path, Query, RespondList},
};

/// List who likes a post
///
/// The newest like first. The caller's own is there at once, those of others when they are counted. Who is banned, or
/// separated from the caller by a block, is left out. `after` is that of the page before, or the `publicId` of a row. 404
/// for whom the post is not meant.
#[utoipa::path(get, path = "/posts/{publicId}/likes", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<Position>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_likers(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(post): Path<PostId>,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<FollowRow> {
    Ok(List(likes::likers(&app, caller.map(|it| it.id), post, cursor).await?))
}

/// List who reposted a post
///
/// The newest repost first. Who is banned, or separated from the caller by a block, is left out. `after` is that of the
/// page before, or the `publicId` of a row. 404 for whom the post is not meant. A repost has no reposts: they are its
/// original's.
#[utoipa::path(get, path = "/posts/{publicId}/reposts", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<Position>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_reposters(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(post): Path<PostId>,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<FollowRow> {
    Ok(List(posts::reposters(&app, caller.map(|it| it.id), post, cursor).await?))
}

/// List the quotes of a post
///
/// The newest first, those that are meant for the caller. Those of people who are banned, or separated from the caller by a
/// block, and those with a word that the caller mutes are left out. 404 for whom the post is not meant.
#[utoipa::path(get, path = "/posts/{publicId}/quotes", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_quotes(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(post): Path<PostId>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    Ok(List(posts::quotes(&app, caller.map(|it| it.id), post, cursor).await?))
}
