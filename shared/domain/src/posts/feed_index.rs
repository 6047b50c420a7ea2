//! The shards of the public feed, and the versions that show whether a cached page is outdated.

use platform::{
    App, Result,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{Post, lists::Source, row::feed_partition};
use crate::ids::PostId;

/// The number of changes to what a shard of the feed shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FeedVersion {
    shard: u8,
    version: i64,
}

/// Returns the shard of the public feed that a post belongs to.
pub fn shard_of(app: &App, post: PostId) -> u8 {
    (post.random() % u128::from(*app.settings.feed_shards)) as u8
}

/// Raises a shard's version, so that no instance shows its cached pages any more. Costs 1 call and 1 WRU.
///
/// A failure is only logged: the change itself is written, and cached pages expire by themselves.
pub async fn raise_version(app: &App, shard: u8) {
    let write = Write::update(version_key(shard)).set("shard", shard).add("version", 1);
    if let Err(error) = app.table.write(write).await {
        tracing::warn!("the feed's version was not raised: {error:?}");
    }
}

/// Returns the sources of all shards of the feed.
pub fn sources(app: &App) -> Vec<Source> {
    (0..*app.settings.feed_shards).map(|it| Source::query(Post::in_feed(it))).collect()
}

/// Reads the versions of all shards. Costs 1 call and 0.5 RRU a shard.
pub async fn versions(app: &App) -> Result<Vec<FeedVersion>> {
    let keys: Vec<_> = (0..*app.settings.feed_shards).map(version_key).collect();
    let mut versions: Vec<FeedVersion> = app.table.batch_get_eventual(&keys).await?;
    versions.sort_unstable();
    Ok(versions)
}

fn version_key(shard: u8) -> Key {
    Key::new(feed_partition(shard), "VERSION")
}

/// `FEED#shard / VERSION`
impl Row for FeedVersion {
    fn key(&self) -> Key {
        version_key(self.shard)
    }
}
