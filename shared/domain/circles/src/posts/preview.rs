//! What a circle's post shows of the page of its first link.

use base::{ids::PostId, jobs::OutboundJob};
use platform::{App, Result, outbox::outbox_record_write, retry_on_conflict, table::Write};
use posts::previews;

use super::{CirclePost, key};

/// Has a worker look, after this write, at the first link of a post. Changes nothing for a post without one.
pub(super) fn then_preview(write: Write, post: &CirclePost) -> Write {
    match post.content.first_link() {
        Some(_) => write.then(&OutboundJob::PreviewInCircle { post: post.id }),
        None => write,
    }
}

/// Returns the letter that has a worker look at another first link of a post; none where it is the same or there is
/// none.
pub(super) fn changed_preview_write(app: &App, before: &CirclePost, after: &CirclePost) -> Option<Write> {
    let is_other = after.content.first_link().is_some() && !before.has_link_of(&after.content);
    is_other.then(|| then_preview(outbox_record_write(app), after))
}

/// Has a circle's post show what the page of its first link says of itself, as [`previews::show`] does for others.
///
/// # Errors
/// Internal, when the page did not answer: so it is asked for three times.
pub async fn show_preview(app: &App, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(post) = app.table.get::<CirclePost>(&key(id)).await? else { return Ok(()) };
        let link = post.content.first_link().filter(|_| !post.is_deleted());
        let Some(preview) = previews::unshown(app, link, post.preview.as_ref()).await? else { return Ok(()) };
        let still = Write::update(key(id)).equals("revision", post.revision);
        app.table.write(still.exists().set("preview", preview)).await
    })
    .await
}
