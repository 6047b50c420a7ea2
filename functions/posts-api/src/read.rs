//! Reading a post, its thread and its history.

use axum::extract::State;
use domain::{
    circles::posts::{
        self as circle_posts, JudgeStanding,
        by_id::{self, AnyPostView},
    },
    ids::{PostId, VersionId},
    posts::{self, PostView, Thread, Version},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Read a post
///
/// Hidden posts stay readable here. With a token, `isLiked` and `isQuoted` are the caller's. What is written in a circle
/// answers in the form of the circle's list, with `circleId`, while the circle lives.
#[utoipa::path(get, path = "/posts/{publicId}", tag = "posts", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,)),
    responses((status = 200, body = Envelope<AnyPostView>)))]
pub(crate) async fn get_post(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
) -> Respond<AnyPostView> {
    Ok(Reply::ok(by_id::detail(&app, caller.map(|it| it.id), id).await?))
}

/// List a post's replies
///
/// Newest first; deleted and hidden ones are left out.
#[utoipa::path(get, path = "/posts/{publicId}/replies", tag = "posts", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_replies(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    Ok(List(posts::replies(&app, caller.map(|it| it.id), id, cursor).await?))
}

/// List a post's earlier versions
///
/// The versions that edits replaced, newest first; empty for a post that was never edited. Of a time when the post was for
/// fewer people, only these see versions. 404 for whom the post is not meant.
#[utoipa::path(get, path = "/posts/{publicId}/history", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<VersionId>),
    responses((status = 200, body = ListEnvelope<Version>)))]
pub(crate) async fn list_post_versions(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
    Query(cursor): Query<Cursor<VersionId>>,
) -> RespondList<Version> {
    Ok(List(posts::history(&app, caller.map(|it| it.id), id, cursor).await?))
}

/// Read a post in its thread
///
/// Returns the posts above it too, the topmost first, at most 20; those are left out that were deleted, that are not meant
/// for the caller, and whose author a block separates from the caller. 404 for whom the post is not meant.
#[utoipa::path(get, path = "/posts/{publicId}/context", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,)),
    responses((status = 200, body = Envelope<Thread>)))]
pub(crate) async fn get_post_context(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
) -> Respond<Thread> {
    Ok(Reply::ok(posts::context(&app, caller.map(|it| it.id), id).await?))
}

/// Read the judge's status of a circle's post
///
/// The other fields are present once `status` is `done`. A call for CPR is never judged: it is done without
/// them.
#[utoipa::path(get, path = "/posts/{publicId}/judge-status", tag = "circles",
    extensions(("x-status" = json!("proposed"))), params(("publicId" = PostId, Path,)),
    responses((status = 200, body = Envelope<JudgeStanding>)))]
pub(crate) async fn get_judge_status(
    State(app): State<App>,
    Path(id): Path<PostId>,
) -> Respond<JudgeStanding> {
    Ok(Reply::ok(circle_posts::judge_standing(&app, id).await?))
}
