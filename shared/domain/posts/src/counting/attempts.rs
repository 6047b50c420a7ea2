//! Retries the work that applies the likes or votes of one post.

use platform::{Error, Result, retry::retry_on_conflict_up_to};

/// Maximum number of posts whose likes or votes are applied concurrently.
pub(crate) const POSTS_AT_ONCE: usize = 8;
/// Maximum number of attempts on conflicts. A worker makes more attempts than a request, because the queue retries a
/// failed message only after minutes.
const ATTEMPTS_ALONE: u32 = 24;

/// Runs `attempt`, which applies the likes or votes of one post, and retries on conflicts. Fails with
/// [`Error::LimitReached`] if all 24 attempts conflict.
pub(crate) async fn apply_alone<T>(attempt: impl AsyncFn() -> Result<T>) -> Result<T> {
    let attempt = async || match attempt().await {
        // A row of likers changed too often. The next attempt reads the post again.
        Err(Error::LimitReached { .. }) => Err(Error::WriteConflict),
        done => done,
    };
    retry_on_conflict_up_to(ATTEMPTS_ALONE, attempt).await
}

/// Logs `error`, and returns an internal error for each message index.
pub(crate) fn failures(indexes: impl Iterator<Item = usize>, error: &Error) -> Vec<(usize, Error)> {
    tracing::warn!("failed to apply likes or votes: {error:?}");
    indexes.map(|index| (index, Error::internal(anyhow::anyhow!("not applied")))).collect()
}
