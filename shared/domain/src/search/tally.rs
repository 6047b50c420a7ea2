//! The counts that include a post: of all posts, of its hashtag, of its hashtag in its hour.

use platform::table::Write;
use serde::{Deserialize, Serialize};

use super::{
    hashtags,
    trends::{self, Hour},
};
use crate::{
    ledger::statistics::{self, Count},
    posts::{Post, Topic},
};

/// The counts that include a post.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Whether the statistics count it as a post that exists.
    pub(super) exists: bool,
    /// The hashtag that counts it, and the hour.
    pub(super) topic: Option<(Topic, Hour)>,
}

impl Tally {
    /// Returns the counts that should include a post. A hashtag counts only posts of the public feed.
    pub(super) fn wanted(post: &Post) -> Self {
        let topic = post.topic.clone().filter(|_| post.is_in_feed());
        Self { exists: !post.is_deleted, topic: topic.map(|it| (it, Hour::of(post.created_at))) }
    }

    /// Returns the writes that change counts from one tally to another: at most 5, of 2 WRU each, and 2 for
    /// the index of a trend.
    pub(super) fn change_writes(before: &Self, after: &Self, post: &Post) -> Vec<Write> {
        let mut writes = Vec::new();
        if before.exists != after.exists {
            let by = if after.exists { 1 } else { -1 };
            writes.push(statistics::count_write(post.id.random(), Count::Posts, by));
        }
        if before.topic != after.topic {
            for (topic, by) in [(&before.topic, -1), (&after.topic, 1)] {
                if let Some((topic, hour)) = topic {
                    writes.extend([hashtags::count_write(topic, by), trends::count_write(topic, *hour, by)]);
                }
            }
        }
        writes
    }
}
