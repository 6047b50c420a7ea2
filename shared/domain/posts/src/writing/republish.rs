//! After a change of a post: the public feed and the search index learn of it.

use base::jobs::IndexJob;
use platform::{App, outbox::outbox_record_write, table::Write};

use crate::{Post, PostType, counting::feed_index};

/// Has the public feed and the search index learn, after this write, that a post of type POST changed. Changes
/// nothing for other types. The write belongs to a row in no index.
pub fn then_republish(write: Write, post: &Post) -> Write {
    match post.kind {
        PostType::Post => {
            write.then(&IndexJob::Post { post: post.id }).then_raise(feed_index::version_of(post))
        }
        PostType::Reply | PostType::Quote | PostType::Repost => write,
    }
}

/// Returns the letter by which the public feed and the search index learn that a post of type POST changed; none for
/// other types.
pub fn republish_record_write(app: &App, post: &Post) -> Option<Write> {
    (post.kind == PostType::Post).then(|| then_republish(outbox_record_write(app), post))
}

/// Has this instance read the feed anew: the relay tells all of them a moment later, and whoever changed a post
/// looks at once.
pub(crate) fn republished(app: &App, post: &Post) {
    if post.kind == PostType::Post {
        feed_index::changed_here(app);
    }
}
