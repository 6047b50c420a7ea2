//! What likes and votes have in common when they are settled: how many posts at once, and how long one of them is tried.

use platform::{
    error::{Error, Result},
    retry::retry_stale_up_to,
};

/// What of different posts is settled at the same time.
pub(super) const POSTS_AT_ONCE: usize = 8;
/// Attempts at a row that others write too. A message that fails hides for minutes, so a worker does not give up as soon
/// as a request would: of three that want one row, this one loses so often once in 10,000 times.
const ATTEMPTS_ALONE: u32 = 24;

/// Tries to settle what belongs to one post until it is done, or others have held its row for too long.
pub(super) async fn settle_alone<T>(attempt: impl AsyncFn() -> Result<T>) -> Result<T> {
    let attempt = async || match attempt().await {
        // Others held the row all the time: what is true of it now is not what was read.
        Err(Error::LimitReached { .. }) => Err(Error::Stale),
        done => done,
    };
    retry_stale_up_to(ATTEMPTS_ALONE, attempt).await
}

/// Returns the failures of the messages with these indexes.
pub(super) fn failures(indexes: impl Iterator<Item = usize>, error: &Error) -> Vec<(usize, Error)> {
    tracing::warn!("likes, votes or tallies are not settled: {error:?}");
    indexes.map(|it| (it, Error::internal(anyhow::anyhow!("not settled")))).collect()
}
