//! Purging: 24 hours after a circle's death its rows are deleted. Its stone stays.

use base::{
    due::{self, Due, DuePage},
    ids::CircleId,
    jobs::Chore,
};
use platform::{
    App, Result,
    deadline::Deadline,
    paged::Paged,
    table::{KeyOnly, Query, Row},
};

use super::{Energy, circle, energy_key, key, posts};

/// Posts, and other rows, that one message deletes at most.
const PAGE_ROWS: usize = 200;

/// Sends a chore for the first page of each shard with circles to purge.
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<Energy, _>(app, Due::Purge, Chore::PurgePage).await
}

/// Sends a chore for each circle to purge of a shard, page by page while there is time.
pub async fn purge_pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    due::pages(app, deadline, Due::Purge, page, |energy| send_purge(app, energy), Chore::PurgePage).await
}

async fn send_purge(app: &App, energy: Energy) -> Result<()> {
    app.queues.send(&Chore::PurgeCircle { circle: energy.circle, page: Paged::FIRST }).await
}

/// Deletes some of a circle's rows, and returns whether there may be more. The energy is deleted last, because it lists
/// the circle as due.
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
