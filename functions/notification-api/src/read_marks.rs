//! Counts unread notifications, and marks notifications as read.

use axum::extract::State;
use domain::{
    NotificationId,
    notifications::{self, AllRead, FriendRequests, MarkedRead, UnreadStatus},
};
use platform::App;
use runtime::{Caller, Empty, Envelope, Input, Path, Reply, Respond};

/// Count the unread notifications
///
/// A count of 1,000 means at least 1,000.
#[utoipa::path(get, path = "/notification/unread", tag = "notification", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = Envelope<UnreadStatus>)))]
pub(crate) async fn get_unread_status(State(app): State<App>, caller: Caller) -> Respond<UnreadStatus> {
    Ok(Reply::ok(notifications::unread(&app, caller.id).await?))
}

/// Count the friend requests that the caller received
///
/// Only pending requests count.
#[utoipa::path(get, path = "/notification/friend-request", tag = "notification",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = Envelope<FriendRequests>)))]
pub(crate) async fn count_friend_requests(State(app): State<App>, caller: Caller) -> Respond<FriendRequests> {
    Ok(Reply::ok(notifications::friend_requests(&app, caller.id).await?))
}

/// Mark a notification as read
///
/// A new event makes the notification unread again. Repeating the request has no effect.
#[utoipa::path(patch, path = "/notification/{publicId}/read", tag = "notification",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:notifications"])), params(("publicId" = NotificationId, Path,)),
    responses((status = 200, body = Envelope<MarkedRead>)))]
pub(crate) async fn mark_notification_read(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<NotificationId>,
    _: Input<Empty>,
) -> Respond<MarkedRead> {
    Ok(Reply::ok(notifications::mark_read(&app, caller.id, id).await?))
}

/// Mark all notifications as read
///
/// Notifications that arrive later are unread.
#[utoipa::path(patch, path = "/notification/read-all", tag = "notification",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:notifications"])), responses((status = 200, body = Envelope<AllRead>)))]
pub(crate) async fn mark_all_notifications_read(
    State(app): State<App>,
    caller: Caller,
    _: Input<Empty>,
) -> Respond<AllRead> {
    Ok(Reply::ok(notifications::mark_all_read(&app, caller.id).await?))
}
