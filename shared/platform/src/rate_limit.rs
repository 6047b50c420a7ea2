//! Rate limits: counts requests in windows of time.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    App,
    error::{Error, Result},
    table::{Attempt, Key, Row, Write},
    time::Time,
};

/// Seconds of the usual window.
pub const FIVE_MINUTES: i64 = 300;

/// How much of a limit a client has used.
#[derive(Clone, Copy, Debug)]
pub struct RateLimitStatus {
    /// Requests allowed in the window.
    pub limit: i64,
    /// Requests made in the window, this one included.
    pub used: i64,
    /// Seconds until the window ends.
    pub reset: i64,
}

impl RateLimitStatus {
    /// Refuses the request when it is one too many.
    ///
    /// # Errors
    /// [`Error::LimitReached`] over the limit.
    pub fn enforce(self) -> Result<()> {
        match self.used > self.limit {
            true => Err(Error::LimitReached { retry_after: self.reset.max(1) }),
            false => Ok(()),
        }
    }
}

/// Counts one request of `who` against `limit`, in windows of `window` seconds. Costs 1 call and 1 WRU.
///
/// `who` may be a personal datum (an address, an e-mail): the table holds only its hash, for one window.
///
/// # Errors
/// Fails when the table does not answer.
pub async fn count(app: &App, what: &str, who: &str, limit: i64, window: i64) -> Result<RateLimitStatus> {
    let now = app.now().seconds();
    let ends = (now / window + 1) * window;
    let row = Counter::key_of(what, who, ends);
    let write = Write::update(row).add("used", 1).set("ttl", ends + window);
    match app.table.attempt::<Counter>(write).await? {
        Attempt::Done(counter) => Ok(RateLimitStatus { limit, used: counter.used, reset: ends - now }),
        Attempt::Refused(_) => Ok(RateLimitStatus { limit, used: 0, reset: ends - now }),
    }
}

#[derive(Serialize, Deserialize)]
struct Counter {
    pk: String,
    used: i64,
    ttl: i64,
}

impl Counter {
    fn key_of(what: &str, who: &str, ends: i64) -> Key {
        let who = hex::encode(Sha256::digest(who.as_bytes()));
        Key::new(format!("RATE#{what}#{who}"), ends.to_string())
    }
}

/// `RATE#what#hash / window's end`, swept after the window
impl Row for Counter {
    fn key(&self) -> Key {
        Key::new(&self.pk, self.ttl.to_string())
    }

    fn expires(&self) -> Option<Time> {
        Some(Time::from_seconds(self.ttl))
    }
}
