//! Sends overdue posts to the judge again, because their queue messages may be lost.

use base::{CircleId, PostId, first_id};
use platform::{App, HOUR_SECONDS, Index, Query, Result, Time};

use super::{CirclePost, JudgeJob, row::all_partition};
use crate::Energy;

/// Age at which a post without a verdict is overdue. A judge job normally takes less than a minute.
const OVERDUE_SECONDS: i64 = 10 * 60;
/// Maximum age of posts that are sent again. Without this limit, a judge that does not respond would get more posts
/// each hour.
const LOOKBACK_SECONDS: i64 = 2 * HOUR_SECONDS;
const ROWS_MAX: usize = 500;

/// Sends a circle's overdue posts of the last two hours to the judge again.
pub(crate) async fn resend_unjudged(app: &App, energy: &Energy) -> Result<()> {
    let [since, until] = [LOOKBACK_SECONDS, OVERDUE_SECONDS].map(|seconds| app.now().plus_seconds(-seconds));
    if energy.last_post_at.is_none_or(|last_post| last_post < since) {
        return Ok(());
    }
    for post in unjudged(app, energy.circle, (first_id(since), until)).await? {
        app.queues.send(&JudgeJob::Judge { post: post.id }).await?;
    }
    Ok(())
}

/// Returns a circle's posts that have no verdict, from the ID `from` to the time `until`. Considers only the newest 500
/// posts in this range.
pub(crate) async fn unjudged(
    app: &App,
    circle: CircleId,
    (from, until): (PostId, Time),
) -> Result<Vec<CirclePost>> {
    let query = Query::index(Index::Gsi1, all_partition(circle));
    let until: PostId = first_id(until);
    let query = query.between(from.to_string(), until.to_string()).newest_first().limit(ROWS_MAX);
    let mut posts: Vec<CirclePost> = app.table.query(&query).await?;
    posts.retain(|post| !post.is_done());
    Ok(posts)
}
