//! Posts, replies, quotes and reposts: one kind of row, four ways to write it.

mod change;
pub mod engagements;
pub mod feed_index;
mod history;
pub mod likes;
pub mod lists;
pub(crate) mod notices;
mod publish;
mod row;
pub mod saved;
mod thread;
pub mod timeline;
mod values;
mod view;
mod visible;

pub use change::{Deleted, Edit, Hidden, delete, edit, toggle_ghost};
pub(crate) use change::{delete_write, republish, set_hidden_write, uncount_writes};
pub use history::{Version, history};
pub use publish::{Draft, QuoteDraft, ReplyDraft, create, quote, reply, repost};
pub use row::{Post, PostType, key};
pub use thread::{Thread, context, detail, replies};
pub use values::{Content, Media, MediaList, Mentions, ReplyPermission, Topic, Visibility};
pub use view::{PostView, engagements_of_page, readable, view, view_of_new, views, views_with};
pub use visible::visible_to;

use std::collections::HashMap;

use platform::{
    App,
    error::{Error, Result},
    table::Row,
};

use crate::ids::PostId;

/// The refusal for a post that is not there, or not any more.
pub const GONE: Error = Error::NotFound("post");

/// The post, unless it was deleted. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
pub async fn find(app: &App, id: PostId) -> Result<Post> {
    let found = app.table.get::<Post>(&key(id)).await?;
    found.filter(|it| !it.is_deleted).ok_or(GONE)
}

/// Those of these posts that lists show, in the same order. 1 call for each 100, 0.5 RRU each.
///
/// # Errors
/// Internal only.
pub async fn listed(app: &App, ids: &[PostId]) -> Result<Vec<Post>> {
    let keys: Vec<_> = ids.iter().map(|it| key(*it)).collect();
    let mut found: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    if found.len() < ids.len() {
        // No post's row ever goes: what seems missing was written a moment ago.
        let missing: Vec<_> =
            keys.into_iter().filter(|key| !found.iter().any(|it| it.key() == *key)).collect();
        found.extend(app.table.batch_get::<Post>(&missing).await?);
    }
    let mut found: HashMap<_, _> = found.into_iter().map(|it| (it.id, it)).collect();
    Ok(ids.iter().filter_map(|it| found.remove(it)).filter(Post::is_listed).collect())
}

/// As [`find`], as it is now or was a moment ago, for half the price.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
pub async fn find_eventual(app: &App, id: PostId) -> Result<Post> {
    let found = app.table.get_eventual::<Post>(&key(id)).await?;
    found.filter(|it| !it.is_deleted).ok_or(GONE)
}
