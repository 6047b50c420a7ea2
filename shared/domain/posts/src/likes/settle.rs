//! Settling likes, of as many posts at once as one transaction holds.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    slice,
    sync::atomic::{AtomicU32, Ordering},
};

use base::ids::PostId;
use futures::{StreamExt, stream};
use ledger::action_log::{Action, ActionType};
use platform::{
    App,
    error::{Error, Result},
    table::Row,
};

use super::{
    LikeJob,
    attempt::try_settle,
    batch::{PostLikes, batches},
};
use crate::{
    settle_alone::{POSTS_AT_ONCE, failures, settle_alone},
    tallies::{add_up, try_add_up},
};

/// How many batches of one post are settled at the same time, in tallies.
const BATCHES_AT_ONCE: usize = 8;

/// How often a post is tried that others hold up, before it is looked whether they are gone.
const ATTEMPTS_BEFORE_HELP: u32 = 6;

/// Settles the likes that a batch of messages names. Returns the index and the error of each message that
/// failed.
///
/// Costs 3 calls, a transaction and 1 call for each 25 in the action log, for 97 likes of one post, or 10 of
/// different ones: 1 RRU and 3 WRU each, the log included; 2 RRU and 13 WRU a post, the author's notification included;
/// 2 WRU less where the notification is of few. More likes of one post than 97 come to tallies: 4 WRU more for each 97, and
/// 31 calls, 2 RRU and 41 WRU for their sum. 1 call and 1 WRU more for the row of an open page that is full, as each
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
    let together = try_settle(app, batch).await;
    let all_settled = together.is_ok();
    let mut outcome = Outcome { tallied: together.unwrap_or_default(), ..Outcome::default() };
    let mut settled = Vec::new();
    for likes in batch {
        let result = if all_settled { Ok(Vec::new()) } else { settle_one(app, likes).await };
        match result {
            Ok(tallied) => {
                settled.extend(likes.message_indexes());
                outcome.tallied.extend(tallied);
            }
            Err(error) => outcome.failed.extend(failures(likes.message_indexes(), &error)),
        }
    }
    if let Err(error) = log(app, settled.iter().filter_map(|it| jobs.get(*it))).await {
        outcome.failed.extend(failures(settled.into_iter(), &error));
    }
    outcome
}

/// Settles the likes of one post alone. Where others hold it up, it adds up the post's tallies: whoever closed them may have
/// ended before the sum was written.
async fn settle_one(app: &App, likes: &PostLikes) -> Result<Vec<(PostId, i64)>> {
    let attempts = AtomicU32::new(0);
    settle_alone(async || {
        if attempts.fetch_add(1, Ordering::Relaxed) % ATTEMPTS_BEFORE_HELP == ATTEMPTS_BEFORE_HELP - 1 {
            try_add_up(app, likes.post(), i64::MAX).await?;
        }
        try_settle(app, slice::from_ref(likes)).await
    })
    .await
}

/// Logs each new like once a post and day.
async fn log(app: &App, jobs: impl Iterator<Item = &LikeJob>) -> Result<()> {
    let actions = jobs.filter_map(|job| match job {
        LikeJob::Added { user, post, at } => {
            Some(Action::on_post(*user, ActionType::LikeCreated, *post, *at))
        }
        LikeJob::Removed { .. } | LikeJob::AddUp { .. } | LikeJob::Voted { .. } => None,
    });
    let distinct: HashMap<_, _> = actions.map(|it| (it.key(), it)).collect();
    let actions: Vec<_> = distinct.into_values().collect();
    app.table.batch_write(&actions, &[]).await
}
