//! Reading a post, its thread and its history.

use axum::extract::State;
use domain::{
    PostId, VersionId,
    circles::posts::{
        self as circle_posts, JudgeStanding,
        by_id::{self, AnyPostView},
    },
    moderation::reported_post,
    posts::{self, PostView, Thread, Version},
};
use platform::{App, Cursor};
use runtime::{Caller, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// Read a post
///
/// Hidden posts are returned too. With a token, `isLiked` and `isQuoted` refer to the caller. A post or comment of a
/// circle has the same fields as in the circle's list, and also `circleId`. Such a post is readable while the circle is
/// alive.
///
/// With `ENFORCE_VISIBILITY=on`, moderators and administrators can also read a PRIVATE or FRIEND post that was reported.
/// An application token needs the scope `admin:reports` for this.
#[utoipa::path(get, path = "/posts/{publicId}", tag = "posts", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,)),
    responses((status = 200, body = Envelope<AnyPostView>)))]
pub(crate) async fn get_post(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
) -> Respond<AnyPostView> {
    let post = match caller {
        Some(caller) if caller.may_moderate(&app) => reported_post::detail(&app, caller.id, id).await,
        caller => by_id::detail(&app, caller.map(|caller| caller.id), id).await,
    };
    Ok(Reply::ok(post?))
}

/// List a post's replies
///
/// Returns replies, newest first. Deleted and hidden replies are omitted.
#[utoipa::path(get, path = "/posts/{publicId}/replies", tag = "posts", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_replies(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    Ok(List(posts::replies(&app, caller.map(|caller| caller.id), id, cursor).await?))
}

/// List a post's earlier versions
///
/// Returns the versions that edits replaced, newest first. The list is empty if the post was never edited. A version
/// with a narrower visibility is listed only if that visibility includes the caller. Returns 404 if the caller may not
/// read the post.
#[utoipa::path(get, path = "/posts/{publicId}/history", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,), Cursor<VersionId>),
    responses((status = 200, body = ListEnvelope<Version>)))]
pub(crate) async fn list_post_versions(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
    Query(cursor): Query<Cursor<VersionId>>,
) -> RespondList<Version> {
    Ok(List(posts::history(&app, caller.map(|caller| caller.id), id, cursor).await?))
}

/// Read a post in its thread
///
/// Returns the post and up to 20 of its ancestors, topmost first. Deleted ancestors, and ancestors that the caller may
/// not read, are omitted. Also omits an ancestor if a block exists between its author and the caller. Returns 404 if
/// the caller may not read the post.
#[utoipa::path(get, path = "/posts/{publicId}/context", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = PostId, Path,)),
    responses((status = 200, body = Envelope<Thread>)))]
pub(crate) async fn get_post_context(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<PostId>,
) -> Respond<Thread> {
    Ok(Reply::ok(posts::context(&app, caller.map(|caller| caller.id), id).await?))
}

/// Read the judging status of a post in a circle
///
/// Once the post is judged, `status` is `done` and the other fields are present. After an edit, `status` is `pending`
/// until the new text is judged, and the other fields describe the earlier verdict. The post of a CPR is never judged: its
/// `status` is `done`, and the other fields are missing.
#[utoipa::path(get, path = "/posts/{publicId}/judge-status", tag = "circles",
    extensions(("x-status" = json!("proposed"))), params(("publicId" = PostId, Path,)),
    responses((status = 200, body = Envelope<JudgeStanding>)))]
pub(crate) async fn get_judge_status(
    State(app): State<App>,
    Path(id): Path<PostId>,
) -> Respond<JudgeStanding> {
    Ok(Reply::ok(circle_posts::judge_standing(&app, id).await?))
}
