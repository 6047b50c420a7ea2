//! What writing a post causes in timelines.

use base::jobs::TimelineJob;
use platform::{App, rounds::Rounds, table::Write};

use crate::{Post, previews::then_preview, timeline};

/// Returns the write that puts a post in its author's timeline, and has a worker bring it to those of the author's
/// followers afterwards, and another look at its first link. Costs 1 WRU.
pub(super) fn timelines_write(app: &App, post: &Post) -> Write {
    let (post_id, author) = (post.id, Some(post.author));
    let fan_out = TimelineJob::FanOut { post: post_id, author, after: None, rounds: Rounds::default() };
    then_preview(timeline::own_write(app, post).then(&fan_out), post)
}
