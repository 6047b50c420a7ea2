//! What writing a post causes elsewhere: counts, notifications, timelines.

use platform::{App, Result, rounds::Rounds, table::Write};

use crate::{
    ids::PostId,
    jobs::TimelineJob,
    notifications::NotificationEvent,
    posts::{GONE, Post, key, timeline},
};

/// Returns the write that adds 1 to a count of a post. Its refusal is [`GONE`] when the post was deleted.
pub(super) fn count_write(post: PostId, count: &str) -> Write {
    Write::update(key(post)).add(count, 1).equals("isDeleted", false).or(GONE)
}

/// Returns the writes that notify the recipients who did not mute the author. Costs 1 call and 1 RRU for
/// each event, at the same time, and 5 WRU for each recipient who is notified.
pub(super) async fn notification_writes(app: &App, events: Vec<NotificationEvent>) -> Result<Vec<Write>> {
    let unmuted = NotificationEvent::unmuted(app, events).await?;
    Ok(unmuted.iter().flat_map(|it| it.writes(app)).collect())
}

/// Returns the write that puts a post in its author's timeline, and has a worker bring it to those of the author's
/// followers afterwards. Costs 1 WRU.
pub(super) fn timelines_write(app: &App, post: &Post) -> Write {
    let fan_out = TimelineJob::FanOut { post: post.id, after: None, rounds: Rounds::default() };
    timeline::own_write(app, post).then(&fan_out)
}
