//! The row that names the private group of two people, so that they have only one.

use base::ids::{GroupId, UserId};
use platform::table::{Key, Row};
use serde::{Deserialize, Serialize};

/// The private group of two people.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    users: [UserId; 2],
    /// The group's id.
    pub(super) group: GroupId,
}

impl Pair {
    /// Returns the private group of two people, in either order.
    pub(super) fn new(mut users: [UserId; 2], group: GroupId) -> Self {
        users.sort_unstable();
        Self { users, group }
    }
}

/// Returns the key of two people's private group, in either order.
pub(super) fn key(mut users: [UserId; 2]) -> Key {
    users.sort_unstable();
    let [low, high] = users;
    Key::new(format!("PAIR#{low}#{high}"), "UNIQUE")
}

/// `PAIR#a#b / UNIQUE`, the lower id first
impl Row for Pair {
    fn key(&self) -> Key {
        key(self.users)
    }
}
