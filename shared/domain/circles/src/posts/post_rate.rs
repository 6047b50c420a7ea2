//! The limit on how many posts a user writes in a circle within any hour.

use base::ids::{CircleId, UserId};
use platform::{
    error::Result,
    rate_limit::RateLimitStatus,
    table::{Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

use crate::circle;

const POSTS_AN_HOUR: i64 = 5;

/// The times of a user's last posts in a circle, oldest first.
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

    /// Counts a post that is written now. Fails when another was counted since the row was read.
    ///
    /// # Errors
    /// [`platform::Error::LimitReached`] for the sixth post within an hour.
    pub(super) fn count_write(&self, now: Time) -> Result<Write> {
        let mut recent: Vec<_> =
            self.recent.iter().copied().filter(|it| now < it.plus_seconds(HOUR_SECONDS)).collect();
        recent.push(now);
        let opens = recent.first().map_or(now, |it| it.plus_seconds(HOUR_SECONDS));
        let reset = (opens.millis() - now.millis() + 999) / 1000;
        RateLimitStatus { limit: POSTS_AN_HOUR, used: recent.len() as i64, reset }.enforce()?;
        let write = Write::put(&Self { recent, ..self.clone() });
        Ok(match self.recent.is_empty() {
            true => write.not_exists(),
            false => write.equals("recent", &self.recent),
        })
    }
}

/// The key of a user's rate in a circle.
pub(crate) fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::partition(circle), format!("PACE#{user}"))
}

/// `CIRCLE#id / PACE#u`
impl Row for PostRate {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }
}
