//! Retries with backoff and jitter.

use std::time::Duration;

use crate::{Error, Result, random::random};

/// Maximum number of attempts for a retried function or an AWS call.
pub(crate) const ATTEMPTS: u32 = 8;
/// Maximum pause after the first attempt. The maximum doubles with each further attempt, up to [`LONGEST_PAUSE`].
pub(crate) const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// Maximum pause after any attempt.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_millis(400);

const RETRY_AFTER_SECONDS: i64 = 1;

/// Runs `work` again after each [`Error::WriteConflict`], up to 8 times in total. `work` reads rows and then writes
/// them. A concurrent request may change the rows in between.
///
/// # Errors
/// Fails with [`Error::LimitReached`] if every attempt conflicts. Returns any other error of `work` immediately.
pub async fn retry_on_conflict<T, F: Future<Output = Result<T>>>(work: impl Fn() -> F) -> Result<T> {
    retry_on_conflict_up_to(ATTEMPTS, work).await
}

/// Works like [`retry_on_conflict`], with at most `attempts` attempts.
pub async fn retry_on_conflict_up_to<T, F: Future<Output = Result<T>>>(
    attempts: u32,
    work: impl Fn() -> F,
) -> Result<T> {
    // Boxed, because the future of `work` can be large. Without the box, each future that awaits it would contain it.
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

/// Sleeps for a random time, up to the maximum pause after this attempt. The first attempt has the number 1.
pub(crate) async fn pause(attempt: u32) {
    let longest = FIRST_PAUSE.saturating_mul(1 << attempt.saturating_sub(1).min(ATTEMPTS)).min(LONGEST_PAUSE);
    let part: f64 = random();
    tokio::time::sleep(longest.mul_f64(part)).await;
}
