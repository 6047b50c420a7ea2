//! The writes that count a reply, a quote or a repost on the post it refers to, and notify of it.

use base::ids::PostId;
use futures::FutureExt;
use platform::{
    App,
    error::{Error, Result},
    retry_on_conflict,
    table::Write,
};

use super::notification_events::NotificationEvents;
use crate::{Counter, GONE, key};

/// Returns the writes that count a new post on another one, and notify of it. They fail with [`GONE`] if the other post
/// was deleted.
pub(super) fn count_writes(
    app: &App,
    counted_on: PostId,
    counter: Counter,
    heard: &NotificationEvents,
) -> Vec<Write> {
    let count = Write::update(key(counted_on)).add(counter.attribute(), 1);
    let count = count.equals("isDeleted", false).or(GONE);
    [count].into_iter().chain(heard.writes(app)).collect()
}

/// Repeats work that counts a new post on another one. Repeats it too if other writers held a row at every attempt, because
/// the row of a viral post is written most of the time.
pub(super) async fn retry_held<T, F: Future<Output = Result<T>>>(work: impl Fn() -> F) -> Result<T> {
    let stale_if_held = |done| match done {
        Err(Error::Throttled(_)) => Err(Error::WriteConflict),
        done => done,
    };
    retry_on_conflict(|| work().map(stale_if_held)).await
}
