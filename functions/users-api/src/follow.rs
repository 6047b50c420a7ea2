//! `/user/{username}/follower`, `/followers` and `/following`, `/me/hashtags`: follows.

use axum::extract::State;
use domain::{
    UserId,
    people::{
        FollowRow, UserRef,
        follows::{self, FollowList, FollowRequest, FollowedTopic, Following},
    },
};
use platform::{App, Cursor};
use runtime::{Caller, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList, UserCursor};

/// Follow or unfollow a user
///
/// Without a body, the follow is toggled. With `isFollowing`, repeating the request has no effect. Returns 400 for the
/// caller's own username, and 403 if a block exists between the two users. The limit is 30 requests a minute.
#[utoipa::path(post, path = "/user/{username}/follower", tag = "users", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = UserRef, Path,)),
    request_body(content = Option<FollowRequest>, example = json!({"isFollowing": true})),
    responses((status = 200, body = Envelope<Following>)))]
pub(crate) async fn toggle_follow(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<UserRef>,
    Input { body, once }: Input<Option<FollowRequest>>,
) -> Respond<Following> {
    Ok(Reply::ok(follows::set(&app, caller.id, &username, body.unwrap_or_default(), &once).await?))
}

/// List the followers of a user
///
/// Returns users, newest follow first. `isFollowing` says whether the caller follows the listed user. It is false
/// without a token. `after` is the `publicId` of a listed user. The cursor stays valid for an hour after an unfollow.
/// Leaves out users that the caller blocks, and users that block the caller.
#[utoipa::path(get, path = "/user/{username}/followers", tag = "users", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("username" = UserRef, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_followers(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<UserRef>,
    UserCursor(cursor): UserCursor,
) -> RespondList<FollowRow> {
    let viewer = caller.map(|caller| caller.id);
    Ok(List(follows::list(&app, viewer, FollowList::Followers, &username, cursor).await?))
}

/// List the users that a user follows
///
/// Returns users, newest follow first. `isFollowing` says whether the caller follows the listed user. It is false
/// without a token. `after` is the `publicId` of a listed user. The cursor stays valid for an hour after an unfollow.
/// Leaves out users that the caller blocks, and users that block the caller.
#[utoipa::path(get, path = "/user/{username}/following", tag = "users", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("username" = UserRef, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_following(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<UserRef>,
    UserCursor(cursor): UserCursor,
) -> RespondList<FollowRow> {
    let viewer = caller.map(|caller| caller.id);
    Ok(List(follows::list(&app, viewer, FollowList::Following, &username, cursor).await?))
}

/// List the hashtags that the caller follows
///
/// Returns at most 100 hashtags on one page, newest follow first.
#[utoipa::path(get, path = "/me/hashtags", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = ListEnvelope<FollowedTopic>)))]
pub(crate) async fn list_followed_hashtags(
    State(app): State<App>,
    caller: Caller,
) -> RespondList<FollowedTopic> {
    Ok(List(follows::followed_topics(&app, caller.id).await?))
}
