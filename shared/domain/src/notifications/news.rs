//! How many notifications were flushed and not announced yet. The end of a tick announces their sum to everybody, once;
//! after a crash the next tick does.

use platform::{
    App, Result,
    outbox::letter_write,
    retry_stale,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{NotificationNew, NotificationsFlushed};
use crate::ids::{EventId, NotificationId, UserId};

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

/// Counts notifications that were flushed. Costs 1 call and 1 WRU.
pub(super) async fn add(app: &App, flushed: usize) -> Result<()> {
    app.table.write(Write::update(count_key()).add("count", flushed as i64)).await
}

/// Has the sum of all that was flushed announced. Costs 1 call and 1 RRU without news; else 1 call and 2 WRU more.
///
/// # Errors
/// [`platform::Error::LimitReached`] when other ticks take the news all the time.
pub(super) async fn announce(app: &App) -> Result<()> {
    retry_stale(async || {
        let query = Query::partition(PARTITION).consistent().limit(ROWS_MAX);
        let news: Vec<News> = app.table.query(&query).await?;
        let earlier: Vec<_> = news.iter().filter_map(|it| it.flushed).collect();
        let count = news.iter().map(|it| it.count).sum::<i64>() + earlier.len() as i64;
        match count {
            0 => Ok(()),
            _ => app.table.transact(announce_writes(app, count, &earlier)).await,
        }
    })
    .await
}

/// Returns the writes that announce and take the news. They are stale when another tick took some of it.
fn announce_writes(app: &App, count: i64, earlier: &[Flushed]) -> Vec<Write> {
    let counted = count - earlier.len() as i64;
    let news = match counted {
        0 => letter_write(app),
        _ => Write::update(count_key()).add("count", -counted).equals("count", counted),
    };
    let news = news.then_publish(&NotificationsFlushed { count: usize::try_from(count).unwrap_or_default() });
    let told = |news: Write, it: &Flushed| news.then_publish(&NotificationNew::from(it));
    let news = earlier.iter().fold(news, told);
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
