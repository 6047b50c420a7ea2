//! The hourly drain: each living circle loses HP, once an hour, exactly.

use platform::{
    App,
    error::{Error, Result},
    queues::Job,
    settings::QueueUrls,
    table::Write,
};
use serde::{Deserialize, Serialize};

use super::{Change, Changed, Due, Energy, due, energy_key};

const TRIES: usize = 16;

/// A message to the drain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum DrainJob {
    /// An hour began.
    Drain,
    /// Some of the circles that are due.
    Page {
        /// Of which shard.
        shard: u8,
        /// The last one of the page before; none at first.
        after: Option<String>,
    },
}

/// Does one job. A page: 25 circles, 1 call and 6 WRU each; a call, an event and 3 WRU more for one that has
/// another stage, and 3 calls for one that dies.
///
/// # Errors
/// Internal: the message comes again, and drains nobody twice.
pub async fn drain(app: &App, job: DrainJob) -> Result<()> {
    match job {
        DrainJob::Drain => {
            due::begin::<Energy, _>(app, Due::Drain, |shard| DrainJob::Page { shard, after: None }).await
        }
        DrainJob::Page { shard, after } => {
            let next = |after| DrainJob::Page { shard, after: Some(after) };
            due::page(app, (Due::Drain, shard), after, next, |it| drained(app, it)).await
        }
    }
}

/// Makes a circle pay for the hours that have gone by, and tells its members what came of it. The index may
/// be behind: the write tells.
async fn drained(app: &App, mut energy: Energy) -> Result<()> {
    for _ in 0..TRIES {
        let Some((changed, steps)) = next(app, &energy).await? else { return Ok(()) };
        energy = match app.table.transact(steps).await {
            Err(Error::Conflict(_)) => match app.table.get(&energy_key(energy.circle)).await? {
                Some(now_so) => now_so,
                None => return Ok(()),
            },
            done => done.map(|()| changed.after)?,
        };
    }
    Err(Error::internal(anyhow::anyhow!("a circle kept changing while it was drained")))
}

/// What is to be done of it: hours are paid for, then their news is published, then that is noted.
async fn next(app: &App, energy: &Energy) -> Result<Option<(Changed, Vec<Write>)>> {
    if let Some(before) = energy.unpublished {
        energy.publish(app, before).await?;
        let published = energy.published();
        let steps = published.survived();
        return Ok(Some((published, steps)));
    }
    let now = app.now();
    let Some(change) = Change::drain(energy, now).filter(|_| energy.died_at.is_none()) else {
        return Ok(None);
    };
    let changed = energy.changed(&change, now)?.noted();
    let steps = changed.with_stone(app).await?;
    Ok(Some((changed, steps)))
}

impl Job for DrainJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.circle_drain, "CIRCLE_DRAIN_QUEUE_URL")
    }
}
