//! The worker that shows previews.

use base::ids::PostId;
use platform::{App, Result, retry_on_conflict, table::Write};

use super::{Preview, fetch};
use crate::{Post, key};

/// Has a post show what the page of its first link says of itself, unless it was deleted, or edited meanwhile. The same
/// again changes nothing.
///
/// # Errors
/// Internal, when the page did not answer: so it is asked for three times.
pub async fn show(app: &App, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(post) = app.table.get::<Post>(&key(id)).await? else { return Ok(()) };
        let link = post.first_link().filter(|_| !post.is_deleted);
        let Some(preview) = unshown(app, link, post.preview.as_ref()).await? else { return Ok(()) };
        let still = Write::update(key(id)).equals("edits", post.edits).equals("isDeleted", false);
        app.table.write(still.set("preview", preview)).await
    })
    .await
}

/// Returns the preview of a link; none when it is shown already, or there is nothing to show.
///
/// # Errors
/// Those of [`show`].
pub async fn unshown(app: &App, link: Option<&str>, shown: Option<&Preview>) -> Result<Option<Preview>> {
    let Some(link) = link.filter(|link| shown.is_none_or(|preview| preview.url != *link)) else {
        return Ok(None);
    };
    Ok(fetch::page(app, link).await?.map(|it| it.preview(link)))
}
