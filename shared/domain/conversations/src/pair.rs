//! The row that ensures that two users have at most one private group.

use base::{GroupId, UserId};
use platform::{Key, Row};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    users: [UserId; 2],
    pub(super) group: GroupId,
}

impl Pair {
    /// Returns the row for two users, in either order.
    pub(super) fn new(mut users: [UserId; 2], group: GroupId) -> Self {
        users.sort_unstable();
        Self { users, group }
    }
}

/// Returns the key for two users, in either order.
pub(super) fn key(mut users: [UserId; 2]) -> Key {
    users.sort_unstable();
    let [low, high] = users;
    Key::new(format!("PAIR#{low}#{high}"), "UNIQUE")
}

/// `PAIR#a#b / UNIQUE`, where `a` is the lower user ID
impl Row for Pair {
    fn key(&self) -> Key {
        key(self.users)
    }
}
