//! Purging: 24 hours after a circle's death its rows are deleted. Its stone stays.

use base::{
    due::{self, Due},
    ids::CircleId,
    jobs::Chore,
};
use platform::{
    App, Result,
    deadline::Deadline,
    rounds::Rounds,
    table::{KeyOnly, Query, Row},
};

use super::{Energy, circle, energy_key, key, posts};

/// Posts, and other rows, that one message deletes at most.
const PAGE_ROWS: usize = 200;

/// Sends a chore for the first page of each shard with circles to purge. Costs 8 calls and 4 RRU, and a message
/// for each such shard.
pub async fn begin(app: &App) -> Result<()> {
    let first = |shard| Chore::PurgePage { shard, after: None, rounds: Rounds::default() };
    due::begin::<Energy, _>(app, Due::Purge, first).await
}

/// Sends a chore for each circle to purge of a shard, page by page while there is time. A page costs 1 call, and
/// a message for each circle.
pub async fn purge_pages(
    app: &App,
    deadline: &Deadline,
    shard: u8,
    from: (Option<String>, Rounds),
) -> Result<()> {
    let next = |after, rounds| Chore::PurgePage { shard, after, rounds };
    due::pages(app, deadline, (Due::Purge, shard), from, |it| send_purge(app, it), next).await
}

async fn send_purge(app: &App, energy: Energy) -> Result<()> {
    app.queues.send(&Chore::PurgeCircle { circle: energy.circle, rounds: Rounds::default() }).await
}

/// Deletes some of a circle's rows, and returns whether there may be more. The energy is deleted last, because
/// it lists the circle as due. Costs 2 calls, 1 call for each 25 rows, and 1 to 4 WRU a row.
pub async fn purge(app: &App, id: CircleId) -> Result<bool> {
    let energy = app.table.get::<Energy>(&energy_key(id)).await?;
    let due = |it: &Energy| it.died_at.is_some() && it.due().1 <= app.now();
    if !energy.as_ref().is_some_and(due) {
        return Ok(false);
    }
    let written = posts::page_to_purge(app, id, PAGE_ROWS).await?;
    let keys: Vec<_> = written.iter().map(Row::key).collect();
    app.table.batch_write::<KeyOnly>(&[], &keys).await?;
    let rows: Vec<KeyOnly> =
        app.table.query(&Query::partition(circle::partition(id)).consistent().limit(PAGE_ROWS)).await?;
    let last = [key(id), energy_key(id)];
    let keys: Vec<_> = rows.iter().map(Row::key).filter(|it| !last.contains(it)).collect();
    app.table.batch_write::<KeyOnly>(&[], &keys).await?;
    if written.len() == PAGE_ROWS || rows.len() == PAGE_ROWS {
        return Ok(true);
    }
    app.table.batch_write::<KeyOnly>(&[], &last).await?;
    Ok(false)
}
