//! What writing a post causes elsewhere: counts, notifications, timelines.

use platform::{App, Result, rounds::Rounds, table::Write};

use crate::{
    ids::PostId,
    jobs::TimelineJob,
    notifications::NotificationEvent,
    posts::{GONE, Post, key},
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

/// Sends the job that brings a post to the timelines of its author's followers. Costs 1 send.
pub(super) async fn send_fan_out(app: &App, post: &Post) -> Result<()> {
    app.queues.send(&TimelineJob::FanOut { post: post.id, after: None, rounds: Rounds::default() }).await
}
