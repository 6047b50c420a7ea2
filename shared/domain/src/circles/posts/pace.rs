//! How fast somebody writes in a circle: so many posts within any hour.

use platform::{
    error::{Error, Result},
    table::{Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

use crate::{
    circles::circle,
    ids::{CircleId, UserId},
};

const POSTS_AN_HOUR: usize = 5;

/// When somebody's last posts in a circle were written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pace {
    circle: CircleId,
    user: UserId,
    recent: Vec<Time>,
}

impl Pace {
    pub(super) fn new(circle: CircleId, user: UserId) -> Self {
        Self { circle, user, recent: Vec::new() }
    }

    /// The step that counts one more, while nobody counted meanwhile.
    ///
    /// # Errors
    /// [`Error::LimitReached`] for the one too many within an hour.
    pub(super) fn step(&self, now: Time, meanwhile: Error) -> Result<Write> {
        let mut recent: Vec<_> =
            self.recent.iter().copied().filter(|it| now < it.plus_seconds(HOUR_SECONDS)).collect();
        if recent.len() >= POSTS_AN_HOUR {
            let opens = recent.first().map_or(now, |it| it.plus_seconds(HOUR_SECONDS));
            let retry_after = (opens.millis() - now.millis() + 999) / 1000;
            return Err(Error::LimitReached { retry_after: retry_after.max(1) });
        }
        recent.push(now);
        let after = Self { recent, ..self.clone() };
        let write = Write::put(&after);
        let write =
            if self.recent.is_empty() { write.not_exists() } else { write.equals("recent", &self.recent) };
        Ok(write.or(meanwhile))
    }
}

/// Where it is.
pub(super) fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::pk(circle), format!("PACE#{user}"))
}

/// `CIRCLE#id / PACE#u`
impl Row for Pace {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }
}
