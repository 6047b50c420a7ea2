//! Engaging with a post: liking, hiding, reporting, saving, muting, pinning and voting.

use axum::extract::State;
use domain::{
    PostId,
    circles::posts::by_id,
    moderation::{
        hiding::{self, Hidden, HideRequest},
        reports::{self, ReportDraft, Reported},
    },
    posts::{
        self, PinRequest, Pinned, ThreadMuteRequest, ThreadMuted,
        likes::{self, LikeRequest, Liked},
        polls::{self, PollView, VoteRequest},
        saved::{self, SaveRequest, Saved},
    },
};
use platform::App;
use runtime::{Caller, Envelope, Input, Path, Reply, Respond};

/// Like a post, or remove the like
///
/// Repeating the request has no effect. Responses to the caller count the like immediately. Other users see the new
/// count within seconds.
#[utoipa::path(post, path = "/posts/{publicId}/like", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = LikeRequest, example = json!({"isLiked": true})),
    responses((status = 200, body = Envelope<Liked>)))]
pub(crate) async fn like_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Input { body: request, once }: Input<LikeRequest>,
) -> Respond<Liked> {
    Ok(Reply::ok(likes::set(&app, caller.id, post, request, &once).await?))
}

/// Hide a post from lists, or show it again
///
/// Changes a flag that hides the post from the lists of all users except the author. Without a body, each request
/// toggles the flag exactly once, even if several requests arrive together. With `isGhost`, repeating the request has
/// no effect. Any user except the author can change the flag. The author is notified, still sees the post in their own
/// list, and can appeal. The post stays readable by its ID.
#[utoipa::path(post, path = "/posts/{publicId}/hide", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Option<HideRequest>, example = json!({"isGhost": true})),
    responses(
        (status = 200, body = Envelope<Hidden>),
        (status = 400, description = "`VALIDATION_FAILED`: the post is the caller's own")))]
pub(crate) async fn hide_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Input { body, once }: Input<Option<HideRequest>>,
) -> Respond<Hidden> {
    Ok(Reply::ok(hiding::hide(&app, caller.id, post, body.unwrap_or_default(), &once).await?))
}

/// Report a post, its author, or its circle
///
/// Users cannot report their own posts. Reporting the same post again creates a second report. A worker evaluates
/// reports of posts and circles. Posts and comments in a circle can also be reported, with any `type`.
#[utoipa::path(post, path = "/posts/{publicId}/report", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = ReportDraft, example = json!({"reason": "It is spam.", "type": "post"})),
    responses((status = 201, body = Envelope<Reported>)))]
pub(crate) async fn report_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    draft: Input<ReportDraft>,
) -> Respond<Reported> {
    Ok(Reply::created(reports::report(&app, caller.id, post, draft.body, &draft.once).await?))
}

/// Save a post for later, or unsave it
///
/// Without a body, the post is saved. With `PROPOSED_FEATURES=off`, the operation returns `saved: true` and stores
/// nothing.
#[utoipa::path(post, path = "/posts/{publicId}/save", tag = "posts", extensions(("x-status" = json!("stub"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Option<SaveRequest>, example = json!({"isSaved": true})),
    responses((status = 200, body = Envelope<Saved>)))]
pub(crate) async fn save_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Input { body, once }: Input<Option<SaveRequest>>,
) -> Respond<Saved> {
    Ok(Reply::ok(saved::set(&app, caller.id, post, body.unwrap_or_default(), &once).await?))
}

/// Mute the thread of a post, or unmute it
///
/// Without a body, the mute is toggled. A thread is a post and all replies below it, or a circle's post and its
/// comments. `publicId` can be any post in the thread. The caller gets no new notifications about replies, comments,
/// mentions or likes in a muted thread. Existing notifications stay. A user can mute at most 500 threads. A mute beyond
/// the limit removes the oldest mute.
#[utoipa::path(post, path = "/posts/{publicId}/mute", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Option<ThreadMuteRequest>, example = json!({"isMuted": true})),
    responses((status = 200, body = Envelope<ThreadMuted>)))]
pub(crate) async fn mute_thread(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Input { body, once }: Input<Option<ThreadMuteRequest>>,
) -> Respond<ThreadMuted> {
    Ok(Reply::ok(by_id::mute_thread(&app, caller.id, post, body.unwrap_or_default(), &once).await?))
}

/// Pin a post, or unpin it
///
/// Only the caller's own posts, quotes and reposts can be pinned. Pinning a reply returns 400. Without a body, the pin
/// is toggled. The pinned post comes first in the caller's list of posts and has `pinnedAt`. Pinning a second post
/// unpins the first. A pinned post that is hidden, deleted, or not readable for the reader is not listed first.
#[utoipa::path(post, path = "/posts/{publicId}/pin", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Option<PinRequest>, example = json!({"isPinned": true})),
    responses((status = 200, body = Envelope<Pinned>)))]
pub(crate) async fn pin_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Input { body, once }: Input<Option<PinRequest>>,
) -> Respond<Pinned> {
    Ok(Reply::ok(posts::pin(&app, caller.id, post, body.unwrap_or_default(), &once).await?))
}

/// Vote in the poll of a post
///
/// `options` has the indexes of the chosen answers, starting at 0. Several answers are allowed if the poll is
/// `multiple`. A vote is final. Repeating the same vote has no effect. A different vote returns 400. A vote after the
/// end of the poll also returns 400.
///
/// The response has the vote counts, including the caller's vote. Other users see the counts after they vote or after
/// the poll ends. The author always sees the counts. Votes are secret.
#[utoipa::path(post, path = "/posts/{publicId}/vote", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = VoteRequest, example = json!({"options": [0]})),
    responses((status = 200, body = Envelope<PollView>)))]
pub(crate) async fn vote_in_poll(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Input { body: request, once }: Input<VoteRequest>,
) -> Respond<PollView> {
    Ok(Reply::ok(polls::vote(&app, caller.id, post, request, &once).await?))
}
