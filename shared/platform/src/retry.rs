//! Retries, bounded and with jitter.

use std::time::Duration;

use rand::RngExt;

use crate::error::{Error, Result};

/// The most attempts at one piece of work.
pub(crate) const ATTEMPTS: u32 = 8;

const FIRST_PAUSE_MILLIS: u64 = 10;
const LONGEST_PAUSE_MILLIS: u64 = 400;
const RETRY_AFTER_SECONDS: i64 = 1;

/// Does the work, and does it again from its beginning while it fails with [`Error::Stale`]: the work reads,
/// decides and writes, and somebody else may change what it read before it writes.
///
/// # Errors
/// [`Error::LimitReached`] when every attempt was stale; else the error of the work.
pub async fn retry_stale<T, F: Future<Output = Result<T>>>(work: impl Fn() -> F) -> Result<T> {
    for attempt in 1..ATTEMPTS {
        match work().await {
            Err(Error::Stale) => pause(attempt).await,
            done => return done,
        }
    }
    match work().await {
        Err(Error::Stale) => Err(Error::LimitReached { retry_after: RETRY_AFTER_SECONDS }),
        done => done,
    }
}

/// Sleeps for a random part of a time that doubles with each attempt.
pub(crate) async fn pause(attempt: u32) {
    let longest = (FIRST_PAUSE_MILLIS << attempt).min(LONGEST_PAUSE_MILLIS);
    let millis = rand::rng().random_range(0..=longest);
    tokio::time::sleep(Duration::from_millis(millis)).await;
}
