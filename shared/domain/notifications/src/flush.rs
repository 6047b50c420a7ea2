//! The job that runs every 40 seconds and turns pending records into notifications.

use platform::{
    App,
    deadline::Deadline,
    error::Result,
    metrics,
    paged::{Bound, End, Paged, Remainder},
    queues::{Job, QueueName},
};
use serde::{Deserialize, Serialize};

use super::{news, pending, run::run};

/// Where a message that does one run of each shard comes to 4,800 records, and an ordinary one to many thousand. The
/// next tick is 40 seconds away, so a longer chain would only run beside those of the ticks after it.
const TICK: Bound = Bound { job: "notification tick", messages_max: 30, remainder: Remainder::NextRun };

/// The message that starts the runs of a tick.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tick(Paged<()>);

/// The runs of one shard, one after the other.
#[derive(Clone)]
struct Lane {
    shard: u128,
    /// The index shows what was flushed for a moment: the next run begins behind the last one.
    after: Option<String>,
}

/// Runs over all shards side by side, each until a run of it is not full, while the invocation has time; a message does
/// the rest. A run takes the records of its shard that have waited longest, at most `NOTIFICATION_KEYS_PER_RUN`. The
/// end of the tick announces the sum. Two ticks at the same time count nothing twice.
///
/// # Errors
/// Internal, when a record could not be flushed: it stays, and the others of its round are flushed.
pub async fn flush(app: &App, deadline: &Deadline, tick: Tick) -> Result<()> {
    let mut found = 0;
    let round = async |full: Option<Vec<Lane>>| {
        let lanes = full.unwrap_or_else(lanes);
        let ran = futures::future::join_all(lanes.into_iter().map(|it| it.run(app))).await;
        let ran = ran.into_iter().collect::<Result<Vec<_>>>()?;
        found += ran.iter().map(|(records, _)| records).sum::<usize>();
        let full: Vec<_> = ran.into_iter().filter_map(|(_, next)| next).collect();
        Ok((!full.is_empty()).then_some(full))
    };
    let next = |page: Paged<_>| Tick(page.at(None));
    let ended = TICK.pages(app, deadline, tick.0.at(None), round, next).await;
    metrics::tick(found);
    match ended? {
        End::Continued => Ok(()),
        End::Done | End::Cut => news::announce(app).await,
    }
}

fn lanes() -> Vec<Lane> {
    (0..pending::SHARDS).map(|shard| Lane { shard, after: None }).collect()
}

impl Lane {
    /// Does one run. Returns how many records it found, and the lane of the next run when it was full.
    async fn run(self, app: &App) -> Result<(usize, Option<Self>)> {
        let most = *app.settings.notification_keys_per_run;
        let found = pending::oldest(app, self.shard, self.after.as_deref(), most).await?;
        run(app, &found).await?;
        let last = found.last().filter(|_| found.len() >= most);
        Ok((found.len(), last.map(|it| Self { after: it.since(), ..self })))
    }
}

impl Job for Tick {
    fn queue(&self) -> QueueName {
        QueueName::NotificationTick
    }
}
