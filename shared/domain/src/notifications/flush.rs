//! The job that runs every 40 seconds: what is pending becomes notifications.

use platform::{
    App,
    error::{Error, Result},
    metrics,
    queues::Job,
    settings::QueueUrls,
    table::{Key, Write},
};
use serde::{Deserialize, Serialize};

use super::{
    Notification, Pending, group, notification_event,
    outbox::{OutboxEntry, publish},
    pending::{self, Found},
};
use crate::people::users::{self, Person};

const TRIES: usize = 6;
const FACES: usize = 3;
pub(super) const CHANGED: Error = Error::Conflict("this was changed meanwhile");

/// A message that it is time to flush.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tick {}

/// Flushes the records that have waited longest, at most `NOTIFICATION_KEYS_PER_RUN`, and announces
/// them; a full run asks for another at once. Run twice or at the same time, it does nothing twice.
///
/// 5 calls and 3 RRU when nothing is pending; 5 calls, 8 RRU and up to 20 WRU for each record.
///
/// # Errors
/// Internal, when a record could not be flushed; it stays where it is, and the others are flushed.
pub async fn run(app: &App) -> Result<()> {
    let keys = pending::oldest(app, *app.settings.notification_keys_per_run).await?;
    metrics::tick(keys.len());
    let flushed = futures::future::join_all(keys.iter().map(|it| flush(app, it))).await;
    publish(app).await?;
    flushed.into_iter().collect::<Result<()>>()?;
    if keys.len() >= *app.settings.notification_keys_per_run {
        app.queues.send(&Tick {}).await?;
    }
    Ok(())
}

/// Flushes one record. One that cannot be told of is removed, whole.
async fn flush(app: &App, key: &Key) -> Result<()> {
    for attempt in 0..TRIES {
        let Some(found) = app.table.get::<Found>(key).await? else { return Ok(()) };
        let writes = match found.whole() {
            None => {
                tracing::warn!("an invalid pending record is removed");
                vec![found.removal()]
            }
            Some(pending) if pending.count < 1 => vec![pending.taken()],
            // What is added to all the time is never found unchanged.
            Some(pending) if attempt > 0 => told(app, &pending, pending.taken_off()).await?,
            Some(pending) => told(app, &pending, pending.taken()).await?,
        };
        match app.table.transact(writes).await {
            Err(Error::Conflict(_)) => continue,
            done => return done,
        }
    }
    tracing::warn!("a pending record is left for the next run: others are at it");
    Ok(())
}

/// The steps that take the count off the record and put it on the group.
async fn told(app: &App, pending: &Pending, taken: Write) -> Result<Vec<Write>> {
    let key = group::key(pending.subject.recipient, pending.subject.notification());
    let recent_events = notification_event::recent_events(app, pending);
    let (before, recent_events) = futures::try_join!(app.table.get::<Notification>(&key), recent_events)?;
    let mut after = Notification::with(before.as_ref(), pending, recent_events);
    after.faces = faces(app, &after).await?;
    let writes = after.instead_of(before.as_ref()).into_iter();
    Ok([taken, Write::put(&OutboxEntry::of(&after))].into_iter().chain(writes).collect())
}

async fn faces(app: &App, group: &Notification) -> Result<Vec<Person>> {
    let newest: Vec<_> = group.actors.ids().iter().take(FACES).copied().collect();
    let cards = users::cards(app, &newest).await?;
    Ok(newest.into_iter().filter_map(|it| Person::among(&cards, it)).collect())
}

impl Job for Tick {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.notification_tick, "NOTIFICATION_TICK_QUEUE_URL")
    }
}
