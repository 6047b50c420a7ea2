//! Adds previews to posts.

use base::ids::{PostId, UserId};
use platform::{App, Result, outcomes, retry_on_conflict, table::Write};

use super::{Preview, fetch};
use crate::{Post, key};

/// Adds the preview of a post's first link to the post. Has no effect if the post was deleted or already has the
/// preview.
///
/// # Errors
/// Fails with an internal error if the fetch failed. The job is then retried. After three failed fetches, the job
/// succeeds without a preview.
pub async fn show(app: &App, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(post) = app.table.get::<Post>(&key(id)).await? else {
            return outcomes::end("the post is gone");
        };
        let link = post.first_link().filter(|_| !post.is_deleted);
        let Some(preview) = missing_preview(app, post.author, link, post.preview.as_ref()).await? else {
            return outcomes::end("no new preview");
        };
        let still = Write::update(key(id)).equals("edits", post.edits).equals("isDeleted", false);
        app.table.write(still.set("preview", preview)).await
    })
    .await
}

/// Returns the preview of a link. Returns `None` if the post already has this preview (`shown`), or if the page has no
/// metadata.
///
/// # Errors
/// Fails with an internal error if the fetch failed for the first or second time within an hour.
pub async fn missing_preview(
    app: &App,
    author: UserId,
    link: Option<&str>,
    shown: Option<&Preview>,
) -> Result<Option<Preview>> {
    let Some(link) = link.filter(|link| shown.is_none_or(|preview| preview.url != *link)) else {
        return Ok(None);
    };
    Ok(fetch::page(app, author, link).await?.map(|summary| summary.preview(link)))
}
