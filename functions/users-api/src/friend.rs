//! Friend requests: sending, accepting, cancelling and listing them. Friends: listing them, and ending a friendship.

use axum::extract::State;
use domain::{
    ids::UserId,
    people::{
        follows::FollowRow,
        friendships::{self, FriendRequestView, Friendship, Received, Sent},
        users::Username,
    },
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Envelope, Keyed, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Ask somebody to be friends
///
/// There is no body. The caller's own username, a friend, and a pending request of either user answer 400. A
/// cancelled request may be sent again. Where a block stands it answers 403.
#[utoipa::path(post, path = "/user/{username}/friend-request", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = Username, Path,)),
    responses((status = 201, body = Envelope<FriendRequestView>)))]
pub(crate) async fn send_friend_request(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<Username>,
    Keyed(once): Keyed,
) -> Respond<FriendRequestView> {
    Ok(Reply::created(friendships::send(&app, caller.id, &username, &once).await?))
}

/// Accept somebody's friend request
///
/// It creates no follow. It answers 404 when they have no pending request.
#[utoipa::path(patch, path = "/me/friend-requests/{username}/accept", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = Username, Path,)),
    responses((status = 200, body = Envelope<FriendRequestView>)))]
pub(crate) async fn accept_friend_request(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<Username>,
) -> Respond<FriendRequestView> {
    Ok(Reply::ok(friendships::accept(&app, caller.id, &username).await?))
}

/// Cancel a friend request, sent or received
///
/// It answers 404 when no request between the two users is pending.
#[utoipa::path(patch, path = "/me/friend-requests/{username}/cancel", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = Username, Path,)),
    responses((status = 200, body = Envelope<FriendRequestView>)))]
pub(crate) async fn cancel_friend_request(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<Username>,
) -> Respond<FriendRequestView> {
    Ok(Reply::ok(friendships::cancel(&app, caller.id, &username).await?))
}

/// List the friend requests that wait for the caller's answer
///
/// The newest first; `after` is a `senderId`.
#[utoipa::path(get, path = "/me/friend-requests/received", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<Received>)))]
pub(crate) async fn list_received_friend_requests(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<Received> {
    Ok(List(friendships::received(&app, caller.id, cursor).await?))
}

/// List the caller's friend requests that wait for an answer
///
/// The newest first; `after` is a `receiverId`.
#[utoipa::path(get, path = "/me/friend-requests/sent", tag = "users",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<Sent>)))]
pub(crate) async fn list_sent_friend_requests(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<Sent> {
    Ok(List(friendships::sent(&app, caller.id, cursor).await?))
}

/// List the caller's friends
///
/// The newest friendship first; `after` is a `publicId`. `isFollowing` says whether the caller follows each of them.
#[utoipa::path(get, path = "/me/friends", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_friends(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<FollowRow> {
    Ok(List(friendships::friends(&app, caller.id, cursor).await?))
}

/// End a friendship
///
/// Either may, and the two may ask each other again. Who follows whom stays as it is. Repeating changes nothing: somebody
/// who is no friend answers the same. A pending request stays.
#[utoipa::path(delete, path = "/me/friends/{username}", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("username" = Username, Path,)),
    responses(
        (status = 200, body = Envelope<Friendship>),
        (status = 400, description = "`VALIDATION_FAILED`: it is one's own username")))]
pub(crate) async fn end_friendship(
    State(app): State<App>,
    caller: Caller,
    Path(username): Path<Username>,
) -> Respond<Friendship> {
    Ok(Reply::ok(friendships::end(&app, caller.id, &username).await?))
}
