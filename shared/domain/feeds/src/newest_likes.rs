//! Caches the newest likes of users. Each instance reads the likes of a cached user at most once a minute.

use std::sync::Arc;

use base::{PostId, UserId};
use moka::sync::Cache;
use platform::{App, Result, Time};
use posts::engagements;

const FRESH_SECONDS: i64 = 60;
const USERS_MAX: u64 = 5_000;
/// Number of rows in one read. Ten rows cost a single read unit of 4 KB.
const LIKES: usize = 10;

/// This instance's cache of liked posts by user. Each entry has the time at which it was read.
struct NewestLikes(Cache<UserId, (Time, Arc<[PostId]>)>);

/// Returns the liked posts among a user's 10 newest engagements (likes and saves). The result may be up to a minute
/// old.
pub(super) async fn of(app: &App, user: UserId) -> Result<Arc<[PostId]>> {
    let (cache, now) = (app.memory.get_or_init(|| NewestLikes(Cache::new(USERS_MAX))), app.now());
    if let Some((read_at, likes)) = cache.0.get(&user)
        && now < read_at.plus_seconds(FRESH_SECONDS)
    {
        return Ok(likes);
    }
    let likes: Arc<[PostId]> = engagements::newest_liked(app, user, LIKES).await?.into();
    cache.0.insert(user, (now, Arc::clone(&likes)));
    Ok(likes)
}
