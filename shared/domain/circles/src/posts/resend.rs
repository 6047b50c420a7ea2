//! The net below the messages: posts that nobody judged are sent to the judge again.

use base::ids::{CircleId, PostId};
use platform::{
    App, Result,
    table::{Index, Query},
    time::{HOUR_SECONDS, Time},
};
use ulid::Ulid;

use super::{CirclePost, JudgeJob, row::all_partition};
use crate::Energy;

/// A message is done within a minute; this one was lost, or will be a dead letter.
const OVERDUE_SECONDS: i64 = 10 * 60;
/// Older ones were found before, by the drains of the last hours: a judge that is down gets no more of them each hour.
const LOOKED_BACK_SECONDS: i64 = 2 * HOUR_SECONDS;
const ROWS_MAX: usize = 500;

/// Sends the posts of a circle again that wait for their judge, of the last two hours.
pub(crate) async fn resend_unjudged(app: &App, energy: &Energy) -> Result<()> {
    let [since, until] = [LOOKED_BACK_SECONDS, OVERDUE_SECONDS].map(|it| app.now().plus_seconds(-it));
    if energy.last_post_at.is_none_or(|it| it < since) {
        return Ok(());
    }
    for post in unjudged(app, energy.circle, (first_id(since), until)).await? {
        app.queues.send(&JudgeJob::Judge { post: post.id }).await?;
    }
    Ok(())
}

/// Returns the posts of a circle that wait for their judge, from one on and until a time: those among the newest 500.
pub(crate) async fn unjudged(
    app: &App,
    circle: CircleId,
    (from, until): (PostId, Time),
) -> Result<Vec<CirclePost>> {
    let query = Query::index(Index::Gsi1, all_partition(circle));
    let query = query.between(from.to_string(), first_id(until).to_string()).newest_first().limit(ROWS_MAX);
    let mut posts: Vec<CirclePost> = app.table.query(&query).await?;
    posts.retain(|it| !it.is_done());
    Ok(posts)
}

/// Returns the lowest id of a post of this time.
fn first_id(time: Time) -> PostId {
    Ulid::from_parts(time.millis().max(0).cast_unsigned(), 0).into()
}
