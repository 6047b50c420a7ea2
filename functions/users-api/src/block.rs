//! `/user/{username}/block` and `/mute`, `/me/blocked` and `/me/muted`: blocks and mutes.

use axum::extract::State;
use domain::{
    UserId,
    people::{FollowRow, UserRef},
    safety::{self, BlockRequest, Blocked, MuteRequest, Muted},
};
use platform::{App, Cursor};
use runtime::{Caller, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList, UserCursor};

/// Block or unblock a user
///
/// Without a body, the block is toggled. The two users no longer see each other in feeds, replies and notifications.
/// If either tries to follow, reply to, mention, message or befriend the other, the request returns 403. The same
/// applies to likes, saves, votes, quotes, reposts and hiding. Undoing an earlier action is allowed. Blocking removes the
/// follows, the friendship and pending friend requests between the two users. Blocking also closes the caller's
/// authenticated realtime connections. Clients must then reconnect.
#[utoipa::path(post, path = "/user/{username}/block", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = UserRef, Path,)),
    request_body(content = Option<BlockRequest>, example = json!({"isBlocked": true})),
    responses((status = 200, body = Envelope<Blocked>)))]
pub(crate) async fn block_user(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<UserRef>,
    Input { body, once }: Input<Option<BlockRequest>>,
) -> Respond<Blocked> {
    Ok(Reply::ok(safety::block(&app, caller.id, &username, body.unwrap_or_default(), &once).await?))
}

/// Mute or unmute a user
///
/// Without a body, the mute is toggled. The caller's feeds omit posts of a muted user. The muted user is not notified.
#[utoipa::path(post, path = "/user/{username}/mute", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = UserRef, Path,)),
    request_body(content = Option<MuteRequest>, example = json!({"isMuted": true})),
    responses((status = 200, body = Envelope<Muted>)))]
pub(crate) async fn mute_user(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<UserRef>,
    Input { body, once }: Input<Option<MuteRequest>>,
) -> Respond<Muted> {
    Ok(Reply::ok(safety::mute(&app, caller.id, &username, body.unwrap_or_default(), &once).await?))
}

/// List the caller's blocked users
///
/// Returns users, newest block first. `after` is the `publicId` of a listed user.
#[utoipa::path(get, path = "/me/blocked", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_blocked_users(
    State(app): State<App>,
    caller: Caller,
    UserCursor(cursor): UserCursor,
) -> RespondList<FollowRow> {
    Ok(List(safety::blocked(&app, caller.id, cursor).await?))
}

/// List the caller's muted users
///
/// Returns users, newest mute first. `after` is the `publicId` of a listed user.
#[utoipa::path(get, path = "/me/muted", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_muted_users(
    State(app): State<App>,
    caller: Caller,
    UserCursor(cursor): UserCursor,
) -> RespondList<FollowRow> {
    Ok(List(safety::muted(&app, caller.id, cursor).await?))
}
