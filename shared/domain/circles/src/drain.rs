//! The hourly drain: each living circle loses HP exactly once an hour.

use base::{Due, DuePage, due};
use platform::{App, Deadline, Error, Result, outcomes, retry_on_conflict};
use serde::{Deserialize, Serialize};

use super::{Change, Energy, death::transition_writes, discover, energy_key, posts};

/// A message to the worker that drains circles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum DrainJob {
    /// Start this hour's drain.
    Drain,
    /// Drain a page of due circles.
    Page(DuePage),
}

/// Runs a drain job. Drains pages of 25 circles until the deadline. Repeating a job has no effect.
pub async fn drain(app: &App, deadline: &Deadline, job: DrainJob) -> Result<()> {
    match job {
        DrainJob::Drain => due::begin::<Energy, _>(app, Due::Drain, DrainJob::Page).await,
        DrainJob::Page(page) => {
            due::pages(app, deadline, Due::Drain, page, |energy| drain_listed(app, energy), DrainJob::Page)
                .await
        }
    }
}

/// Drains a circle that the index returned, and records its last activity. Sends posts without a verdict to the judge
/// again.
async fn drain_listed(app: &App, listed: Energy) -> Result<()> {
    if !app.has_proposed_features() {
        return skip_hours(app, listed).await;
    }
    drain_circle(app, listed.clone()).await?;
    discover::record_activity(app, &listed).await?;
    posts::resend_unjudged(app, &listed).await
}

/// Marks the hours since the last drain as drained, but removes no HP. Otherwise, a circle would lose the HP of all
/// these hours when proposed features are turned on. After a conflict, the next run retries.
async fn skip_hours(app: &App, listed: Energy) -> Result<()> {
    let now = app.now();
    if listed.died_at.is_some() || listed.next_drain_at() > now {
        return Ok(());
    }
    outcomes::note("proposed features are off");
    let version = listed.version;
    let skipped = Energy { last_drain_at: Some(now.hour()), version: version + 1, ..listed };
    app.table.try_write(skipped.change_write(version)).await.map(drop)
}

/// Drains a circle. After a conflict, retries with the stored energy row, because `listed` may be outdated.
async fn drain_circle(app: &App, listed: Energy) -> Result<()> {
    let key = energy_key(listed.circle);
    match drain_energy(app, listed).await {
        Err(Error::WriteConflict) => {
            outcomes::note("the circle changed");
            retry_on_conflict(async || match app.table.get(&key).await? {
                Some(energy) => drain_energy(app, energy).await,
                None => Ok(()),
            })
            .await
        }
        done => done,
    }
}

/// Removes HP for each full hour since the last drain.
async fn drain_energy(app: &App, energy: Energy) -> Result<()> {
    let now = app.now();
    let Some(change) = Change::drain(&energy, now).filter(|_| energy.died_at.is_none()) else {
        return outcomes::end("repeated");
    };
    app.table.transact(transition_writes(app, &change.apply(&energy, now)?).await?).await
}

platform::jobs!(DrainJob: CircleDrain);
