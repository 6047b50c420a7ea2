//! The partitions of posts, in the table and in the indexes.

use base::{PostId, Topic, UserId};

/// Returns the partition of a post's row and of the rows that belong to the post.
pub fn partition(id: PostId) -> String {
    format!("POST#{id}")
}

/// Returns the partition of gsi2 that lists the posts of a feed shard.
pub(crate) fn feed_partition(shard: u8) -> String {
    format!("FEED#{shard}")
}

pub(crate) fn author_partition(author: UserId) -> String {
    format!("AUTHOR#{author}")
}

/// Returns the partition of gsi1 that lists a user's replies.
pub(crate) fn answers_partition(author: UserId) -> String {
    format!("ANSWERS#{author}")
}

/// Returns the partition of gsi1 with a user's hidden posts, quotes and reposts. Only the author can read this list.
pub(crate) fn hidden_partition(author: UserId) -> String {
    format!("HIDDEN#{author}")
}

/// Returns the partition of gsi1 with a user's deleted quotes and reposts, and posts that account deletion deleted.
pub(crate) fn unlisted_partition(author: UserId) -> String {
    format!("UNLISTED#{author}")
}

pub(crate) fn replies_partition(parent: PostId) -> String {
    format!("REPLIES#{parent}")
}

pub(crate) fn quotes_partition(origin: PostId) -> String {
    format!("QUOTES#{origin}")
}

pub(crate) fn reposts_partition(origin: PostId) -> String {
    format!("REPOSTS#{origin}")
}

/// Returns the partition of gsi2 with the deleted and hidden quotes and reposts of a post.
pub(crate) fn unlisted_shares_partition(origin: PostId) -> String {
    format!("UNLISTED#{origin}")
}

pub(crate) fn topic_partition(topic: &Topic) -> String {
    format!("TOPIC#{}", topic.as_str())
}
