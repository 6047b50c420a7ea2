//! Follow-up jobs of a new post.

use base::TimelineJob;
use platform::{App, Paged, Write};

use crate::{Post, previews::then_preview, reading::timeline::TimelineEntry};

/// Returns the write that adds a post to its author's timeline. The write also sends the jobs that add the post to the
/// followers' timelines and fetch its link preview.
pub(super) fn timelines_write(app: &App, post: &Post) -> Write {
    let fan_out = TimelineJob::FanOut { post: post.id, author: post.author, page: Paged::FIRST };
    let own_entry = TimelineEntry::new(app, post.author, post.id);
    then_preview(Write::put(&own_entry).then(&fan_out), post)
}
