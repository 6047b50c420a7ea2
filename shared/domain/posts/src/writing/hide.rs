//! Hides posts from lists at the request of users or of moderation.

use std::sync::OnceLock;

use base::ids::{PostId, UserId};
use platform::{App, Result, error::Error, retry_on_conflict, table::Write};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Post, find,
    reading::visible::check_readable,
    writing::republish::{invalidate_local_feed, republish_record_write},
};

/// The state of a post after its ghost flag was toggled.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hidden {
    /// The post's ID.
    pub public_id: PostId,
    /// Whether the post is now hidden from lists.
    pub is_ghost: bool,
}

/// Toggles the ghost flag of a post. The flag hides the post from lists for all users.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or the caller may not read it. Fails with
/// [`Error::Invalid`] if the caller is the author.
pub async fn toggle_ghost(app: &App, caller: UserId, id: PostId) -> Result<Hidden> {
    // Decide the new value once, so that a retry does not toggle the flag back.
    let wanted = OnceLock::new();
    let post = retry_on_conflict(async || {
        let before = find(app, id).await?;
        check_readable(app, caller, &before).await?;
        if before.author == caller {
            return Err(Error::invalid("publicId", "must not be your own post"));
        }
        let is_ghost = *wanted.get_or_init(|| !before.is_ghost);
        if before.is_ghost == is_ghost {
            return Ok(before);
        }
        let after = Post { is_ghost, ..before.clone() };
        let ghost_write = after.update_write(&before).set("isGhost", after.is_ghost);
        let outbox_record_write = republish_record_write(app, &after);
        app.table.transact([ghost_write].into_iter().chain(outbox_record_write).collect()).await?;
        Ok(after)
    })
    .await?;
    invalidate_local_feed(app, &post);
    Ok(Hidden { public_id: id, is_ghost: post.is_ghost })
}

/// Returns the write that sets whether moderation hides a post.
pub fn set_hidden_write(before: &Post, is_hidden: bool) -> Write {
    let after = Post { is_hidden, ..before.clone() };
    after.update_write(before).set("isHidden", is_hidden)
}
