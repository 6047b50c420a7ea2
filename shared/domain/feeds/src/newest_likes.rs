//! What people like, as each instance remembers it: somebody whom many follow is asked once a minute, however many read.

use std::sync::Arc;

use base::ids::{PostId, UserId};
use moka::sync::Cache;
use platform::{App, error::Result, time::Time};
use posts::engagements;

const FRESH_SECONDS: i64 = 60;
const PEOPLE_MAX: u64 = 5_000;
/// Rows of one reading: a unit of 4 KB.
const LIKES: usize = 10;

/// What this instance remembers, and when it was read.
struct NewestLikes(Cache<UserId, (Time, Arc<[PostId]>)>);

impl Default for NewestLikes {
    fn default() -> Self {
        Self(Cache::new(PEOPLE_MAX))
    }
}

/// Returns those of the newest posts that somebody did something with which they like, at most 10, a minute old at
/// most.
pub(super) async fn of(app: &App, user: UserId) -> Result<Arc<[PostId]>> {
    let (remembered, now) = (app.memory.of::<NewestLikes>(), app.now());
    if let Some((read_at, likes)) = remembered.0.get(&user)
        && now < read_at.plus_seconds(FRESH_SECONDS)
    {
        return Ok(likes);
    }
    let likes: Arc<[PostId]> = engagements::newest_liked(app, user, LIKES).await?.into();
    remembered.0.insert(user, (now, Arc::clone(&likes)));
    Ok(likes)
}
