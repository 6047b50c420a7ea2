//! A user's notifications, newest event first.

use std::collections::{BTreeMap, HashSet};

use base::{NotificationId, Position, UserId};
use people::{ViewContext, relationships};
use platform::{App, Cursor, FillingPage, Index, Page, Query, Result, Row};
use ulid::Ulid;

use super::{
    Notification, NotificationView,
    avatars::load_avatars,
    notification::{by_recipient, key},
    unread::Unread,
};

/// Returns a page of a user's notifications, without muted and blocked actors. The cursor is the position of the
/// previous page's last notification, or its ID.
///
/// A page may have fewer than `take` notifications if many consecutive notifications have only such actors.
pub async fn list(app: &App, recipient: UserId, cursor: Cursor<Position>) -> Result<Page<NotificationView>> {
    let after = position(app, recipient, cursor.after).await?;
    let (mut page, mut unread) = (FillingPage::new(Cursor { after, ..cursor }), HashSet::new());
    while let Some(cursor) = page.to_read() {
        let query = Query::index(Index::Gsi1, by_recipient(recipient)).newest_first().before(cursor.after);
        let rows: Vec<Notification> = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
        let marks = unread_among(app, recipient, &rows, cursor.after);
        let (hidden, marks) = futures::try_join!(hidden_among(app, recipient, &rows), marks)?;
        unread.extend(marks);
        let last = rows.last().map(|notification| Position::from(Ulid::from(notification.last_event)));
        let read = rows.len();
        page.add(rows.into_iter().filter_map(|notification| notification.without(&hidden)), last, read);
    }
    let mut page = page.page(|notification| notification.last_event.to_string());
    load_avatars(app, page.rows.iter_mut().filter(|notification| notification.avatars.is_empty())).await?;
    Ok(page.map(|notification| {
        let is_read = !unread.contains(&notification.id());
        NotificationView::new(notification, is_read)
    }))
}

/// Returns the position of a cursor. Positions and IDs of notifications are both ULIDs, so the ID is looked up first.
async fn position(app: &App, recipient: UserId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let key = key(recipient, Ulid::from(after).into());
    let named = app.table.get_eventual::<Notification>(&key).await?;
    Ok(Some(named.map_or(after, |notification| Ulid::from(notification.last_event).into())))
}

/// Returns the given notifications with `isRead` false, in no particular order. Omits muted and blocked actors, and
/// notifications with only such actors.
pub async fn find_unread(
    app: &App,
    notifications: &HashSet<(UserId, NotificationId)>,
) -> Result<Vec<NotificationView>> {
    let keys: Vec<_> = notifications.iter().map(|(recipient, id)| key(*recipient, *id)).collect();
    let found: Vec<Notification> = app.table.batch_get(&keys).await?;
    let mut people: BTreeMap<UserId, HashSet<UserId>> = BTreeMap::new();
    for notification in &found {
        people.entry(notification.subject.recipient).or_default().extend(notification.actors.ids());
    }
    let hidden = relationships::hidden_pairs(app, &people, ViewContext::Feed).await?;
    let visible = found.into_iter().filter_map(|notification| {
        let hidden = relationships::hidden_of(&hidden, notification.subject.recipient);
        notification.without(&hidden)
    });
    let mut visible: Vec<_> = visible.collect();
    load_avatars(app, visible.iter_mut().filter(|notification| notification.avatars.is_empty())).await?;
    Ok(visible.into_iter().map(|notification| NotificationView::new(notification, false)).collect())
}

/// Returns whether the recipient has not read the notification since its newest event.
pub async fn is_unread(app: &App, recipient: UserId, id: NotificationId) -> Result<bool> {
    match app.table.get_eventual::<Notification>(&key(recipient, id)).await? {
        Some(found) => Ok(app.table.get::<Unread>(&found.unread().key()).await?.is_some()),
        None => Ok(false),
    }
}

/// Returns a set that contains the muted and blocked actors of `rows`. The set may contain other users, too.
async fn hidden_among(app: &App, recipient: UserId, rows: &[Notification]) -> Result<HashSet<UserId>> {
    let people = rows.iter().flat_map(|notification| notification.actors.ids()).copied().collect();
    relationships::hidden_from(app, recipient, &people, ViewContext::Feed).await
}

/// Returns the unread notifications of a page.
async fn unread_among(
    app: &App,
    recipient: UserId,
    page: &[Notification],
    after: Option<Position>,
) -> Result<HashSet<NotificationId>> {
    let Some(last) = page.last() else { return Ok(HashSet::new()) };
    let unread = Unread::between(app, recipient, last.last_event, after).await?;
    Ok(unread.into_iter().map(|mark| mark.notification).collect())
}
