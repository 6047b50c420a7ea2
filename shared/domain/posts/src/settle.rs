//! The worker that settles what people did with posts: likes and votes, and what lies in tallies.

use std::collections::BTreeMap;

use base::ids::PostId;
use futures::{StreamExt, stream};
use platform::{App, error::Error, outbox::letter_write, table::Write};

use super::{
    likes::{self, LikeJob},
    polls,
    settle_alone::{POSTS_AT_ONCE, failures},
    tallies::{self, Tallied},
};

/// Settles the likes and the votes that a batch of messages names, and adds up the tallies. Returns the index and the error
/// of each message that failed. Costs as [`likes::settle`] for the likes, and as much for votes; for tallies 1 call and 1
/// RRU, and what their sum costs.
pub async fn settle(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let (likes, votes) = futures::join!(likes::settle(app, jobs), polls::settle(app, jobs));
    // The likes of the same posts have brought most sums by now; before, it would close the tallies that they come to.
    let tallies = add_up(app, jobs).await;
    likes.into_iter().chain(votes).chain(tallies).collect()
}

/// Returns the letter that has a post's tallies added up. Costs 2 WRU.
pub(super) fn add_up_write(app: &App, post: PostId, tallied: Tallied) -> Write {
    letter_write(app).then(&LikeJob::AddUp { post, seq: tallied.seq() })
}

async fn add_up(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let mut posts: BTreeMap<PostId, (i64, Vec<usize>)> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        if let LikeJob::AddUp { post, seq } = job {
            let (newest, indexes) = posts.entry(*post).or_default();
            // The last settlement of a post includes those before it.
            *newest = (*newest).max(*seq);
            indexes.push(index);
        }
    }
    let added_up = posts.into_iter().map(async |(post, (seq, indexes))| {
        let added_up = tallies::add_up(app, post, seq).await;
        added_up.map_or_else(|error| failures(indexes.into_iter(), &error), |_| Vec::new())
    });
    stream::iter(added_up).buffer_unordered(POSTS_AT_ONCE).concat().await
}
