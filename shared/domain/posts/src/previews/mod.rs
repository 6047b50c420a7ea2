//! Previews: what the page of a post's first link says of itself. A worker asks for it after the post was written.

mod fetch;
mod page;
mod row;
mod show;

pub use row::Preview;
pub use show::show;
pub use show::unshown;

use base::jobs::OutboundJob;
use platform::{App, outbox::outbox_record_write, table::Write};

use crate::Post;

/// Has a worker look, after this write, at the first link of a post. Changes nothing for a post without one. The write
/// belongs to a row in no index.
pub(crate) fn then_preview(write: Write, post: &Post) -> Write {
    match post.first_link() {
        Some(_) => write.then(&OutboundJob::Preview { post: post.id }),
        None => write,
    }
}

/// Returns the letter that has a worker look at the first link of a post; none for a post without one.
pub(crate) fn preview_job_write(app: &App, post: &Post) -> Option<Write> {
    post.first_link().map(|_| then_preview(outbox_record_write(app), post))
}
