//! The shards of the public feed, and the versions that show whether a cached page is outdated.

use std::sync::atomic::{AtomicU64, Ordering};

use platform::{
    App, Result,
    outbox::Counter,
    table::{Key, Row},
};
use serde::{Deserialize, Serialize};

use super::{Post, lists::Source, row::feed_partition};
use crate::ids::PostId;

const VERSION: &str = "VERSION";

/// What shows whether a cached page of the feed is outdated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedVersions {
    shards: Vec<FeedVersion>,
    changes_here: u64,
}

/// The number of changes to what a shard of the feed shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct FeedVersion {
    pk: String,
    version: i64,
}

/// The number of changes that this instance made.
#[derive(Default)]
struct ChangesHere(AtomicU64);

/// Returns the shard of the public feed that a post belongs to.
pub fn shard_of(app: &App, post: PostId) -> u8 {
    (post.random() % u128::from(*app.settings.feed_shards)) as u8
}

/// Returns the counter that shows all instances that the shard of a post changed.
pub(super) fn version_of(post: &Post) -> Counter {
    Counter::new(version_key(post.shard), "version")
}

/// Shows this instance that the feed changed.
pub(super) fn changed_here(app: &App) {
    app.memory.of::<ChangesHere>().0.fetch_add(1, Ordering::Relaxed);
}

/// Returns the sources of all shards of the feed.
pub fn sources(app: &App) -> Vec<Source> {
    (0..*app.settings.feed_shards).map(|it| Source::query(Post::in_feed(it))).collect()
}

/// Reads the versions of all shards. Costs 1 call and 0.5 RRU a shard.
pub async fn versions(app: &App) -> Result<FeedVersions> {
    let changes_here = app.memory.of::<ChangesHere>().0.load(Ordering::Relaxed);
    let keys: Vec<_> = (0..*app.settings.feed_shards).map(version_key).collect();
    let mut shards: Vec<FeedVersion> = app.table.batch_get_eventual(&keys).await?;
    shards.sort_unstable();
    Ok(FeedVersions { shards, changes_here })
}

fn version_key(shard: u8) -> Key {
    Key::new(feed_partition(shard), VERSION)
}

/// `FEED#shard / VERSION`
impl Row for FeedVersion {
    fn key(&self) -> Key {
        Key::new(&self.pk, VERSION)
    }
}
