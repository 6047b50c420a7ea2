//! The net below the messages: likes and votes that wait to be settled for too long are found by their index, and sent again.

use futures::future::try_join_all;
use platform::{
    App, Result,
    table::{Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};

use super::{LikeJob, engagements};
use crate::{
    ids::{PostId, UserId},
    posts::engagements::{UNSETTLED_SHARDS, unsettled_key},
};

/// A message is done within seconds; this one was lost, or will be a dead letter.
const OVERDUE_SECONDS: i64 = 10 * 60;
/// The rows of a page, of each shard.
const PAGE_ROWS: usize = 100;

/// What is read of an engagement or a vote that waits to be settled.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Unsettled {
    user: UserId,
    post: PostId,
    #[serde(default)]
    liked: bool,
    liked_at: Option<Time>,
    /// Only a vote has it.
    chosen: Option<Vec<u8>>,
    unsettled_since: Option<Time>,
}

/// Sends the messages of overdue likes and votes again, those behind `after` first. Returns where the next page begins. Costs 64
/// calls, 32 RRU and 0.5 for each 4 KB of them, and 1 send for each 10.
///
/// # Errors
/// Fails when a message could not be sent: the job begins this page again.
pub async fn resend(app: &App, after: Option<String>) -> Result<Option<String>> {
    let until = app.now().plus_seconds(-OVERDUE_SECONDS);
    let shards = (0..UNSETTLED_SHARDS).map(async |shard| {
        let query = engagements::unsettled(shard, after.as_deref(), until).limit(PAGE_ROWS);
        app.table.query::<Unsettled>(&query).await
    });
    let shards = try_join_all(shards).await?;
    let jobs: Vec<_> = shards.iter().flatten().map(job).collect();
    app.queues.send_jobs(&jobs).await?;
    // Each full shard has more behind its last row; the others come a second time, which changes nothing.
    let full = shards.iter().filter(|it| it.len() == PAGE_ROWS);
    Ok(full.filter_map(|it| it.last().and_then(position)).min().filter(|it| Some(it) != after.as_ref()))
}

fn job(unsettled: &Unsettled) -> LikeJob {
    let &Unsettled { user, post, liked, liked_at, .. } = unsettled;
    match liked_at.filter(|_| liked) {
        _ if unsettled.chosen.is_some() => LikeJob::Voted { user, post },
        Some(at) => LikeJob::Added { user, post, at },
        None => LikeJob::Removed { user, post },
    }
}

fn position(unsettled: &Unsettled) -> Option<String> {
    let since = unsettled.unsettled_since?;
    Some(unsettled_key(unsettled.user, unsettled.post, since).sk)
}

/// `USER#u / ENGAGED#post` or `USER#u / VOTE#post`, a part of the row
impl Row for Unsettled {
    fn key(&self) -> Key {
        engagements::key(self.user, self.post)
    }
}
