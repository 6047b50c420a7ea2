//! Deletes the rows of a circle 24 hours after its death. The circle's stone stays in the museum.

use base::{Chore, CircleId, Due, DuePage, due};
use platform::{App, Deadline, Paged, Query, Result, Row, outcomes, table::KeyOnly};

use super::{Energy, circle, energy_key, key, posts};

/// Maximum number of posts that one call of [`purge`] deletes, and maximum number of other rows.
const PAGE_ROWS: usize = 200;

/// Starts the purge. Queues a job for each shard that has circles to purge.
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<Energy, _>(app, Due::Purge, Chore::PurgePage).await
}

/// Queues a job for each circle of a shard that must be purged, page by page until the deadline.
pub async fn purge_pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    let send = async |energy: Energy| {
        app.queues.send(&Chore::PurgeCircle { circle: energy.circle, page: Paged::FIRST }).await
    };
    due::pages(app, deadline, Due::Purge, page, send, Chore::PurgePage).await
}

/// Deletes a page of a circle's rows, and returns whether there may be more rows. The energy row is deleted last,
/// because that row lists the circle as due.
pub async fn purge(app: &App, id: CircleId) -> Result<bool> {
    let energy = app.table.get::<Energy>(&energy_key(id)).await?;
    let is_due = |energy: &Energy| energy.died_at.is_some() && energy.due().1 <= app.now();
    if !energy.as_ref().is_some_and(is_due) {
        outcomes::note("repeated");
        return Ok(false);
    }
    let posts = posts::page_to_purge(app, id, PAGE_ROWS).await?;
    app.table.delete_rows(posts.iter().map(Row::key).collect()).await?;
    let rows: Vec<KeyOnly> =
        app.table.query(&Query::partition(circle::partition(id)).consistent().limit(PAGE_ROWS)).await?;
    let last = [key(id), energy_key(id)];
    let keys = rows.iter().map(Row::key).filter(|key| !last.contains(key));
    app.table.delete_rows(keys.collect()).await?;
    if posts.len() == PAGE_ROWS || rows.len() == PAGE_ROWS {
        return Ok(true);
    }
    app.table.delete_rows(last.into()).await?;
    Ok(false)
}
