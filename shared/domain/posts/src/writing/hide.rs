//! Writes that hide posts from lists, for users and for moderation.

use base::{PostId, UserId};
use platform::{App, Result, Write};

use crate::{Post, check_readable, check_unblocked, find, republish_record_write};

/// Returns a post whose ghost flag the caller can set, and the new flag. If `is_ghost` is `None`, the new flag is the
/// opposite of the current flag.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the caller may not read it. Fails with
/// [`platform::Error::Forbidden`] if a block exists between the caller and the author. A block does not prevent the
/// removal of the flag.
pub async fn find_hidable(
    app: &App,
    caller: UserId,
    id: PostId,
    is_ghost: Option<bool>,
) -> Result<(Post, bool)> {
    let post = find(app, id).await?;
    check_readable(app, caller, &post).await?;
    let is_ghost = is_ghost.unwrap_or(!post.is_ghost);
    if is_ghost {
        check_unblocked(app, caller, &post).await?;
    }
    Ok((post, is_ghost))
}

/// Returns the writes that set whether a user hides a post, and update the public feed and the search index.
pub fn ghost_writes(app: &App, before: &Post, is_ghost: bool) -> Vec<Write> {
    [ghost_write(before, is_ghost)].into_iter().chain(republish_record_write(app, before)).collect()
}

/// Returns the write that sets whether a user hides a post.
pub fn ghost_write(before: &Post, is_ghost: bool) -> Write {
    let after = Post { is_ghost, ..before.clone() };
    after.update_write(before).set("isGhost", is_ghost).marked()
}

/// Returns the write that sets whether moderation hides a post.
pub fn set_hidden_write(before: &Post, is_hidden: bool) -> Write {
    let after = Post { is_hidden, ..before.clone() };
    after.update_write(before).set("isHidden", is_hidden)
}
