//! Lists: the caller's notifications, and the message groups with something unread.

use axum::extract::State;
use domain::{
    conversations::{self, UnreadGroup},
    ids::Position,
    notifications::{self, NotificationView},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Envelope, List, ListEnvelope, Query, Reply, Respond, RespondList},
};

/// List the caller's notifications
///
/// Grouped by what they are about; the group in which something happened last comes first. Replies
/// appear within 40 seconds, as type `POST` and targetType `REPLY`.
#[utoipa::path(get, path = "/notification", tag = "notification", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])), params(Cursor<Position>),
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
/// Newest message first; own messages never count.
#[utoipa::path(get, path = "/notification/message", tag = "notification", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<Vec<UnreadGroup>>)))]
pub(crate) async fn list_unread_groups(State(app): State<App>, caller: Caller) -> Respond<Vec<UnreadGroup>> {
    Ok(Reply::ok(conversations::unread(&app, caller.id).await?))
}
