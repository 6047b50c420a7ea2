//! A recipient's groups, newest notification_event first.

use std::collections::HashSet;

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Index, Query},
};

use super::{
    Notification, NotificationView,
    group::{Unread, list_pk},
};
use crate::ids::{NotificationId, Position, UserId};

/// A page of somebody's notifications. 3 calls with the session's; at a page of 20 with few actors 5
/// RRU, with a hundred each 9.
///
/// # Errors
/// Internal only.
pub async fn list(app: &App, recipient: UserId, cursor: Cursor<Position>) -> Result<Page<NotificationView>> {
    let query = Query::index(Index::Gsi1, list_pk(recipient)).newest_first().before(cursor.after);
    let rows: Vec<Notification> = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
    let page = Page::cut(rows, cursor.take, |it| it.last_event.to_string());
    let unread = unread_among(app, recipient, &page.rows, cursor.after).await?;
    Ok(page.map(|it| {
        let is_read = !unread.contains(&it.id());
        NotificationView::new(it, is_read)
    }))
}

/// A group that has just got news, if it is still there. 1 call, 1 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn unread_group(
    app: &App,
    recipient: UserId,
    notification: NotificationId,
) -> Result<Option<NotificationView>> {
    let group = app.table.get::<Notification>(&super::group::key(recipient, notification)).await?;
    Ok(group.map(|it| NotificationView::new(it, false)))
}

/// Those of a page that are unread: their marks stand where they stand. 1 call, 1 RRU for each 4 KB.
async fn unread_among(
    app: &App,
    recipient: UserId,
    page: &[Notification],
    after: Option<Position>,
) -> Result<HashSet<NotificationId>> {
    let Some(last) = page.last() else { return Ok(HashSet::new()) };
    // On the first page, also where a group stands that the index has not moved yet.
    let high = after.map_or_else(|| "UNREAD#~".to_owned(), |it| format!("UNREAD#{it}"));
    let query = Query::partition(format!("USER#{recipient}"));
    let query = query.between(format!("UNREAD#{}", last.last_event), high).consistent();
    let marks: Vec<Unread> = app.table.query(&query).await?;
    Ok(marks.into_iter().map(|it| it.notification).collect())
}
