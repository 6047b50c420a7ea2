//! Friend requests and friendships.

use axum::extract::State;
use domain::{
    UserId,
    people::{
        FollowRow, UserRef,
        friendships::{self, FriendRequestView, Friendship, Received, Sent},
    },
};
use platform::{App, Cursor};
use runtime::{
    Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList, UserCursor,
};

/// Send a friend request
///
/// The request has no body. Returns 400 if the user is the caller or a friend, or if a request between the two users is
/// pending. After a request was canceled, either user can send a new one. Returns 403 if a block exists between the two
/// users.
#[utoipa::path(post, path = "/user/{username}/friend-request", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = UserRef, Path,)),
    responses((status = 201, body = Envelope<FriendRequestView>)))]
pub(crate) async fn send_friend_request(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<UserRef>,
    Input { once, .. }: Input<Empty>,
) -> Respond<FriendRequestView> {
    Ok(Reply::created(friendships::send(&app, caller.id, &username, &once).await?))
}

/// Accept a friend request
///
/// The two users become friends. Accepting does not create a follow. Repeating the request has no effect. Returns 404
/// if the user has no pending request to the caller.
#[utoipa::path(patch, path = "/me/friend-requests/{username}/accept", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = UserRef, Path,)),
    responses((status = 200, body = Envelope<FriendRequestView>)))]
pub(crate) async fn accept_friend_request(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<UserRef>,
    _: Input<Empty>,
) -> Respond<FriendRequestView> {
    Ok(Reply::ok(friendships::accept(&app, caller.id, &username).await?))
}

/// Cancel a friend request that was sent or received
///
/// Repeating the request has no effect. Returns 404 if no request between the two users is pending, and none was
/// canceled in the last 30 days. Also returns 404 if the two users are friends.
#[utoipa::path(patch, path = "/me/friend-requests/{username}/cancel", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = UserRef, Path,)),
    responses((status = 200, body = Envelope<FriendRequestView>)))]
pub(crate) async fn cancel_friend_request(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<UserRef>,
    _: Input<Empty>,
) -> Respond<FriendRequestView> {
    Ok(Reply::ok(friendships::cancel(&app, caller.id, &username).await?))
}

/// List the friend requests that the caller received
///
/// Returns pending requests, newest first. `after` is the `senderId` of a listed request.
#[utoipa::path(get, path = "/me/friend-requests/received", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<Received>)))]
pub(crate) async fn list_received_friend_requests(
    State(app): State<App>,
    caller: Caller,
    UserCursor(cursor): UserCursor,
) -> RespondList<Received> {
    Ok(List(friendships::received(&app, caller.id, cursor).await?))
}

/// List the friend requests that the caller sent
///
/// Returns pending requests, newest first. `after` is the `receiverId` of a listed request.
#[utoipa::path(get, path = "/me/friend-requests/sent", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<Sent>)))]
pub(crate) async fn list_sent_friend_requests(
    State(app): State<App>,
    caller: Caller,
    UserCursor(cursor): UserCursor,
) -> RespondList<Sent> {
    Ok(List(friendships::sent(&app, caller.id, cursor).await?))
}

/// List the caller's friends
///
/// Returns friends, newest friendship first. `after` is the `publicId` of a listed friend. `isFollowing` says whether
/// the caller follows the listed friend.
#[utoipa::path(get, path = "/me/friends", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_friends(
    State(app): State<App>,
    caller: Caller,
    UserCursor(cursor): UserCursor,
) -> RespondList<FollowRow> {
    Ok(List(friendships::friends(&app, caller.id, cursor).await?))
}

/// End a friendship
///
/// Either friend can end the friendship, and either can later send a new request. Follows and pending requests do not
/// change. Returns 404 if the user is not a friend.
#[utoipa::path(delete, path = "/me/friends/{username}", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = UserRef, Path,)),
    responses(
        (status = 200, body = Envelope<Friendship>),
        (status = 400, description = "`VALIDATION_FAILED`: the username is the caller's own")))]
pub(crate) async fn end_friendship(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<UserRef>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Friendship> {
    Ok(Reply::ok(friendships::end(&app, caller.id, &username, &once).await?))
}
