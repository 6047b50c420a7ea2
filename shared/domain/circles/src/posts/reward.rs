//! Rewards for good texts. A circle rewards the same text at most once an hour.

use base::CircleId;
use platform::{HOUR_SECONDS, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};

use super::{CirclePost, verdicts};

/// A text that a circle has rewarded.
#[derive(Serialize, Deserialize)]
pub(super) struct Reward {
    circle: CircleId,
    hash: String,
    expires: Time,
}

impl Reward {
    /// Returns the reward for a post that is judged now.
    pub(super) fn of(post: &CirclePost, now: Time) -> Self {
        let hash = verdicts::hash(&post.content);
        Self { circle: post.circle, hash, expires: now.plus_seconds(HOUR_SECONDS) }
    }

    /// Returns whether the reward still prevents a second reward for the same text.
    pub(super) fn is_active(&self, now: Time) -> bool {
        now < self.expires
    }

    /// Returns the write that stores the reward. The write fails if the circle rewarded the text within the last hour.
    pub(super) fn reward_write(&self) -> Write {
        Write::put(self).vacant_at(self.expires.plus_seconds(-HOUR_SECONDS))
    }
}

/// Returns the key of the reward for a text in a circle.
pub(super) fn key(circle: CircleId, hash: &str) -> Key {
    Key::new(format!("VERDICT#{circle}#{hash}"), "VERDICT")
}

/// `VERDICT#circle#sha256 / VERDICT`, kept for an hour
impl Row for Reward {
    fn key(&self) -> Key {
        key(self.circle, &self.hash)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
