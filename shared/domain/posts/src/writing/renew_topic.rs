//! Renews the stored hashtags of posts, for operators after a release that changes which hashtags are equal.

use base::PostId;
use platform::{App, Result, Write, retry_on_conflict};

use crate::{Post, key};

/// Stores the hashtag of a post in its current form, and moves the post to the list of this hashtag.
///
/// # Errors
/// Fails if the table fails.
pub async fn renew_topic(app: &App, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(post) = app.table.get::<Post>(&key(id)).await? else { return Ok(()) };
        let write = Write::reindex(&post).set_or_remove("topic", post.topic.as_ref());
        let write = write.equals("edits", post.edits).equals("visibility", post.visibility);
        let write = write.equals("isDeleted", post.is_deleted).equals("isHidden", post.is_hidden);
        app.table.write(write.equals("isGhost", post.is_ghost)).await
    })
    .await
}
