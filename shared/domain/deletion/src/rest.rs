//! The remaining rows of a deleted user's partition. The row of the deletion is deleted last.

use base::UserId;
use platform::{App, Query, Result, Row, table::KeyOnly};
use posts::{engagements, polls};

use super::{export, row};

const PAGE_ROWS: usize = 100;

/// Deletes the next 100 rows of the user's partition: sessions, addresses, timeline, notifications, karma and log. Does
/// not delete likes and votes, which remain if their changes are not yet in the counts.
pub(super) async fn page(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    if cursor.is_none() {
        search::index_user(app, user).await?;
        export::delete_files(app, user).await?;
        delete_devices(app, user).await?;
    }
    let query = Query::partition(user.partition()).after(cursor).consistent();
    let (rows, last) = app.table.next_page::<KeyOnly>(query, PAGE_ROWS).await?;
    let deletion = row::key(user);
    let is_pending = |row: &KeyOnly| {
        [engagements::SK_PREFIX, polls::VOTE_PREFIX].iter().any(|prefix| row.sk.starts_with(prefix))
    };
    let is_deletable = |row: &&KeyOnly| row.key() != deletion && !is_pending(row);
    app.table.delete_rows(rows.iter().filter(is_deletable).map(Row::key).collect()).await?;
    if last.is_none() {
        finish(app, user).await?;
    }
    Ok(last)
}

/// Deletes the user's devices. The records of pushes to them expire within a day.
async fn delete_devices(app: &App, user: UserId) -> Result<()> {
    let query = Query::partition(user.devices()).prefix("DEVICE#").consistent().limit(PAGE_ROWS);
    let devices: Vec<KeyOnly> = app.table.query(&query).await?;
    app.table.delete_rows(devices.iter().map(Row::key).collect()).await
}

/// Deletes the row of the deletion if no other row of the user is left.
async fn finish(app: &App, user: UserId) -> Result<()> {
    let query = Query::partition(user.partition()).consistent().limit(2);
    let left: Vec<KeyOnly> = app.table.query(&query).await?;
    match left.as_slice() {
        [only] if only.key() == row::key(user) => app.table.delete_rows(vec![only.key()]).await,
        _ => Ok(()),
    }
}
