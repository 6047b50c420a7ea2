//! What is unread, and marking it as read.

use platform::{
    App,
    error::{Error, Result},
    table::{Query, Row, Write},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Notification,
    group::{Unread, key},
};
use crate::ids::{NotificationId, UserId};

/// As many unread groups are counted.
const COUNTED_MAX: usize = 1000;

/// Whether there is something unread.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadStatus {
    /// Whether there is.
    pub has_unread: bool,
    /// How many groups; 1000 stands for more, too.
    pub unread_count: usize,
}

/// A group that is read now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkedRead {
    /// Which.
    pub public_id: NotificationId,
    /// Always true.
    pub is_read: bool,
}

/// How many groups were marked.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct AllRead {
    /// Those that were unread.
    pub updated: usize,
}

/// How many of somebody's groups are unread. 2 calls with the session's; 1 RRU for each 40.
///
/// # Errors
/// Internal only.
pub async fn unread(app: &App, recipient: UserId) -> Result<UnreadStatus> {
    let unread_count = marks(app, recipient).await?.len();
    Ok(UnreadStatus { has_unread: unread_count > 0, unread_count })
}

/// Marks a group as read; repeating changes nothing. 3 calls with the session's: 1 RRU, 2 WRU.
///
/// # Errors
/// [`Error::NotFound`] when the recipient has no such group.
pub async fn mark_read(app: &App, recipient: UserId, id: NotificationId) -> Result<MarkedRead> {
    let group = app.table.get::<Notification>(&key(recipient, id)).await?;
    let group = group.ok_or(Error::NotFound("notification"))?;
    // What happened since then has moved the mark elsewhere, and stays unread.
    app.table.write(Write::delete(group.unread().key())).await?;
    Ok(MarkedRead { public_id: id, is_read: true })
}

/// Marks all of somebody's groups as read. 2 calls with the session's and 1 for each 25; 1 WRU each.
///
/// # Errors
/// Internal only; repeating goes on where it ended.
pub async fn mark_all_read(app: &App, recipient: UserId) -> Result<AllRead> {
    let mut updated = 0;
    loop {
        let marks = marks(app, recipient).await?;
        let keys: Vec<_> = marks.iter().map(Row::key).collect();
        app.table.batch_write::<Unread>(&[], &keys).await?;
        updated += keys.len();
        if keys.len() < COUNTED_MAX {
            return Ok(AllRead { updated });
        }
    }
}

async fn marks(app: &App, recipient: UserId) -> Result<Vec<Unread>> {
    let query = Query::partition(format!("USER#{recipient}")).prefix("UNREAD#").newest_first();
    app.table.query(&query.consistent().limit(COUNTED_MAX)).await
}
