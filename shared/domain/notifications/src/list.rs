//! A user's notifications, the one with the newest event first.

use std::collections::{BTreeMap, HashSet};

use base::ids::{NotificationId, Position, UserId};
use people::relationships::{self, ViewContext};
use platform::{
    App, Result,
    page::{Cursor, FillingPage, Page},
    table::{Index, Query, Row},
};
use ulid::Ulid;

use super::{
    Notification, NotificationView,
    avatars::load_avatars,
    notification::{by_recipient, key},
    unread::Unread,
};

/// Returns a page of a user's notifications, without people whom the user hides by now. It is short where many in a row
/// are of such people alone.
pub async fn list(app: &App, recipient: UserId, cursor: Cursor<Position>) -> Result<Page<NotificationView>> {
    let (mut page, mut unread) = (FillingPage::new(cursor), HashSet::new());
    while let Some(cursor) = page.to_read() {
        let query = Query::index(Index::Gsi1, by_recipient(recipient)).newest_first().before(cursor.after);
        let rows: Vec<Notification> = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
        let marks = unread_among(app, recipient, &rows, cursor.after);
        let (hidden, marks) = futures::try_join!(hidden_among(app, recipient, &rows), marks)?;
        unread.extend(marks);
        let (last, read) = (rows.last().map(|it| Position::from(Ulid::from(it.last_event))), rows.len());
        page.add(rows.into_iter().filter_map(|it| it.without(&hidden)), last, read);
    }
    let mut page = page.page(|it| it.last_event.to_string());
    load_avatars(app, page.rows.iter_mut().filter(|it| it.faces.is_empty())).await?;
    Ok(page.map(|it| {
        let is_read = !unread.contains(&it.id());
        NotificationView::new(it, is_read)
    }))
}

/// Returns notifications that have just got an event, as unread and without people whom their recipients hide by now;
/// in no order, and none of whom nobody else is left.
pub async fn find_unread(
    app: &App,
    notifications: &HashSet<(UserId, NotificationId)>,
) -> Result<Vec<NotificationView>> {
    let keys: Vec<_> = notifications.iter().map(|(recipient, id)| key(*recipient, *id)).collect();
    let found: Vec<Notification> = app.table.batch_get(&keys).await?;
    let mut people: BTreeMap<UserId, HashSet<UserId>> = BTreeMap::new();
    for it in &found {
        people.entry(it.subject.recipient).or_default().extend(it.actors.ids());
    }
    let hidden = relationships::hidden_pairs(app, &people, ViewContext::Feed).await?;
    let shown = found.into_iter().filter_map(|it| {
        let hidden = relationships::hidden_of(&hidden, it.subject.recipient);
        it.without(&hidden)
    });
    let mut shown: Vec<_> = shown.collect();
    load_avatars(app, shown.iter_mut().filter(|it| it.faces.is_empty())).await?;
    Ok(shown.into_iter().map(|it| NotificationView::new(it, false)).collect())
}

/// Returns whether a notification is unread since its newest event.
pub async fn is_unread(app: &App, recipient: UserId, id: NotificationId) -> Result<bool> {
    let Some(found) = app.table.get_eventual::<Notification>(&key(recipient, id)).await? else {
        return Ok(false);
    };
    Ok(app.table.get::<Unread>(&found.unread().key()).await?.is_some())
}

/// Returns the people behind these notifications whom the recipient hides, and maybe others.
async fn hidden_among(app: &App, recipient: UserId, rows: &[Notification]) -> Result<HashSet<UserId>> {
    let people = rows.iter().flat_map(|it| it.actors.ids()).copied().collect();
    relationships::hidden_from(app, recipient, &people, ViewContext::Feed).await
}

/// Returns which notifications of a page are unread.
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
