//! Applies likes. One transaction can apply the likes of several posts.

use std::{collections::HashMap, slice, time::Duration};

use futures::{StreamExt, future::try_join_all, stream, try_join};
use ledger::action_log::{Action, ActionType};
use platform::{App, Error, Result, Row, outcomes};
use tokio::time::{Instant, sleep_until};

use super::{
    LikeJob,
    apply_writes::{apply_writes, muted},
    batch::{PostLikes, UncountedPost, batches},
    row::remove_from_row,
};
use crate::counting::attempts::{POSTS_AT_ONCE, apply_alone, failures};

/// Minimum time between the attempt that applied a batch and the next batch of the same post, in one invocation. At most
/// 4 invocations run concurrently. Together, they apply at most 25 batches per second to one post, on average.
const PACE_MILLIS: u64 = 160;

/// Applies the likes in `jobs` to the counts of posts. Returns the index and the error of each job that failed.
pub async fn apply(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let batches = batches(app, jobs);
    let ends = |batch: &Vec<PostLikes>| batch.last().map(|likes| likes.post);
    let begins = |batch: &Vec<PostLikes>| batch.first().map(|likes| likes.post);
    // Batches with likes of the same post run one after the other, because concurrent transactions would conflict.
    let chains = batches.chunk_by(|one, next| ends(one) == begins(next));
    let failed = stream::iter(chains).map(|chain| apply_chain(app, jobs, chain));
    failed.buffer_unordered(POSTS_AT_ONCE).concat().await
}

/// Applies batches one after the other. Each batch starts at least [`PACE_MILLIS`] after the attempt that applied the
/// previous batch. So after a conflict, the next batches of two invocations do not conflict again.
async fn apply_chain(app: &App, jobs: &[LikeJob], chain: &[Vec<PostLikes>]) -> Vec<(usize, Error)> {
    let pace = if chain.len() > 1 { Duration::from_millis(PACE_MILLIS) } else { Duration::ZERO };
    let mut failed = Vec::new();
    for batch in chain {
        let (errors, attempted_at) = apply_batch(app, jobs, batch).await;
        failed.extend(errors);
        sleep_until(attempted_at + pace).await;
    }
    failed
}

/// Tries to apply the likes of all posts in one transaction. If the transaction fails, uses one transaction per post.
/// Then logs the new likes. Returns the failed messages, and the start of the last successful attempt. If the likes of
/// the last post fail, returns the time of the failure.
async fn apply_batch(app: &App, jobs: &[LikeJob], batch: &[PostLikes]) -> (Vec<(usize, Error)>, Instant) {
    let (mut applied, mut failed, mut attempted_at) = (Vec::new(), Vec::new(), Instant::now());
    let together = timed_apply(app, batch).await.ok();
    for likes in batch {
        let alone = async || timed_apply(app, slice::from_ref(likes)).await;
        let done = match together {
            Some(started_at) => Ok(started_at),
            None => apply_alone(alone).await,
        };
        match done {
            Ok(started_at) => {
                attempted_at = started_at;
                applied.extend(likes.message_indexes());
            }
            Err(error) => {
                attempted_at = Instant::now();
                failed.extend(failures(likes.message_indexes(), &error));
            }
        }
    }
    if let Err(error) = log(app, applied.iter().filter_map(|index| jobs.get(*index))).await {
        failed.extend(failures(applied.into_iter(), &error));
    }
    (failed, attempted_at)
}

/// Runs [`try_apply`], and returns the time at which it started.
async fn timed_apply(app: &App, batch: &[PostLikes]) -> Result<Instant> {
    let started_at = Instant::now();
    try_apply(app, batch).await.map(|()| started_at)
}

/// Updates the counts of posts to match their engagements, in one transaction, and notifies authors of new likes. Fails
/// with [`Error::WriteConflict`] if an engagement or a count changed after it was read.
async fn try_apply(app: &App, batch: &[PostLikes]) -> Result<()> {
    let keys: Vec<_> = batch.iter().flat_map(PostLikes::keys).collect();
    let mut rows = app.table.get_together(&keys).await?;
    let mut uncounted = Vec::new();
    for likes in batch {
        uncounted.extend(likes.take_uncounted(app, &mut rows)?);
    }
    if uncounted.is_empty() {
        return outcomes::end("no like to count");
    }
    let rows: Vec<_> = uncounted.iter().filter_map(|post| post.list_update.row.clone()).collect();
    let closed = uncounted.iter().filter_map(|post| post.list_update.closed.as_ref());
    let closed = try_join_all(closed.map(|row| app.table.try_write(row.grow_write())));
    let again = uncounted.iter().flat_map(UncountedPost::repeated_likes);
    let removed = try_join_all(again.map(|engagement| remove_from_row(app, engagement)));
    let (muted, ..) = try_join!(muted(app, &uncounted), app.table.batch_write(&rows, &[]), closed, removed)?;
    app.table.transact(uncounted.iter().flat_map(|post| apply_writes(app, post, &muted)).collect()).await
}

/// Logs each new like, at most once for each user, post and day.
async fn log(app: &App, jobs: impl Iterator<Item = &LikeJob>) -> Result<()> {
    let actions = jobs.filter_map(|job| match job {
        LikeJob::Added { user, post, at } => {
            Some(Action::on_post(*user, ActionType::LikeCreated, *post, *at))
        }
        LikeJob::Removed { .. } | LikeJob::Voted { .. } => None,
    });
    let distinct: HashMap<_, _> = actions.map(|action| (action.key(), action)).collect();
    let actions: Vec<_> = distinct.into_values().collect();
    app.table.batch_write(&actions, &[]).await
}
