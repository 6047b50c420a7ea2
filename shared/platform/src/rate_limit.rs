//! Rate limits: counts requests in time windows, and records the limit that is nearest to being exceeded.

use std::cell::Cell;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{App, Error, Key, Result, Row, Time, Write, table::Attempt};

/// The usual window, in seconds.
pub const FIVE_MINUTES: i64 = 300;

tokio::task_local! {
    /// The checked limit with the fewest requests left, or `None` if the current request checked no limit.
    static NEAREST: Cell<Option<RateLimitStatus>>;
}

/// Runs `work`. Returns its result, and the checked limit with the fewest requests left, or `None` if no limit was
/// checked.
pub async fn with_nearest<T>(work: impl Future<Output = T>) -> (T, Option<RateLimitStatus>) {
    let recorded = async { (work.await, NEAREST.with(Cell::get)) };
    NEAREST.scope(Cell::default(), recorded).await
}

/// How much of a limit a client has used.
#[derive(Clone, Copy, Debug)]
pub struct RateLimitStatus {
    /// Requests allowed in the window.
    pub limit: i64,
    /// Requests made in the window, including this one.
    pub used: i64,
    /// Seconds until the window ends.
    pub reset: i64,
}

impl RateLimitStatus {
    /// Returns the number of further requests that the limit allows.
    pub fn remaining(self) -> i64 {
        (self.limit - self.used).max(0)
    }

    /// Records the status for the response headers.
    ///
    /// # Errors
    /// Fails with [`Error::LimitReached`] if the request exceeds the limit.
    pub fn enforce(self) -> Result<()> {
        // Work outside of a request has no response headers.
        let _ = NEAREST.try_with(|nearest| {
            nearest.set(Some(nearest.get().map_or(self, |recorded| recorded.nearer(self))));
        });
        match self.is_exceeded() {
            true => Err(Error::LimitReached { retry_after: self.reset.max(1) }),
            false => Ok(()),
        }
    }

    /// Returns whether the request exceeds the limit. In contrast to [`Self::enforce`], records nothing for the response.
    pub fn is_exceeded(self) -> bool {
        self.used > self.limit
    }

    fn nearer(self, other: Self) -> Self {
        if other.limit - other.used < self.limit - self.used { other } else { self }
    }
}

/// A limit on the requests of each client in a time window.
#[derive(Clone, Copy, Debug)]
pub struct RateLimit {
    /// Name of the limit, which is part of the counter's key.
    pub what: &'static str,
    /// Requests allowed in a window.
    pub most: i64,
    /// Length of a window in seconds.
    pub seconds: i64,
}

impl RateLimit {
    /// Counts one request of the client `who`.
    ///
    /// `who` may be personal data, such as an email address. The table stores only a hash of `who`, until the counter
    /// expires.
    pub async fn count(&self, app: &App, who: &str) -> Result<RateLimitStatus> {
        self.count_by(app, who, 1).await
    }

    /// Counts `by` requests of the client `who`. A negative number subtracts requests that were counted before.
    pub async fn count_by(&self, app: &App, who: &str, by: i64) -> Result<RateLimitStatus> {
        let write =
            Write::update(self.key(app, who)).add("used", by).set("ttl", self.ends(app) + self.seconds);
        match app.table.attempt::<Counter>(write).await? {
            Attempt::Done(counter) => Ok(self.status(app, Some(counter))),
            Attempt::Refused(_) => Ok(self.status(app, None)),
        }
    }

    /// Returns the write that counts one request of the client `who`. The write fails with [`Error::LimitReached`] if
    /// the request exceeds the limit.
    pub fn count_write(&self, app: &App, who: &str) -> Write {
        let ends = self.ends(app);
        let exceeded = Error::LimitReached { retry_after: (ends - app.now().seconds()).max(1) };
        let write = Write::update(self.key(app, who)).add("used", 1).set("ttl", ends + self.seconds);
        write.below_or_lacks("used", self.most).or(exceeded)
    }

    /// Returns the key of the counter of the client `who`. Callers use the key to read the counter together with other
    /// rows.
    pub fn key(&self, app: &App, who: &str) -> Key {
        let who = hex::encode(Sha256::digest(who.as_bytes()));
        Key::new(format!("RATE#{}#{who}", self.what), self.ends(app).to_string())
    }

    /// Returns the usage in `counter`. `None` means that there were no requests.
    pub fn status(&self, app: &App, counter: Option<Counter>) -> RateLimitStatus {
        self.status_of(app, counter.map_or(0, |counter| counter.used))
    }

    /// Returns the status of a client with `used` requests.
    pub fn status_of(&self, app: &App, used: i64) -> RateLimitStatus {
        RateLimitStatus { limit: self.most, used, reset: self.ends(app) - app.now().seconds() }
    }

    /// Returns the end of the current window, in Unix seconds.
    fn ends(&self, app: &App) -> i64 {
        (app.now().seconds() / self.seconds + 1) * self.seconds
    }
}

/// Number of requests of one client in one window.
#[derive(Serialize, Deserialize)]
pub struct Counter {
    pk: String,
    used: i64,
    ttl: i64,
}

/// `RATE#what#hash / end of the window`, expires with the window
impl Row for Counter {
    fn key(&self) -> Key {
        Key::new(&self.pk, self.ttl.to_string())
    }

    fn expires(&self) -> Option<Time> {
        Some(Time::from_seconds(self.ttl))
    }
}
