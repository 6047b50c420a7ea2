//! Caches the part of a viral post that each like request reads. Without the cache, the post's partition could serve
//! only 6,000 of these reads per second.

use base::PostId;
use moka::sync::Cache;
use platform::{App, Result, Time};

use super::{LikesCount, key};

const FRESH_MILLIS: i64 = 1_000;
/// Maximum number of reads of a post by one instance within [`FRESH_MILLIS`]. Further like requests use the last read.
const READS_MAX: u32 = 3;
const POSTS_MAX: u64 = 1_000;

/// The latest read of each post by this instance. An entry older than [`FRESH_MILLIS`] is ignored.
struct HotPosts(Cache<PostId, Recent>);

#[derive(Clone, Copy)]
struct Recent {
    /// Time of the first of `reads` reads. The entry's age counts from this time.
    since: Time,
    reads: u32,
    count: LikesCount,
}

/// Returns the part of a post that a like request reads, or `None` if the post does not exist. The data may be cached
/// for up to a second.
pub(super) async fn likes_count(app: &App, post: PostId) -> Result<Option<LikesCount>> {
    let (hot, now) = (app.memory.get_or_init(|| HotPosts(Cache::new(POSTS_MAX))), app.now());
    let recent = hot.0.get(&post).filter(|recent| now.millis() < recent.since.millis() + FRESH_MILLIS);
    if let Some(recent) = recent.filter(|recent| recent.reads >= READS_MAX) {
        return Ok(Some(recent.count));
    }
    let count = app.table.get_eventual::<LikesCount>(&key(post)).await?;
    let (since, reads) = recent.map_or((now, 1), |recent| (recent.since, recent.reads + 1));
    if let Some(count) = count {
        hot.0.insert(post, Recent { since, reads, count });
    }
    Ok(count)
}
