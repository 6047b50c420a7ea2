//! The preview of the first link in a circle's post.

use base::{OutboundJob, PostId};
use platform::{App, Result, Write, outbox_record_write, outcomes, retry_on_conflict};
use posts::previews::{self, NewPreview};

use super::{CirclePost, find_any, key};

/// Returns `write` with an added job if the post has a link. The job fetches the preview of the first link.
pub(super) fn then_preview(write: Write, post: &CirclePost) -> Write {
    match post.content.first_link() {
        Some(_) => write.then(&OutboundJob::PreviewInCircle { post: post.id }),
        None => write,
    }
}

/// Returns an outbox record with a job that fetches the new preview. Returns `None` if the first link did not change,
/// or if the text has no link.
pub(super) fn changed_preview_write(app: &App, before: &CirclePost, after: &CirclePost) -> Option<Write> {
    let is_new = after.content.first_link().is_some() && !before.has_same_link(&after.content);
    is_new.then(|| then_preview(outbox_record_write(app), after))
}

/// Fetches the preview of the first link in a circle's post, and stores it with the post.
///
/// # Errors
/// Fails with an internal error if the linked page did not respond. The queue tries the job three times.
pub async fn show_preview(app: &App, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(post) = find_any(app, id).await? else { return outcomes::end("the post is gone") };
        let link = post.content.first_link().filter(|_| !post.is_deleted());
        let of = (post.id, post.author);
        let job = OutboundJob::PreviewInCircle { post: id };
        let again = (&job, post.updated_at.unwrap_or(post.created_at));
        let missing = previews::missing_preview(app, of, link, post.preview.as_ref(), again).await?;
        let Some(NewPreview { preview, wait_write }) = missing else {
            return outcomes::end("no new preview");
        };
        let write = Write::update(key(id)).equals("revision", post.revision);
        let write = write.exists().set("preview", preview);
        app.table.write_all([write].into_iter().chain(wait_write).collect()).await
    })
    .await
}
