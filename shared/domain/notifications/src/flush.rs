//! The flush job, which adds the events of pending records to notifications every 40 seconds. One run of the job is a
//! tick.

use futures::future::join_all;
use platform::{
    App, Deadline, Paged, Result, metrics,
    paged::{Bound, End, Remainder},
};
use serde::{Deserialize, Serialize};

use super::{batch::flush_batch, flushed_count, pending};

/// Maximum number of messages in one run of the flush job. A longer run would overlap with the next run, which starts
/// after 40 seconds.
const TICK: Bound = Bound { job: "notification tick", messages_max: 30, remainder: Remainder::NextRun };

/// The message that starts or continues a run of the flush job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tick(Paged<()>);

/// How far a run of the job got in one shard of pending records.
#[derive(Clone)]
struct ShardCursor {
    shard: u128,
    /// The sort key of the last record in the previous batch, or `None` at the start.
    after: Option<String>,
}

/// Flushes the pending records of all shards in parallel, in batches of at most `NOTIFICATION_KEYS_PER_RUN` records. If
/// the deadline is reached, sends a message that continues the job. At the end, announces the number of new
/// notifications to all clients. Concurrent runs do not count an event twice.
///
/// # Errors
/// Fails with an internal error if a record could not be flushed. This record is kept, and the other records in its
/// batch are flushed.
pub async fn flush(app: &App, deadline: &Deadline, tick: Tick) -> Result<()> {
    let mut found = 0;
    let flush_batches = async |unfinished: Option<Vec<ShardCursor>>| {
        let first = || (0..pending::SHARDS).map(|shard| ShardCursor { shard, after: None }).collect();
        let cursors = unfinished.unwrap_or_else(first);
        let batches = join_all(cursors.into_iter().map(|cursor| cursor.flush_next(app))).await;
        let batches = batches.into_iter().collect::<Result<Vec<_>>>()?;
        found += batches.iter().map(|(records, _)| records).sum::<usize>();
        let unfinished: Vec<_> = batches.into_iter().filter_map(|(_, next)| next).collect();
        Ok((!unfinished.is_empty()).then_some(unfinished))
    };
    let next = |page: Paged<_>| Tick(page.at(None));
    let ended = TICK.pages(app, deadline, tick.0.at(None), flush_batches, next).await;
    metrics::tick(found);
    match ended? {
        End::Continued => Ok(()),
        End::Done | End::Cut => flushed_count::announce(app).await,
    }
}

impl ShardCursor {
    /// Flushes the next batch. Returns the number of records in the batch. If the batch was full, also returns the
    /// cursor of the next batch.
    async fn flush_next(self, app: &App) -> Result<(usize, Option<Self>)> {
        let records_max = *app.settings.notification_keys_per_run;
        let found = pending::oldest(app, self.shard, self.after.as_deref(), records_max).await?;
        flush_batch(app, &found).await?;
        let last = found.last().filter(|_| found.len() >= records_max);
        Ok((found.len(), last.map(|record| Self { after: record.since(), ..self })))
    }
}

platform::jobs!(Tick: NotificationTick);
