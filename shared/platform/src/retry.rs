//! Retries, bounded and with jitter.

use std::time::Duration;

use crate::{
    error::{Error, Result},
    random::random,
};

/// The most attempts at one piece of work, or at one call to AWS.
pub(crate) const ATTEMPTS: u32 = 8;
/// The longest pause after the first attempt; it doubles with each attempt.
pub(crate) const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// The longest pause after any attempt.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_millis(400);

const RETRY_AFTER_SECONDS: i64 = 1;

/// Does the work, and does it again from its beginning while it fails with [`Error::WriteConflict`]: the work reads,
/// decides and writes, and somebody else may change what it read before it writes.
///
/// # Errors
/// [`Error::LimitReached`] when every attempt was stale; else the error of the work.
pub async fn retry_on_conflict<T, F: Future<Output = Result<T>>>(work: impl Fn() -> F) -> Result<T> {
    retry_on_conflict_up_to(ATTEMPTS, work).await
}

/// Does the same as [`retry_on_conflict`], with so many attempts.
///
/// # Errors
/// As [`retry_on_conflict`].
pub async fn retry_on_conflict_up_to<T, F: Future<Output = Result<T>>>(
    attempts: u32,
    work: impl Fn() -> F,
) -> Result<T> {
    // On the heap: the work of a request is large, and each future around it would hold it once more.
    let work = || Box::pin(work());
    for attempt in 1..attempts {
        match work().await {
            Err(Error::WriteConflict) => pause(attempt).await,
            done => return done,
        }
    }
    match work().await {
        Err(Error::WriteConflict) => Err(Error::LimitReached { retry_after: RETRY_AFTER_SECONDS }),
        done => done,
    }
}

/// Sleeps for a random part of the longest pause after this attempt; the first attempt is 1.
pub(crate) async fn pause(attempt: u32) {
    let longest = FIRST_PAUSE.saturating_mul(1 << attempt.saturating_sub(1).min(ATTEMPTS)).min(LONGEST_PAUSE);
    let part: f64 = random();
    tokio::time::sleep(longest.mul_f64(part)).await;
}
