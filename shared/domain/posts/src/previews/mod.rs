//! Link previews. A preview is the metadata of the page behind a post's first link. A worker fetches the page after the
//! post is created.

mod charset;
mod fetch;
mod markup;
mod page;
mod row;
mod show;

pub use row::{Preview, PreviewView};
pub use show::{NewPreview, missing_preview, show, show_image};

use base::OutboundJob;
use platform::{App, Write, outbox_record_write};

use crate::Post;

/// Minimum width and height of an image. Smaller images are logos or tracking pixels. Facebook has the same minimum:
/// <https://developers.facebook.com/docs/sharing/webmasters/images>.
const IMAGE_MIN_PIXELS: u32 = 200;

/// Adds the job that fetches the preview of a post to `write`. If the post has no link, returns `write` unchanged.
///
/// No index may contain the row of `write`. See [`outbox_record_write`].
pub(crate) fn then_preview(write: Write, post: &Post) -> Write {
    match post.first_link() {
        Some(_) => write.then(&OutboundJob::Preview { post: post.id }),
        None => write,
    }
}

/// Returns the outbox record of the job that fetches the preview of a post. Returns `None` if the post has no link.
pub(crate) fn preview_job_write(app: &App, post: &Post) -> Option<Write> {
    post.first_link().map(|_| then_preview(outbox_record_write(app), post))
}
