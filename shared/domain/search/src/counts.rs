//! The counts that include a post: all posts, posts with the same hashtag, and posts of the same hour with that
//! hashtag.

use std::collections::HashMap;

use base::Topic;
use ledger::statistics::{self, Count};
use platform::Write;
use posts::Post;
use serde::{Deserialize, Serialize};

use super::{
    hashtags,
    trends::{self, Hour},
};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PostCounts {
    /// Whether the total number of posts includes the post.
    pub(super) exists: bool,
    /// The hashtag and the hour whose counts include the post. `None` if no hashtag count includes the post.
    pub(super) topic: Option<(Topic, Hour)>,
}

impl PostCounts {
    /// Returns the counts that must include a post. The counts of a hashtag include only posts in the public feed.
    pub(super) fn of(post: &Post) -> Self {
        let topic = post.topic.clone().filter(|_| post.is_in_feed());
        Self { exists: !post.is_deleted, topic: topic.map(|topic| (topic, Hour::of(post.created_at))) }
    }

    /// Returns the writes that update the counts after changes to posts. Each change is a pair: the counts that
    /// included the post before, and the counts that include it now. `random` selects the shard of the statistics.
    pub(super) fn change_writes<'a>(
        random: u128,
        changes: impl Iterator<Item = (&'a Self, &'a Self)>,
    ) -> Vec<Write> {
        let (mut posts, mut topics, mut hours) = (0, HashMap::new(), HashMap::new());
        for (before, after) in changes.filter(|(before, after)| before != after) {
            for (counts, by) in [(before, -1), (after, 1)] {
                posts += by * i64::from(counts.exists);
                if let Some((topic, hour)) = &counts.topic {
                    *topics.entry(topic).or_default() += by;
                    *hours.entry((topic, *hour)).or_default() += by;
                }
            }
        }
        let statistics = (posts != 0).then(|| statistics::count_write(random, Count::Posts, posts));
        let topics = topics.into_iter().filter(|count| count.1 != 0);
        let topics = topics.map(|(topic, by): (_, i64)| hashtags::count_write(topic, by));
        let hours = hours.into_iter().filter(|count| count.1 != 0);
        let hours = hours.map(|((topic, hour), by): (_, i64)| trends::count_write(topic, hour, by));
        statistics.into_iter().chain(topics).chain(hours).collect()
    }
}
