//! The shards of the public feed. Each shard has a version, which changes when its posts change. Cached pages are
//! compared with these versions.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use base::PostId;
use platform::{App, Key, Query, Result, Row, Time, outbox::Counter};
use serde::{Deserialize, Serialize};

use crate::{Post, Source};

const PARTITION: &str = "FEED";
const VERSION_PREFIX: &str = "VERSION#";
/// Lifetime of the cached number of shards. Only a deployment adds shards, so a delayed update is harmless.
const SHARDS_FRESH_MILLIS: i64 = 10_000;

/// The versions of all shards that ever had a post. A cached page is outdated if its versions differ from the current
/// versions.
pub type FeedVersions = Vec<FeedVersion>;

/// The number of changes to a shard of the feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedVersion {
    sk: String,
    version: i64,
}

/// The number of changes to the feed that this instance made.
#[derive(Default)]
struct LocalChanges(AtomicU64);

/// The cached number of shards, and the time when it was read.
#[derive(Default)]
struct KnownShards(Mutex<Option<(Time, u8)>>);

/// Returns the shard of the public feed that a post belongs to.
pub fn shard_of(app: &App, post: PostId) -> u8 {
    (post.random() % u128::from(*app.settings.feed_shards)) as u8
}

/// Returns the version counter of the feed shard of `post`. All instances read this counter to detect changes.
pub(crate) fn version_of(post: &Post) -> Counter {
    Counter::new(Key::new(PARTITION, format!("{VERSION_PREFIX}{}", post.shard)), "version")
}

pub(crate) fn record_local_change(app: &App) {
    app.memory.of::<LocalChanges>().0.fetch_add(1, Ordering::Relaxed);
}

/// Returns the number of changes that this instance made to the feed.
pub fn local_changes(app: &App) -> u64 {
    app.memory.of::<LocalChanges>().0.load(Ordering::Relaxed)
}

/// Returns a source of posts for each shard of the feed. Includes shards that were created under another value of
/// `FEED_SHARDS`.
pub async fn sources(app: &App) -> Result<Vec<Source>> {
    let known = *app.memory.of::<KnownShards>().lock();
    let shards = match known.filter(|(at, _)| app.now().millis() < at.millis() + SHARDS_FRESH_MILLIS) {
        Some((_, shards)) => shards,
        None => shards(app, &versions(app).await?),
    };
    Ok((0..shards).map(|shard| Source::query(Post::in_feed(shard))).collect())
}

/// Reads the versions of all shards.
pub async fn versions(app: &App) -> Result<FeedVersions> {
    let versions = app.table.query(&Query::partition(PARTITION).prefix(VERSION_PREFIX)).await?;
    *app.memory.of::<KnownShards>().lock() = Some((app.now(), shards(app, &versions)));
    Ok(versions)
}

/// Returns the larger of `FEED_SHARDS` and the number of shards in `versions`. The two differ after a change of
/// `FEED_SHARDS`.
fn shards(app: &App, versions: &[FeedVersion]) -> u8 {
    let shard = |version: &FeedVersion| version.sk.strip_prefix(VERSION_PREFIX)?.parse::<u8>().ok();
    let used = versions.iter().filter_map(shard).map(|shard| shard.saturating_add(1)).max();
    used.unwrap_or_default().max(*app.settings.feed_shards)
}

impl KnownShards {
    fn lock(&self) -> MutexGuard<'_, Option<(Time, u8)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `FEED / VERSION#shard`
impl Row for FeedVersion {
    fn key(&self) -> Key {
        Key::new(PARTITION, &self.sk)
    }
}
