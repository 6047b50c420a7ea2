//! Counts a new post against the author's limits.

use base::UserId;
use ledger::post_limits;
use platform::{App, Once, Result, Write};

/// Returns all writes of a new post: the given writes, and the writes that count the post against its author's limits.
pub(super) fn limited<T>(
    app: &App,
    once: &Once,
    author: UserId,
    (writes, post): (Vec<Write>, T),
) -> Result<(Vec<Write>, T)> {
    let counts = post_limits::count_writes(app, once, author);
    Ok((writes.into_iter().chain(counts).collect(), post))
}
