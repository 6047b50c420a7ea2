//! A user's notifications, the one with the newest event first.

use std::collections::HashSet;

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Index, Query},
};

use super::{
    Notification, NotificationView,
    notification::{by_recipient, key},
    unread::Unread,
};
use crate::ids::{NotificationId, Position, UserId};

/// Returns a page of a user's notifications. Costs 2 calls; a page of 20 costs 4 RRU with few
/// actors, 8 RRU with a hundred actors each.
pub async fn list(app: &App, recipient: UserId, cursor: Cursor<Position>) -> Result<Page<NotificationView>> {
    let query = Query::index(Index::Gsi1, by_recipient(recipient)).newest_first().before(cursor.after);
    let rows: Vec<Notification> = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
    let page = Page::cut(rows, cursor.take, |it| it.last_event.to_string());
    let unread = unread_among(app, recipient, &page.rows, cursor.after).await?;
    Ok(page.map(|it| {
        let is_read = !unread.contains(&it.id());
        NotificationView::new(it, is_read)
    }))
}

/// Returns a notification that has just got an event, as unread. Costs 1 call and 1 RRU for each 4 KB.
pub async fn find_unread(
    app: &App,
    recipient: UserId,
    id: NotificationId,
) -> Result<Option<NotificationView>> {
    let notification = app.table.get::<Notification>(&key(recipient, id)).await?;
    Ok(notification.map(|it| NotificationView::new(it, false)))
}

/// Returns which notifications of a page are unread. Costs 1 call and 1 RRU for each 4 KB.
async fn unread_among(
    app: &App,
    recipient: UserId,
    page: &[Notification],
    after: Option<Position>,
) -> Result<HashSet<NotificationId>> {
    let Some(last) = page.last() else { return Ok(HashSet::new()) };
    let unread = Unread::between(app, recipient, last.last_event, after).await?;
    Ok(unread.into_iter().map(|it| it.notification).collect())
}
