//! What is left in the partition of somebody who leaves. All of it goes; the row that says that they leave goes last.

use base::ids::UserId;
use platform::{
    App, Result,
    table::{KeyOnly, Query, Row},
};
use posts::{engagements, polls};

use super::{export, row};

/// Rows of a page.
const PAGE_ROWS: usize = 100;

/// Deletes the next 100 rows of the person's own partition, whatever they are: sessions, addresses, the timeline,
/// notifications, karma, the log. After the last page nothing is left of them, unless a like waits to be applied.
pub(super) async fn page(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    if behind.is_none() {
        search::index_user(app, user).await?;
        export::delete_files(app, user).await?;
    }
    let rows = rows(app, user, behind, PAGE_ROWS).await?;
    let leaving = row::key(user);
    let waits = |it: &KeyOnly| {
        [engagements::SK_PREFIX, polls::VOTE_PREFIX].iter().any(|prefix| it.sk.starts_with(prefix))
    };
    let goes = |it: &&KeyOnly| it.key() != leaving && !waits(it);
    let keys: Vec<_> = rows.iter().filter(goes).map(Row::key).collect();
    app.table.batch_write::<KeyOnly>(&[], &keys).await?;
    match rows.last().filter(|_| rows.len() == PAGE_ROWS) {
        Some(last) => Ok(Some(last.sk.clone())),
        None => end(app, user).await.map(|()| None),
    }
}

/// Deletes the row that says that they leave, when it is the only one.
async fn end(app: &App, user: UserId) -> Result<()> {
    let left = rows(app, user, None, 2).await?;
    match left.as_slice() {
        [only] if only.key() == row::key(user) => app.table.batch_write::<KeyOnly>(&[], &[only.key()]).await,
        _ => Ok(()),
    }
}

async fn rows(app: &App, user: UserId, behind: Option<String>, limit: usize) -> Result<Vec<KeyOnly>> {
    app.table.query(&Query::partition(user.partition()).after(behind).consistent().limit(limit)).await
}
