//! Lists of the caller's notifications, and of message groups with unread messages.

use axum::extract::State;
use domain::{
    Position,
    conversations::{self, UnreadGroup},
    notifications::{self, NotificationView},
};
use platform::{App, Cursor};
use runtime::{Caller, Envelope, List, ListEnvelope, Query, Reply, Respond, RespondList};

/// List the caller's notifications
///
/// A notification groups the events about one target. The notification with the newest event comes first. New replies
/// appear within 40 seconds, with type `POST` and target type `REPLY`. `after` is the cursor from the previous page, or
/// the `publicId` of a listed notification. A notification with a new event moves to the top, and its `publicId` then
/// is the cursor of that position.
#[utoipa::path(get, path = "/notification", tag = "notification", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<Position>),
    responses((status = 200, body = ListEnvelope<NotificationView>)))]
pub(crate) async fn list_notifications(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<NotificationView> {
    Ok(List(notifications::list(&app, caller.id, cursor).await?))
}

/// List the message groups with unread messages
///
/// The group with the newest message comes first. The caller's own messages do not count as unread.
#[utoipa::path(get, path = "/notification/message", tag = "notification", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = Envelope<Vec<UnreadGroup>>)))]
pub(crate) async fn list_unread_groups(State(app): State<App>, caller: Caller) -> Respond<Vec<UnreadGroup>> {
    Ok(Reply::ok(conversations::unread(&app, caller.id).await?))
}
