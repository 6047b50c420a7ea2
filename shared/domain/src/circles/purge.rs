//! Purging: 24 hours after its death a circle's rows go; its stone stays.

use platform::{
    App, Result,
    table::{Key, Query, Row},
};
use serde::{Deserialize, Serialize};

use super::{Due, Energy, circle, due, energy_key, key, posts};
use crate::{ids::CircleId, jobs::Chore};

/// Rows that one message deletes of each kind.
const PAGE_ROWS: usize = 200;

/// Any row, by its key alone.
#[derive(Serialize, Deserialize)]
struct Any {
    pk: String,
    sk: String,
}

/// Asks for the pages of circles whose time has come. 8 calls, 4 RRU, and a message each.
pub(crate) async fn begin(app: &App) -> Result<()> {
    due::begin::<Energy, _>(app, Due::Purge, |shard| Chore::PurgePage { shard, after: None }).await
}

/// Has those circles purged whose time has come, of one shard. 1 call, and a message each.
pub(crate) async fn purge_page(app: &App, shard: u8, after: Option<String>) -> Result<()> {
    let next = |after| Chore::PurgePage { shard, after: Some(after) };
    let purge = async |it: Energy| app.queues.send(&Chore::PurgeCircle { circle: it.circle }).await;
    due::page(app, (Due::Purge, shard), after, next, purge).await
}

/// Deletes some of a circle's rows; whether there may be more. The last to go is its energy, by which it is
/// found again. 2 calls and 1 for each 25 rows, 1 to 4 WRU a row.
pub(crate) async fn purge(app: &App, id: CircleId) -> Result<bool> {
    let energy = app.table.get::<Energy>(&energy_key(id)).await?;
    let due = |it: &Energy| it.died_at.is_some() && it.due().1 <= app.now();
    if !energy.as_ref().is_some_and(due) {
        return Ok(false);
    }
    let written = posts::page_to_purge(app, id, PAGE_ROWS).await?;
    let keys: Vec<_> = written.iter().map(Row::key).collect();
    app.table.batch_write::<Any>(&[], &keys).await?;
    let rows: Vec<Any> =
        app.table.query(&Query::partition(circle::pk(id)).consistent().limit(PAGE_ROWS)).await?;
    let last = [key(id), energy_key(id)];
    let keys: Vec<_> = rows.iter().map(Row::key).filter(|it| !last.contains(it)).collect();
    app.table.batch_write::<Any>(&[], &keys).await?;
    if written.len() == PAGE_ROWS || rows.len() == PAGE_ROWS {
        return Ok(true);
    }
    app.table.batch_write::<Any>(&[], &last).await?;
    Ok(false)
}

impl Row for Any {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
