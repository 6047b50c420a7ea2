//! The worker that shows previews.

use platform::{App, Result, retry_stale, table::Write};

use super::fetch;
use crate::{
    ids::PostId,
    posts::{Post, key},
};

/// Has a post show what the page of its first link says of itself, unless it was deleted, or edited meanwhile. The same
/// again changes nothing. Costs 1 call and 1 RRU for each 4 KB; as much as [`fetch::page`]; and 1 call and the WRU of the
/// post and its indexes where there is something to show.
///
/// # Errors
/// Internal, when the page did not answer: so it is asked for three times.
pub async fn show(app: &App, id: PostId) -> Result<()> {
    retry_stale(async || {
        let Some(post) = app.table.get::<Post>(&key(id)).await? else { return Ok(()) };
        let Some(link) = unshown(&post) else { return Ok(()) };
        let Some(summary) = fetch::page(app, link).await? else { return Ok(()) };
        let still = Write::update(key(id)).equals("edits", post.edits).equals("isDeleted", false);
        app.table.write(still.set("preview", summary.preview(link))).await
    })
    .await
}

/// Returns the first link of a post that does not show it yet.
fn unshown(post: &Post) -> Option<&str> {
    let is_shown = |link: &str| post.preview.as_ref().is_some_and(|it| it.url == link);
    post.first_link().filter(|link| !post.is_deleted && !is_shown(link))
}
