//! Counts unread notifications, and marks them as read.

use base::{NotificationId, UserId};
use people::{ViewContext, relationships};
use platform::{App, Error, Result, Row, Write};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Notification,
    notification::key,
    unread::{UNREAD_MAX, Unread},
};

/// Whether the caller has unread notifications.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadStatus {
    /// Whether there is an unread notification.
    pub has_unread: bool,
    /// The number of unread notifications. A value of 1,000 means at least 1,000.
    pub unread_count: usize,
}

/// A notification that was marked as read.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = NotificationReadState)]
#[serde(rename_all = "camelCase")]
pub struct MarkedRead {
    /// The notification's ID.
    pub public_id: NotificationId,
    /// Always true.
    pub is_read: bool,
}

/// The number of notifications that a request marked as read.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = ReadNotificationCount)]
pub struct AllRead {
    /// The number of notifications that were unread before the request.
    pub updated: usize,
}

/// Returns the number of a user's unread notifications. Omits notifications that have only muted or blocked actors.
pub async fn unread(app: &App, recipient: UserId) -> Result<UnreadStatus> {
    let unread = Unread::newest(app, recipient).await?;
    let people = unread.iter().flat_map(|mark| mark.by.ids()).copied().collect();
    let hidden = relationships::hidden_from(app, recipient, &people, ViewContext::Feed).await?;
    let unread_count = unread.iter().filter(|mark| !mark.is_of(&hidden)).count();
    Ok(UnreadStatus { has_unread: unread_count > 0, unread_count })
}

/// Marks a notification as read. Repeating the call has no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the recipient has no such notification.
pub async fn mark_read(app: &App, recipient: UserId, id: NotificationId) -> Result<MarkedRead> {
    let notification = app.table.get::<Notification>(&key(recipient, id)).await?;
    let notification = notification.ok_or(Error::NotFound("notification"))?;
    // If a newer event arrived meanwhile, its unread mark has a different key, so the notification stays unread.
    app.table.write(Write::delete(notification.unread().key())).await?;
    Ok(MarkedRead { public_id: id, is_read: true })
}

/// Marks all of a user's notifications as read. After a failure, a retry marks the remaining notifications.
pub async fn mark_all_read(app: &App, recipient: UserId) -> Result<AllRead> {
    let mut updated = 0;
    loop {
        let unread = Unread::newest(app, recipient).await?;
        app.table.delete_rows(unread.iter().map(Row::key).collect()).await?;
        updated += unread.len();
        if unread.len() < UNREAD_MAX {
            return Ok(AllRead { updated });
        }
    }
}
