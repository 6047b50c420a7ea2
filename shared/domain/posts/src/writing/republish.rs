//! Updates the public feed and the search index after a post changes.

use base::IndexJob;
use platform::{App, Write, outbox_record_write};

use crate::{Post, PostType, counting::feed_index};

/// Adds an update of the public feed and the search index to `write`. If the post is not of type POST, returns `write`
/// unchanged.
///
/// No index may contain the row of `write`. See [`outbox_record_write`].
pub fn then_republish(write: Write, post: &Post) -> Write {
    match post.kind {
        PostType::Post => {
            write.then(&IndexJob::Post { post: post.id }).then_raise(feed_index::version_of(post))
        }
        PostType::Reply | PostType::Quote | PostType::Repost => write,
    }
}

/// Returns the outbox record that updates the public feed and the search index. Returns `None` if the post is not of
/// type POST.
pub fn republish_record_write(app: &App, post: &Post) -> Option<Write> {
    (post.kind == PostType::Post).then(|| then_republish(outbox_record_write(app), post))
}

/// Makes this instance reload the public feed at the next request, so that the author sees the change. Other instances
/// reload the feed a moment later.
pub fn invalidate_local_feed(app: &App, kind: PostType) {
    if kind == PostType::Post {
        feed_index::record_local_change(app);
    }
}
