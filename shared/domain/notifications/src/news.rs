//! How many notifications were flushed and not announced yet. The end of a tick announces their sum to everybody, once;
//! after a crash the next tick does.

use base::{
    ids::{EventId, NotificationId, UserId},
    jobs::OutboundJob,
};
use platform::{
    App, Result,
    outbox::letter_write,
    retry_stale,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{NotificationNew, NotificationsFlushed};

const PARTITION: &str = "NEWS";
const COUNT: &str = "COUNT";
/// The most rows that one tick reads: one less than a transaction has steps.
const ROWS_MAX: usize = 99;

/// A row of the partition: the count, or a notification that an earlier release flushed.
#[derive(Serialize, Deserialize)]
struct News {
    sk: String,
    #[serde(default)]
    count: i64,
    #[serde(flatten)]
    flushed: Option<Flushed>,
}

/// A notification that was flushed when each had a row here.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Flushed {
    recipient: UserId,
    notification: NotificationId,
    event: EventId,
}

/// Counts notifications that were flushed, and has each pushed to its recipient, and to the devices of those who have some.
/// Costs 1 call, and 1 WRU for each 7.
pub(super) async fn add(app: &App, flushed: &[NotificationNew], pushes: &[OutboundJob]) -> Result<()> {
    let count = Write::update(count_key()).add("count", flushed.len() as i64);
    let count = flushed.iter().fold(count, Write::then_publish);
    app.table.write(pushes.iter().fold(count, Write::then)).await
}

/// Has the sum of all that was flushed announced. Costs 1 call and 1 RRU without news; else 1 call and 1 WRU more.
///
/// # Errors
/// [`platform::Error::LimitReached`] when other ticks take the news all the time.
pub(super) async fn announce(app: &App) -> Result<()> {
    retry_stale(async || {
        let query = Query::partition(PARTITION).consistent().limit(ROWS_MAX);
        let news: Vec<News> = app.table.query(&query).await?;
        let earlier: Vec<_> = news.iter().filter_map(|it| it.flushed).collect();
        let count = news.iter().map(|it| it.count).sum::<i64>() + earlier.len() as i64;
        match (count, earlier.is_empty()) {
            (0, _) => Ok(()),
            (_, true) => app.table.write(announce_write(app, count, count)).await,
            _ => app.table.transact(announce_writes(app, count, &earlier)).await,
        }
    })
    .await
}

/// Returns the write that announces a sum, and takes what is `counted` of it. It is stale when another tick did.
fn announce_write(app: &App, sum: i64, counted: i64) -> Write {
    let news = match counted {
        0 => letter_write(app),
        _ => Write::update(count_key()).add("count", -counted).equals("count", counted),
    };
    news.then_publish(&NotificationsFlushed { count: usize::try_from(sum).unwrap_or_default() })
}

/// The same with what an earlier release flushed, which is pushed to its recipients too.
fn announce_writes(app: &App, sum: i64, earlier: &[Flushed]) -> Vec<Write> {
    let news = announce_write(app, sum, sum - earlier.len() as i64);
    let news = earlier.iter().map(NotificationNew::from).fold(news, |news, it| news.then_publish(&it));
    let taken = earlier.iter().map(|it| Write::delete(it.key()).exists().into());
    [news].into_iter().chain(taken).collect()
}

impl From<&Flushed> for NotificationNew {
    fn from(flushed: &Flushed) -> Self {
        Self { recipient_id: flushed.recipient, notification_id: flushed.notification }
    }
}

impl Flushed {
    fn key(&self) -> Key {
        Key::new(PARTITION, format!("{}#{}", self.event, self.notification))
    }
}

fn count_key() -> Key {
    Key::new(PARTITION, COUNT)
}

/// `NEWS / COUNT`; of an earlier release `NEWS / event#notification`
impl Row for News {
    fn key(&self) -> Key {
        Key::new(PARTITION, &self.sk)
    }
}
