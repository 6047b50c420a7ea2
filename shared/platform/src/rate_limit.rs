//! Rate limits: counts requests in windows of time, and says which limit is the nearest.

use std::cell::Cell;

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

tokio::task_local! {
    /// Of the limits that the request under way was held to, the one that it is nearest to.
    static NEAREST: Cell<Option<RateLimitStatus>>;
}

/// Does some work, and returns the status of the limit that it struck or came nearest to; none where it met none.
pub async fn noting<T>(work: impl Future<Output = T>) -> (T, Option<RateLimitStatus>) {
    let noted = async { (work.await, NEAREST.with(Cell::get)) };
    NEAREST.scope(Cell::default(), noted).await
}

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
    /// Returns how many more requests the limit allows.
    pub fn remaining(self) -> i64 {
        (self.limit - self.used).max(0)
    }

    /// Notes the status for the headers of the answer, and refuses the request when it is one too many.
    ///
    /// # Errors
    /// [`Error::LimitReached`] over the limit.
    pub fn enforce(self) -> Result<()> {
        // Work outside of a request has no answer.
        let _ = NEAREST.try_with(|it| it.set(Some(it.get().map_or(self, |noted| noted.nearer(self)))));
        match self.used > self.limit {
            true => Err(Error::LimitReached { retry_after: self.reset.max(1) }),
            false => Ok(()),
        }
    }

    fn nearer(self, other: Self) -> Self {
        if other.limit - other.used < self.limit - self.used { other } else { self }
    }
}

/// A limit: so many requests of one client in windows of so many seconds.
#[derive(Clone, Copy, Debug)]
pub struct RateLimit {
    /// What is limited; part of the key.
    pub what: &'static str,
    /// The requests allowed in a window.
    pub most: i64,
    /// The seconds of a window.
    pub seconds: i64,
}

impl RateLimit {
    /// Counts one request of `who`.
    ///
    /// `who` may be a personal datum (an address, an e-mail): the table holds only its hash, for one window.
    ///
    /// # Errors
    /// Fails when the table does not answer.
    pub async fn count(&self, app: &App, who: &str) -> Result<RateLimitStatus> {
        self.count_by(app, who, 1).await
    }

    /// Counts so many requests of `who`; fewer than none take some back.
    ///
    /// # Errors
    /// Fails when the table does not answer.
    pub async fn count_by(&self, app: &App, who: &str, by: i64) -> Result<RateLimitStatus> {
        let write =
            Write::update(self.key(app, who)).add("used", by).set("ttl", self.ends(app) + self.seconds);
        match app.table.attempt::<Counter>(write).await? {
            Attempt::Done(counter) => Ok(self.status(app, Some(counter))),
            Attempt::Refused(_) => Ok(self.status(app, None)),
        }
    }

    /// Returns the key of the counter of `who`, for whoever reads it with other rows.
    pub fn key(&self, app: &App, who: &str) -> Key {
        let who = hex::encode(Sha256::digest(who.as_bytes()));
        Key::new(format!("RATE#{}#{who}", self.what), self.ends(app).to_string())
    }

    /// Returns the status that a counter shows; without one, nothing is used.
    pub fn status(&self, app: &App, counter: Option<Counter>) -> RateLimitStatus {
        let used = counter.map_or(0, |it| it.used);
        RateLimitStatus { limit: self.most, used, reset: self.ends(app) - app.now().seconds() }
    }

    /// Returns the end of the present window, in Unix seconds.
    fn ends(&self, app: &App) -> i64 {
        (app.now().seconds() / self.seconds + 1) * self.seconds
    }
}

/// What one client has used of a limit in one window.
#[derive(Serialize, Deserialize)]
pub struct Counter {
    pk: String,
    used: i64,
    ttl: i64,
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
