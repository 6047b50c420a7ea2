//! The hourly drain: each living circle loses HP, exactly once an hour.

use base::due::{self, Due, DuePage};
use platform::{
    App,
    deadline::Deadline,
    error::{Error, Result},
    queues::{Job, QueueName},
    retry_on_conflict,
};
use serde::{Deserialize, Serialize};

use super::{Change, Energy, death::transition_writes, discover, energy_key, posts};

/// A message to the drain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum DrainJob {
    /// Start the drain of the hour.
    Drain,
    /// Drain a page of the circles that are due.
    Page(DuePage),
}

/// Does one job; the same job again drains no circle twice.
///
/// A message does pages of 25 circles while its invocation has time.
pub async fn drain(app: &App, deadline: &Deadline, job: DrainJob) -> Result<()> {
    match job {
        DrainJob::Drain => due::begin::<Energy, _>(app, Due::Drain, DrainJob::Page).await,
        DrainJob::Page(page) => {
            due::pages(app, deadline, Due::Drain, page, |energy| visit(app, energy), DrainJob::Page).await
        }
    }
}

/// Drains a circle that the index lists, and looks for posts that the judge did not hear of.
async fn visit(app: &App, listed: Energy) -> Result<()> {
    if !app.has_proposed_features() {
        return pass_over(app, listed).await;
    }
    drain_circle(app, listed.clone()).await?;
    discover::note(app, &listed).await?;
    posts::resend_unjudged(app, &listed).await
}

/// Lets the hours go by for which a circle does not pay, because nobody can see it: else it would pay for all of them,
/// and die, when the proposed features come back. A row that has changed since is left to the next run.
async fn pass_over(app: &App, listed: Energy) -> Result<()> {
    let now = app.now();
    if listed.died_at.is_some() || listed.next_drain_at() > now {
        return Ok(());
    }
    let version = listed.version;
    let passed = Energy { last_drain_at: Some(now.hour()), version: version + 1, ..listed };
    app.table.try_write(passed.change_write(version)).await.map(drop)
}

/// Drains a circle. The index may be behind: then the row itself is read.
async fn drain_circle(app: &App, listed: Energy) -> Result<()> {
    let key = energy_key(listed.circle);
    match drain_energy(app, listed).await {
        Err(Error::WriteConflict) => {
            retry_on_conflict(async || match app.table.get(&key).await? {
                Some(energy) => drain_energy(app, energy).await,
                None => Ok(()),
            })
            .await
        }
        done => done,
    }
}

/// Takes the HP of the hours that are not paid yet. The members hear of another condition.
async fn drain_energy(app: &App, energy: Energy) -> Result<()> {
    let now = app.now();
    let Some(change) = Change::drain(&energy, now).filter(|_| energy.died_at.is_none()) else {
        return Ok(());
    };
    app.table.transact(transition_writes(app, &change.apply(&energy, now)?).await?).await
}

impl Job for DrainJob {
    fn queue(&self) -> QueueName {
        QueueName::CircleDrain
    }
}
