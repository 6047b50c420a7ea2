//! After a change: the public feed and the search index learn of it.

use platform::{App, Result};

use super::{Post, PostType, feed_index};
use crate::jobs::IndexJob;

/// Announces to the public feed and to the search index that a post of type POST changed. Does nothing for
/// other types. Costs 1 call and 1 send.
pub(crate) async fn republish(app: &App, post: &Post) -> Result<()> {
    if post.kind != PostType::Post {
        return Ok(());
    }
    feed_index::raise_version(app, post.shard).await;
    app.queues.send(&IndexJob::Post { post: post.id }).await
}
