//! Limits on new posts of all kinds, including posts in circles.

use base::UserId;
use platform::{App, HOUR_SECONDS, Once, RateLimit, Result, Write, rate_limit::FIVE_MINUTES};
use ulid::Ulid;

const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
/// Age of an account below which an account is young. Spammers rarely keep an account that long.
const YOUNG_SECONDS: i64 = 7 * DAY_SECONDS;

/// Counts a new post without an `Idempotency-Key`. A post with a key is counted by [`count_writes`].
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if the author has written too many posts.
pub async fn count(app: &App, once: &Once, author: UserId) -> Result<()> {
    once.count_all(app, &limits(app, author), &author.to_string()).await
}

/// Returns the writes that count a new post with an `Idempotency-Key`.
pub fn count_writes(app: &App, once: &Once, author: UserId) -> Vec<Write> {
    once.count_writes(app, &limits(app, author), &author.to_string())
}

fn limits(app: &App, author: UserId) -> Vec<RateLimit> {
    let most = *app.settings.post_limit_per_5_min;
    let per_5_min = RateLimit { what: "post", most, seconds: FIVE_MINUTES };
    let most = *app.settings.post_limit_per_day;
    let per_day = RateLimit { what: "post-day", most, seconds: DAY_SECONDS };
    // The day comes first, because a request that exceeds both limits must wait for the end of the day.
    is_young(app, author).then_some(per_day).into_iter().chain([per_5_min]).collect()
}

/// Returns whether the account is less than 7 days old.
pub fn is_young(app: &App, user: UserId) -> bool {
    let age_millis = app.now().millis() - Ulid::from(user).timestamp_ms() as i64;
    age_millis < YOUNG_SECONDS * 1000
}
