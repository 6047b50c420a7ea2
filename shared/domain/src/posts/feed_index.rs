//! The shards of the public feed, and the versions that tell who remembers a page that it changed.

use platform::{
    App, Result,
    table::{Index, Key, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{Post, PostType};
use crate::{ids::PostId, posts::lists::Source};

/// Counts the changes of what a shard of the feed shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Version {
    shard: u8,
    version: i64,
}

/// The shard of the public feed that a post belongs to.
pub fn shard_of(app: &App, post: PostId) -> u8 {
    (post.random() % u128::from(*app.settings.feed_shards)) as u8
}

/// Tells every instance that a shard of the feed shows something else now. 1 call, 1 WRU.
///
/// A failure is only logged: the change itself is written, and remembered pages end by themselves.
pub async fn bump(app: &App, post: &Post) {
    if post.kind != PostType::Post {
        return;
    }
    let bump = Write::update(version_key(post.shard)).set("shard", post.shard).add("version", 1);
    if let Err(error) = app.table.write(bump).await {
        tracing::warn!("the feed's version was not raised: {error:?}");
    }
}

/// All shards of the feed.
pub fn shards(app: &App) -> Vec<Source> {
    let shards = 0..*app.settings.feed_shards;
    shards.map(|it| Source::new(Index::Gsi2, format!("FEED#{it}"))).collect()
}

/// The versions of all shards. 1 call, 0.5 RRU a shard.
///
/// # Errors
/// Internal only.
pub async fn versions(app: &App) -> Result<Vec<Version>> {
    let keys: Vec<_> = (0..*app.settings.feed_shards).map(version_key).collect();
    let mut versions: Vec<Version> = app.table.batch_get_eventual(&keys).await?;
    versions.sort_unstable();
    Ok(versions)
}

fn version_key(shard: u8) -> Key {
    Key::new(format!("FEED#{shard}"), "VERSION")
}

/// `FEED#shard / VERSION`
impl Row for Version {
    fn key(&self) -> Key {
        version_key(self.shard)
    }
}
