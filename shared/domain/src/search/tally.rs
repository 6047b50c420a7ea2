//! What a post is counted in: how many there are, its hashtag, what is trending.

use platform::table::Write;
use serde::{Deserialize, Serialize};

use super::hashtags;
use crate::{
    ledger::statistics::{self, Count},
    posts::{Post, Topic},
    search::trends::{self, Hour},
};

/// What a post counts for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Whether it is one of the posts that exist.
    pub(super) exists: bool,
    /// The hashtag that it counts for, and the hour.
    pub(super) topic: Option<(Topic, Hour)>,
}

impl Tally {
    /// What a post should count for: private, hidden and deleted ones make no trend.
    pub(super) fn wanted(post: &Post) -> Self {
        let topic = post.topic.clone().filter(|_| post.is_in_feed());
        Self { exists: !post.is_deleted, topic: topic.map(|it| (it, Hour::of(post.created_at))) }
    }

    /// The steps from what a post counted for to what it should: at most 5, 2 WRU each and 2 for the index of a trend.
    pub(super) fn steps(before: &Self, after: &Self, post: &Post) -> Vec<Write> {
        let mut steps = Vec::new();
        if before.exists != after.exists {
            let by = if after.exists { 1 } else { -1 };
            steps.push(statistics::count_write(post.id.random(), Count::Posts, by));
        }
        if before.topic != after.topic {
            for (side, by) in [(&before.topic, -1), (&after.topic, 1)] {
                if let Some((topic, hour)) = side {
                    steps.extend([hashtags::count(topic, by), trends::count(topic, *hour, by)]);
                }
            }
        }
        steps
    }
}
