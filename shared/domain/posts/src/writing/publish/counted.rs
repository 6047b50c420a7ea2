//! Adds a reply, quote or repost to the counter of the parent or original.

use base::PostId;
use futures::FutureExt;
use ledger::{
    action_log::{Action, ActionType},
    statistics::{self, Count},
};
use platform::{App, Error, Result, Write, retry_on_conflict};

use super::{effects::timelines_write, notification_events::NotificationEvents};
use crate::{Counter, GONE, Post, PostType, key};

/// Returns the writes that add 1 to a counter of the post `counted_on`, and record the events in `notified`.
///
/// The writes fail with [`GONE`] if `counted_on` was deleted.
pub(super) fn count_writes(
    app: &App,
    counted_on: PostId,
    counter: Counter,
    notified: &NotificationEvents,
) -> Vec<Write> {
    let count = Write::update(key(counted_on)).add(counter.attribute(), 1);
    let count = count.equals("isDeleted", false).or(GONE);
    [count].into_iter().chain(notified.writes(app)).collect()
}

/// Returns the writes that a new quote and a new repost of `shared` have in common. `engagement` updates the author's
/// engagement with the original.
pub(super) fn share_writes(
    app: &App,
    share: &Post,
    shared: &Post,
    engagement: Write,
    notified: &NotificationEvents,
) -> Vec<Write> {
    let (origin, at) = (shared.root(), share.created_at);
    let (action, counter) = match share.kind {
        PostType::Repost => (ActionType::ShareCreated, Counter::Reposts),
        _ => (ActionType::QuoteCreated, Counter::Quotes),
    };
    let writes = [
        engagement,
        Action::on_post(share.author, action, origin, at).log_write(),
        timelines_write(app, share),
        statistics::count_write(share.id.random(), Count::Posts, 1),
    ];
    writes.into_iter().chain(count_writes(app, origin, counter, notified)).collect()
}

/// Runs `work`, and retries on conflicts and throttling. Both are frequent for the row of a viral post.
pub(super) async fn retry_contended<T, F: Future<Output = Result<T>>>(work: impl Fn() -> F) -> Result<T> {
    let conflict_if_throttled = |done| match done {
        Err(Error::Throttled(_)) => Err(Error::WriteConflict),
        done => done,
    };
    retry_on_conflict(|| work().map(conflict_if_throttled)).await
}
