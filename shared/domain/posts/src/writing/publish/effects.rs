//! What writing a post causes in timelines.

use base::jobs::TimelineJob;
use platform::{App, paged::Paged, table::Write};

use crate::{Post, previews::then_preview, reading::timeline};

/// Returns the write that puts a post in its author's timeline, and has a worker bring it to those of the author's
/// followers afterwards, and another look at its first link.
pub(super) fn timelines_write(app: &App, post: &Post) -> Write {
    let fan_out = TimelineJob::FanOut { post: post.id, author: post.author, page: Paged::FIRST };
    then_preview(timeline::own_write(app, post).then(&fan_out), post)
}
