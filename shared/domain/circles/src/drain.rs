//! The hourly drain: each living circle loses HP, exactly once an hour.

use base::due::{self, Due};
use platform::{
    App,
    deadline::Deadline,
    error::{Error, Result},
    queues::{Job, QueueName},
    retry_stale,
    rounds::Rounds,
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
    Page {
        /// The shard of the page.
        shard: u8,
        /// The sort key of the last circle of the page before; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
}

/// Does one job; the same job again drains no circle twice.
///
/// A message does pages of 25 circles while its invocation has time. A page costs 1 call, and 1 call and 6 WRU a
/// circle; 3 calls more for one that dies.
pub async fn drain(app: &App, deadline: &Deadline, job: DrainJob) -> Result<()> {
    match job {
        DrainJob::Drain => {
            let first = |shard| DrainJob::Page { shard, after: None, rounds: Rounds::default() };
            due::begin::<Energy, _>(app, Due::Drain, first).await
        }
        DrainJob::Page { shard, after, rounds } => {
            let next = |after, rounds| DrainJob::Page { shard, after, rounds };
            let from = (after, rounds);
            due::pages(app, deadline, (Due::Drain, shard), from, |it| visit(app, it), next).await
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
/// and die, when the proposed features come back. Costs 1 call and 4 WRU. A row that has changed since is left to the
/// next run.
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
        Err(Error::Stale) => {
            retry_stale(async || match app.table.get(&key).await? {
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
    let energy = publish_unpublished(app, energy).await?;
    let now = app.now();
    let Some(change) = Change::drain(&energy, now).filter(|_| energy.died_at.is_none()) else {
        return Ok(());
    };
    app.table.transact(transition_writes(app, &change.apply(&energy, now)?).await?).await
}

/// Publishes the change of condition that an earlier version of the code left unpublished.
async fn publish_unpublished(app: &App, energy: Energy) -> Result<Energy> {
    let Some(before) = energy.unpublished else { return Ok(energy) };
    let published = Energy { unpublished: None, version: energy.version + 1, ..energy.clone() };
    let event = published.changed(before, app.now());
    app.table.write(published.change_write(energy.version).then_publish(&event)).await?;
    Ok(published)
}

impl Job for DrainJob {
    fn queue(&self) -> QueueName {
        QueueName::CircleDrain
    }
}
