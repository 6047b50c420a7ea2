//! Engaging with a post: like, hide, report, save, mute.

use axum::extract::State;
use domain::{
    circles::posts::by_id,
    ids::PostId,
    moderation::reports::{self, ReportDraft, Reported},
    posts::{
        self, Hidden, PinRequest, Pinned, ThreadMuteRequest, ThreadMuted,
        likes::{self, LikeRequest, Liked},
        polls::{self, PollView, VoteRequest},
        saved::{self, SaveRequest, Saved},
    },
};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Body, Create, Envelope, OptionalBody, Path, Reply, Respond},
};

/// Like a post, or take the like back
///
/// Repeating changes nothing. The caller's own like is counted at once, everywhere; others see it
/// within seconds.
#[utoipa::path(post, path = "/posts/{publicId}/like", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = LikeRequest, example = json!({"isLiked": true})),
    responses((status = 200, body = Envelope<Liked>)))]
pub(crate) async fn like_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Body(request): Body<LikeRequest>,
) -> Respond<Liked> {
    Ok(Reply::ok(likes::set(&app, caller.id, post, request).await?))
}

/// Hide a post from lists, or show it again
///
/// A global flag that anyone but the author may flip; the post stays readable by its id.
#[utoipa::path(post, path = "/posts/{publicId}/hide", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    responses(
        (status = 200, body = Envelope<Hidden>),
        (status = 400, description = "`VALIDATION_FAILED`: it is one's own post")))]
pub(crate) async fn hide_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
) -> Respond<Hidden> {
    Ok(Reply::ok(posts::toggle_ghost(&app, caller.id, post).await?))
}

/// Report a post, its author, or its circle
///
/// Not one's own. Reporting again makes another report. Posts and circles are evaluated by a worker. What is written in a
/// circle can be reported too, with each `type`.
#[utoipa::path(post, path = "/posts/{publicId}/report", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = ReportDraft, example = json!({"reason": "It is spam.", "type": "post"})),
    responses((status = 201, body = Envelope<Reported>)))]
pub(crate) async fn report_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    draft: Create<ReportDraft>,
) -> Respond<Reported> {
    Ok(Reply::created(reports::report(&app, caller.id, post, draft.body, &draft.once).await?))
}

/// Save a post for later, or take it out of the saved posts
///
/// The body may be left out. With `PROPOSED_FEATURES=off` it answers `saved: true` and keeps nothing.
#[utoipa::path(post, path = "/posts/{publicId}/save", tag = "posts", extensions(("x-status" = json!("stub"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Option<SaveRequest>, example = json!({"isSaved": true})),
    responses((status = 200, body = Envelope<Saved>)))]
pub(crate) async fn save_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    OptionalBody(request): OptionalBody<SaveRequest>,
) -> Respond<Saved> {
    Ok(Reply::ok(saved::set(&app, caller.id, post, request).await?))
}

/// Mute the thread of a post, or end the mute
///
/// Without a body it toggles the mute. The thread is a post with all replies below it, whichever of them is named, or a post
/// of a circle with its comments. From then on the caller is notified of no reply, comment, mention or like in it; what they
/// were notified of before stays. The newest 500 threads are muted: the oldest ends with one more.
#[utoipa::path(post, path = "/posts/{publicId}/mute", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Option<ThreadMuteRequest>, example = json!({"isMuted": true})),
    responses((status = 200, body = Envelope<ThreadMuted>)))]
pub(crate) async fn mute_thread(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    OptionalBody(request): OptionalBody<ThreadMuteRequest>,
) -> Respond<ThreadMuted> {
    Ok(Reply::ok(by_id::mute_thread(&app, caller.id, post, request).await?))
}

/// Pin a post, or take it down
///
/// Own posts, quotes and reposts only; a reply is a 400. Without a body it toggles. The caller's own list of posts begins with
/// the pinned one, which then has `pinnedAt`; pinning another takes its place. One that is deleted, hidden, or not meant for a
/// reader is not at the head for them.
#[utoipa::path(post, path = "/posts/{publicId}/pin", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Option<PinRequest>, example = json!({"isPinned": true})),
    responses((status = 200, body = Envelope<Pinned>)))]
pub(crate) async fn pin_post(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    OptionalBody(request): OptionalBody<PinRequest>,
) -> Respond<Pinned> {
    Ok(Reply::ok(posts::pin(&app, caller.id, post, request).await?))
}

/// Vote in the poll of a post
///
/// `options` has the places of the chosen answers, the first is 0: one, or several where the poll says `multiple`. A vote
/// stays as it is: the same again changes nothing, another is a 409, and so is one after the end. The answer has the counts,
/// the caller's own vote at once; others see them too when they have voted, when the poll has ended, and its author always.
/// Nobody is told who voted for what.
#[utoipa::path(post, path = "/posts/{publicId}/vote", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = VoteRequest, example = json!({"options": [0]})),
    responses((status = 200, body = Envelope<PollView>),
        (status = 409, description = "`CONFLICT`: the poll has ended, or the caller voted otherwise before")))]
pub(crate) async fn vote_in_poll(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    Body(request): Body<VoteRequest>,
) -> Respond<PollView> {
    Ok(Reply::ok(polls::vote(&app, caller.id, post, request).await?))
}
