//! Settling likes, of as many posts at once as one transaction holds.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    slice,
};

use futures::{StreamExt, future::try_join_all, stream, try_join};
use platform::{
    App,
    error::{Error, Result},
    table::Row,
};

use super::{
    LikeJob,
    add_up::add_up,
    batch::{PostLikes, UnsettledPost, batches},
    row::vacate_row,
    settle_writes::{muted, settle_writes},
};
use crate::{
    ids::PostId,
    ledger::action_log::{Action, ActionType},
    posts::settle_alone::{POSTS_AT_ONCE, failures, settle_alone},
};

/// How many batches of one post are settled at the same time, in tallies.
const BATCHES_AT_ONCE: usize = 8;

/// Settles the likes that a batch of messages names. Returns the index and the error of each message that
/// failed.
///
/// Costs 3 calls, a transaction and 1 call for each 25 in the action log, for 97 likes of one post, or 10 of
/// different ones: 1 RRU and 3 WRU each, the log included; 2 RRU and 13 WRU a post, the author's notification included;
/// 2 WRU less where the notification is of few. 1 call and 1 WRU more for the row of an open page that is full, as each
/// sixth like finds it that is settled alone; 1 call and 1 or 2 WRU for the row of those who are more than that. For each
/// like of somebody who had taken theirs back before and left their place in a row, 1 or 2 calls, 1 RRU and 1 or 2 WRU
/// more.
pub async fn settle(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let batches = batches(app, jobs);
    // Two transactions of one post would only be in each other's way.
    let chains =
        batches.chunk_by(|one, next| one.last().map(PostLikes::post) == next.first().map(PostLikes::post));
    let settled = stream::iter(chains).map(|it| settle_chain(app, jobs, it)).buffer_unordered(POSTS_AT_ONCE);
    settled.concat().await
}

/// What became of some messages.
#[derive(Default)]
struct Outcome {
    failed: Vec<(usize, Error)>,
    /// The posts whose tallies have likes of these messages, and the settlement that adds them up.
    tallied: Vec<(PostId, i64)>,
}

/// Settles the batches that have likes of one post. The first one, alone, may find that there are so many that the others
/// are counted in tallies, where they are not in each other's way.
async fn settle_chain(app: &App, jobs: &[LikeJob], chain: &[Vec<PostLikes>]) -> Vec<(usize, Error)> {
    let Some((first, rest)) = chain.split_first() else { return Vec::new() };
    let first = settle_batch(app, jobs, first).await;
    let rest = stream::iter(rest).map(|it| settle_batch(app, jobs, it)).buffer_unordered(BATCHES_AT_ONCE);
    let outcomes: Vec<_> = rest.chain(stream::iter([first])).collect().await;
    let tallied: BTreeSet<_> = outcomes.iter().flat_map(|it| it.tallied.iter().copied()).collect();
    let mut failed: BTreeMap<_, _> = outcomes.into_iter().flat_map(|it| it.failed).collect();
    // The last settlement of a post includes those before it.
    for (post, seq) in tallied.into_iter().collect::<BTreeMap<_, _>>() {
        if let Err(error) = add_up(app, post, seq).await {
            let likes = chain.iter().flatten().filter(|it| it.post() == post);
            failed.extend(failures(likes.flat_map(PostLikes::message_indexes), &error));
        }
    }
    failed.into_iter().collect()
}

/// Tries all posts together once; when that fails, settles each alone.
async fn settle_batch(app: &App, jobs: &[LikeJob], batch: &[PostLikes]) -> Outcome {
    let together = try_settle(app, batch).await.ok();
    let (mut settled, mut outcome) = (Vec::new(), Outcome::default());
    for likes in batch {
        let alone = async || try_settle(app, slice::from_ref(likes)).await;
        let result = if together.is_some() { Ok(Vec::new()) } else { settle_alone(alone).await };
        match result {
            Ok(tallied) => {
                settled.extend(likes.message_indexes());
                outcome.tallied.extend(tallied);
            }
            Err(error) => outcome.failed.extend(failures(likes.message_indexes(), &error)),
        }
    }
    outcome.tallied.extend(together.into_iter().flatten());
    if let Err(error) = log(app, settled.iter().filter_map(|it| jobs.get(*it))).await {
        outcome.failed.extend(failures(settled.into_iter(), &error));
    }
    outcome
}

/// Makes the engagements and their posts' counts agree, and notifies authors of new likes. Returns the posts whose tallies
/// do so once they are added up.
///
/// # Errors
/// [`Error::Stale`] when a user changed their mind, or another worker settled one of them meanwhile.
async fn try_settle(app: &App, batch: &[PostLikes]) -> Result<Vec<(PostId, i64)>> {
    let keys: Vec<_> = batch.iter().flat_map(PostLikes::keys).collect();
    let mut rows = app.table.get_together(&keys).await?;
    let mut unsettled = Vec::new();
    for likes in batch {
        unsettled.extend(likes.take_unsettled(app, &mut rows)?);
    }
    add_up_first(app, &unsettled).await?;
    if unsettled.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<_> = unsettled.iter().filter_map(|it| it.listing.row.clone()).collect();
    let closed = unsettled.iter().filter_map(|it| it.listing.closed.as_ref());
    let closed = try_join_all(closed.map(|it| app.table.try_write(it.grow_write())));
    let again = unsettled.iter().flat_map(UnsettledPost::likes_again);
    let vacated = try_join_all(again.map(|it| vacate_row(app, it)));
    let (muted, ..) = try_join!(muted(app, &unsettled), app.table.batch_write(&rows, &[]), closed, vacated)?;
    app.table.transact(unsettled.iter().flat_map(|it| settle_writes(app, it, &muted)).collect()).await?;
    Ok(unsettled.iter().filter(|it| it.post.tallied.is_some()).map(|it| (it.post.id, it.seq())).collect())
}

/// Adds up what lies in tallies of these people's likes: the worker that settled them may have ended before it did.
///
/// # Errors
/// [`Error::Stale`] when there was something: what was read is not true any more.
async fn add_up_first(app: &App, unsettled: &[UnsettledPost]) -> Result<()> {
    let mut found = Ok(());
    for (post, seq) in unsettled.iter().filter_map(UnsettledPost::to_add_up) {
        add_up(app, post, seq).await?;
        found = Err(Error::Stale);
    }
    found
}

/// Logs each new like once a post and day.
async fn log(app: &App, jobs: impl Iterator<Item = &LikeJob>) -> Result<()> {
    let actions = jobs.filter_map(|job| match job {
        LikeJob::Added { user, post, at } => {
            Some(Action::on_post(*user, ActionType::LikeCreated, *post, *at))
        }
        LikeJob::Removed { .. } | LikeJob::Voted { .. } => None,
    });
    let distinct: HashMap<_, _> = actions.map(|it| (it.key(), it)).collect();
    let actions: Vec<_> = distinct.into_values().collect();
    app.table.batch_write(&actions, &[]).await
}
