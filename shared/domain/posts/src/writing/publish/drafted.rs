//! The writes that posts, replies and quotes have in common.

use platform::{Result, table::Write};

use crate::{
    Post, polls,
    writing::{attachments::Attachments, mentioned},
};

/// Returns the writes that create a drafted post, index its mentions, reserve its files and open its poll. Fails as
/// [`Attachments::use_writes`] does.
pub(super) fn drafted_writes(post: &Post, files: &Attachments) -> Result<Vec<Write>> {
    let writes = [Write::create(post)].into_iter().chain(mentioned::post_writes(post));
    Ok(writes.chain(files.use_writes(post.id)?).chain(polls::open_write(post)).collect())
}
