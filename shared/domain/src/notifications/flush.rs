//! The job that runs every 40 seconds and turns pending records into notifications.

use platform::{
    App,
    deadline::Deadline,
    error::{Error, Result},
    metrics,
    queues::{Job, QueueName},
    retry_stale,
    rounds::{Bound, Rest, Rounds},
    table::{Key, Write},
};
use serde::{Deserialize, Serialize};

use super::{
    Notification, Pending,
    notification::key,
    notification_event::recent_events,
    outbox::{self, OutboxEntry},
    pending::{self, StoredPending},
};
use crate::people::users::{self, Person};

/// How many people a notification shows with name and picture.
const FACES: usize = 3;
/// Where a message that does one run comes to 300 records, and an ordinary one to many thousand. The next tick
/// is 40 seconds away, so a longer chain would only run beside those of the ticks after it.
const TICK: Bound = Bound { job: "notification tick", rounds_max: 30, rest: Rest::NextRun };

/// The message that starts a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tick {
    /// The messages of the tick before this one.
    #[serde(default, skip_serializing_if = "Rounds::is_first")]
    rounds: Rounds,
}

/// Runs until a run is not full, while the invocation has time; a message does the rest. A run takes the records
/// that have waited longest, at most `NOTIFICATION_KEYS_PER_RUN`. Two ticks at the same time count nothing twice.
///
/// # Errors
/// Internal, when a record could not be flushed: it stays, and the others of its run are flushed.
pub async fn flush(app: &App, deadline: &Deadline, tick: Tick) -> Result<()> {
    let mut found = 0;
    let page = async |()| {
        let keys = pending::oldest(app, *app.settings.notification_keys_per_run).await?;
        found += keys.len();
        run(app, &keys).await?;
        Ok((keys.len() >= *app.settings.notification_keys_per_run).then_some(()))
    };
    let ended = TICK.pages(app, deadline, ((), tick.rounds), page, |(), rounds| Tick { rounds }).await;
    metrics::tick(found);
    ended.map(drop)
}

/// Flushes the records of a run, and publishes the notifications. With the search for the records, it costs 5 calls
/// and 3 RRU when nothing is pending; 5 calls, 8 RRU and up to 20 WRU for each record.
async fn run(app: &App, keys: &[Key]) -> Result<()> {
    let flushed = futures::future::join_all(keys.iter().map(|it| flush_record(app, it))).await;
    outbox::publish(app).await?;
    flushed.into_iter().collect()
}

/// Flushes one record, or leaves it for the next run when it changes all the time.
async fn flush_record(app: &App, key: &Key) -> Result<()> {
    let flushed = match flush_once(app, key, Pending::delete_write).await {
        // A record that is added to all the time is never found unchanged: subtract what was read.
        Err(Error::Stale) => retry_stale(async || flush_once(app, key, Pending::subtract_write).await).await,
        done => done,
    };
    if let Err(Error::LimitReached { .. }) = flushed {
        tracing::warn!("a pending record changed all the time and is left for the next run");
        return Ok(());
    }
    flushed
}

/// Reads a record and moves its count to the notification. `take_write` takes the count off the record.
async fn flush_once(app: &App, key: &Key, take_write: fn(&Pending) -> Write) -> Result<()> {
    let Some(stored) = app.table.get::<StoredPending>(key).await? else { return Ok(()) };
    let writes = match stored.parse() {
        None => {
            tracing::warn!("an invalid pending record is deleted");
            vec![stored.delete_write()]
        }
        Some(pending) if pending.count < 1 => vec![pending.delete_write()],
        Some(pending) => flush_writes(app, &pending, take_write(&pending)).await?,
    };
    app.table.transact(writes).await
}

async fn flush_writes(app: &App, pending: &Pending, take_write: Write) -> Result<Vec<Write>> {
    let key = key(pending.subject.recipient, pending.subject.notification_id());
    let recent_events = recent_events(app, pending);
    let (before, recent_events) = futures::try_join!(app.table.get::<Notification>(&key), recent_events)?;
    let mut after = Notification::merged(before.as_ref(), pending, recent_events);
    after.faces = faces(app, &after).await?;
    let writes = after.replace_writes(before.as_ref()).into_iter();
    Ok([take_write, Write::put(&OutboxEntry::of(&after))].into_iter().chain(writes).collect())
}

async fn faces(app: &App, notification: &Notification) -> Result<Vec<Person>> {
    let newest: Vec<_> = notification.actors.ids().iter().take(FACES).copied().collect();
    let cards = users::cards(app, &newest).await?;
    Ok(newest.into_iter().filter_map(|it| Person::among(&cards, it)).collect())
}

impl Job for Tick {
    fn queue(&self) -> QueueName {
        QueueName::NotificationTick
    }
}
