//! The writes that posts, replies and quotes have in common.

use platform::{Result, Write};

use crate::{Post, mentioned, polls, writing::attachments::Attachments};

/// Returns the writes that create a post, index its mentions, reserve its files and create its poll. Fails for the same
/// reasons as [`Attachments::use_writes`].
pub(super) fn drafted_writes(post: &Post, files: &Attachments) -> Result<Vec<Write>> {
    let writes = [Write::create(post)].into_iter().chain(mentioned::post_writes(post));
    Ok(writes.chain(files.use_writes(post.id)?).chain(polls::open_write(post)).collect())
}
