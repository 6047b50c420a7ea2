//! Updates the counts of polls. One transaction counts up to 97 votes of one poll.

use std::collections::BTreeMap;

use base::{Position, PostId, UserId};
use futures::{StreamExt, stream};
use platform::{App, Error, Result, Row, Write, outcomes};

use super::row::{COUNTS, Poll, Vote, Voters, poll_key, vote_key};
use crate::counting::{
    attempts::{POSTS_AT_ONCE, apply_alone, failures},
    engagements,
    likes::LikeJob,
};

/// Maximum number of votes in a transaction, which can have at most 100 writes.
const BATCH_VOTES_MAX: usize = 97;

/// The users whose votes must be counted, each with the indexes of their messages.
type VoterMessages = BTreeMap<UserId, Vec<usize>>;

/// Updates the counts of polls for the votes in `jobs`. Returns the index and the error of each job that failed.
pub async fn apply(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let mut by_post: BTreeMap<PostId, VoterMessages> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        if let LikeJob::Voted { user, post } = job {
            by_post.entry(*post).or_default().entry(*user).or_default().push(index);
        }
    }
    let failed = stream::iter(by_post).map(|(post, voters)| apply_to_poll(app, post, voters));
    failed.buffer_unordered(POSTS_AT_ONCE).concat().await
}

async fn apply_to_poll(app: &App, post: PostId, voters: VoterMessages) -> Vec<(usize, Error)> {
    let voters: Vec<_> = voters.into_iter().collect();
    let mut failed = Vec::new();
    for chunk in voters.chunks(BATCH_VOTES_MAX) {
        let at = app.ids.next(app.now());
        let users: Vec<_> = chunk.iter().map(|(user, _)| *user).collect();
        if let Err(error) = apply_alone(async || try_apply(app, (post, at), &users).await).await {
            let indexes = chunk.iter().flat_map(|(_, indexes)| indexes).copied();
            failed.extend(failures(indexes, &error));
        }
    }
    failed
}

/// Updates the counts of a poll to match the votes of `users`, and records the voters.
async fn try_apply(app: &App, (post, at): (PostId, Position), users: &[UserId]) -> Result<()> {
    let keys: Vec<_> = users.iter().map(|user| vote_key(*user, post)).chain([poll_key(post)]).collect();
    let mut rows = app.table.get_together(&keys).await?;
    let Some(poll) = rows.take::<Poll>(&poll_key(post))? else {
        return outcomes::end("the poll is gone");
    };
    let mut votes: Vec<Vote> = Vec::new();
    for user in users {
        votes.extend(rows.take::<Vote>(&vote_key(*user, post))?);
    }
    votes.retain(|vote| vote.uncounted_since.is_some());
    if votes.is_empty() {
        return outcomes::end("no vote to count");
    }
    // The row of voters is written before the transaction, so it may contain voters whose votes were not counted.
    app.table.batch_write(&voters(&poll, at, &votes), &[]).await?;
    let writes = votes.iter().map(|vote| vote_write(vote, poll.seq + 1)).chain([count_write(&poll, &votes)]);
    app.table.transact(writes.collect()).await
}

fn voters(poll: &Poll, at: Position, votes: &[Vote]) -> Vec<Voters> {
    let new = votes.iter().filter(|vote| !vote.chosen.is_empty() && vote.counted_as.is_empty());
    let users: Vec<_> = new.map(|vote| vote.user).collect();
    let voters = Voters { post: poll.post, at, users, expires: poll.voters_expire() };
    Some(voters).filter(|row| !row.users.is_empty() && !poll.notified).into_iter().collect()
}

fn vote_write(before: &Vote, seq: i64) -> Write {
    let write = engagements::applied_write(before.key());
    let write = write.set("countedAs", &before.chosen).set("seq", seq);
    write.equals("chosen", &before.chosen).equals("countedAs", &before.counted_as)
}

fn count_write(poll: &Poll, votes: &[Vote]) -> Write {
    let write = Write::update(poll.key()).set("seq", poll.seq + 1).equals("seq", poll.seq);
    let write =
        write.add("voters", votes.iter().map(|vote| change(vote, |options| !options.is_empty())).sum());
    let option = |write: Write, (option, count): (u8, &&str)| {
        let by: i64 = votes.iter().map(|vote| change(vote, |options| options.contains(&option))).sum();
        if by == 0 { write } else { write.add(count, by) }
    };
    (0..).zip(COUNTS.iter()).fold(write, option)
}

/// Returns the number to add to a counter for a vote: 1, 0 or -1. `is_counted` returns whether the counter must include
/// a vote for the given options.
fn change(vote: &Vote, is_counted: impl Fn(&[u8]) -> bool) -> i64 {
    i64::from(is_counted(&vote.chosen)) - i64::from(is_counted(&vote.counted_as))
}
