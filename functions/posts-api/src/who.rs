//! Likers, reposters and quotes of a post.

use axum::extract::State;
use domain::{
    Position, PostId,
    people::FollowRow,
    posts::{self, PostView, likes},
};
use platform::{App, Cursor};
use runtime::{Caller, List, ListEnvelope, Path, Query, RespondList};

/// List the users who like a post
///
/// Returns users, newest like first. The caller's like is listed immediately. Another user's like is listed once the
/// post's count includes the like. Omits a user if the user is banned, or if a block exists between the user and the
/// caller. `after` is the cursor from the previous page, or the `publicId` of a listed user. Returns 404 if the caller
/// may not read the post.
#[utoipa::path(get, path = "/posts/{publicId}/likes", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<Position>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_likers(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(post): Path<PostId>,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<FollowRow> {
    Ok(List(likes::likers(&app, caller.map(|caller| caller.id), post, cursor).await?))
}

/// List the users who reposted a post
///
/// Returns users, newest repost first. Omits a user if the user is banned, or if a block exists between the user and
/// the caller. `after` is the cursor from the previous page, or the `publicId` of a listed user. For a repost, the list
/// is empty. Use the ID of the original instead. Returns 404 if the caller may not read the post.
#[utoipa::path(get, path = "/posts/{publicId}/reposts", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<Position>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_reposters(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(post): Path<PostId>,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<FollowRow> {
    Ok(List(posts::reposters(&app, caller.map(|caller| caller.id), post, cursor).await?))
}

/// List the quotes of a post
///
/// Returns the quotes that the caller may read, newest first. Omits a quote if its author is banned, or if a block
/// exists between its author and the caller. Also omits quotes with a word that the caller mutes. Returns 404 if the
/// caller may not read the post.
#[utoipa::path(get, path = "/posts/{publicId}/quotes", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_quotes(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(post): Path<PostId>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    Ok(List(posts::quotes(&app, caller.map(|caller| caller.id), post, cursor).await?))
}
