//! Attempts to apply likes or votes of one post.

use platform::{
    error::{Error, Result},
    retry::retry_on_conflict_up_to,
};

/// Posts whose likes or votes are applied at the same time.
pub(crate) const POSTS_AT_ONCE: usize = 8;
/// Attempts at a row that others write too. A failed message hides for minutes, so a worker tries longer than a request.
const ATTEMPTS_ALONE: u32 = 24;

/// Repeats work on one post until it is done, or until other writers have held its row for too long.
pub(crate) async fn apply_alone(attempt: impl AsyncFn() -> Result<()>) -> Result<()> {
    let attempt = async || match attempt().await {
        // A row of likers changed at each attempt: what was read of the post is outdated.
        Err(Error::LimitReached { .. }) => Err(Error::WriteConflict),
        done => done,
    };
    retry_on_conflict_up_to(ATTEMPTS_ALONE, attempt).await
}

/// Returns the failures of the messages with these indexes.
pub(crate) fn failures(indexes: impl Iterator<Item = usize>, error: &Error) -> Vec<(usize, Error)> {
    tracing::warn!("likes or votes are not applied: {error:?}");
    indexes.map(|index| (index, Error::internal(anyhow::anyhow!("not applied")))).collect()
}
