//! The limit on posts per user, circle and hour.

use base::{CircleId, UserId};
use platform::{HOUR_SECONDS, Key, Result, Row, Time, Write, rate_limit::RateLimitStatus};
use serde::{Deserialize, Serialize};

use crate::circle;

const POSTS_PER_HOUR: i64 = 5;

/// The times of a user's posts in a circle within the last hour, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PostRate {
    circle: CircleId,
    user: UserId,
    recent: Vec<Time>,
}

impl PostRate {
    pub(super) fn new(circle: CircleId, user: UserId) -> Self {
        Self { circle, user, recent: Vec::new() }
    }

    /// Returns the write that counts a post at the current time. The write fails if another post was counted after the
    /// row was read.
    ///
    /// # Errors
    /// Fails with [`platform::Error::LimitReached`] for the sixth post within an hour.
    pub(super) fn count_write(&self, now: Time) -> Result<Write> {
        let mut recent: Vec<_> =
            self.recent.iter().copied().filter(|time| now < time.plus_seconds(HOUR_SECONDS)).collect();
        recent.push(now);
        let next_at = recent.first().map_or(now, |oldest| oldest.plus_seconds(HOUR_SECONDS));
        let reset = (next_at.millis() - now.millis() + 999) / 1000;
        RateLimitStatus { limit: POSTS_PER_HOUR, used: recent.len() as i64, reset }.enforce()?;
        let write = Write::put(&Self { recent, ..self.clone() });
        Ok(match self.recent.is_empty() {
            true => write.not_exists(),
            false => write.equals("recent", &self.recent),
        })
    }
}

/// Returns the key of the row with a user's post times in a circle.
pub(super) fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::partition(circle), format!("PACE#{user}"))
}

/// `CIRCLE#id / PACE#u`
impl Row for PostRate {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }
}
