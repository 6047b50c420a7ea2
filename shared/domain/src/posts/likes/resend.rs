//! The net below the messages: likes that wait to be settled for too long are found by their index, and sent again.

use futures::future::try_join_all;
use platform::{App, Result};

use super::{LikeJob, engagements};
use crate::posts::engagements::{Engagement, UNSETTLED_SHARDS, unsettled_key};

/// A message is done within seconds; this one was lost, or will be a dead letter.
const OVERDUE_SECONDS: i64 = 10 * 60;
/// The rows of a page, of each shard.
const PAGE_ROWS: usize = 100;

/// Sends the messages of overdue likes again, those behind `after` first. Returns where the next page begins. Costs 64
/// calls, 32 RRU and 0.5 for each 4 KB of them, and 1 send for each 10.
///
/// # Errors
/// Fails when a message could not be sent: the job begins this page again.
pub async fn resend(app: &App, after: Option<String>) -> Result<Option<String>> {
    let until = app.now().plus_seconds(-OVERDUE_SECONDS);
    let shards = (0..UNSETTLED_SHARDS).map(async |shard| {
        let query = engagements::unsettled(shard, after.as_deref(), until).limit(PAGE_ROWS);
        app.table.query::<Engagement>(&query).await
    });
    let shards = try_join_all(shards).await?;
    let jobs: Vec<_> = shards.iter().flatten().map(job).collect();
    app.queues.send_jobs(&jobs).await?;
    // Each full shard has more behind its last row; the others come a second time, which changes nothing.
    let full = shards.iter().filter(|it| it.len() == PAGE_ROWS);
    Ok(full.filter_map(|it| it.last().and_then(position)).min().filter(|it| Some(it) != after.as_ref()))
}

fn job(engagement: &Engagement) -> LikeJob {
    let &Engagement { user, post, liked, liked_at, .. } = engagement;
    match liked_at.filter(|_| liked) {
        Some(at) => LikeJob::Added { user, post, at },
        None => LikeJob::Removed { user, post },
    }
}

fn position(engagement: &Engagement) -> Option<String> {
    let since = engagement.unsettled_since?;
    Some(unsettled_key(engagement.user, engagement.post, since).sk)
}
