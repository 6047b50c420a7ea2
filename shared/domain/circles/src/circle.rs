//! The row of a circle: its name, its owner, the number of its members.

use base::ids::{CircleId, UserId};
use platform::{
    App, Result,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use super::{CircleDescription, CircleName, NO_CIRCLE};

/// A circle's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Circle {
    /// The circle's id.
    pub id: CircleId,
    /// Its name, 1 to 50 characters.
    pub name: CircleName,
    /// What it is about, at most 500 characters.
    pub description: CircleDescription,
    /// The user who owns it.
    pub owner_id: UserId,
    /// The number of members who have not left.
    pub members_count: i64,
    /// The time of its creation.
    pub created_at: Time,
    /// The time of its death; none while it lives.
    pub deleted_at: Option<Time>,
}

impl Circle {
    /// Whether the circle lives.
    pub fn lives(&self) -> bool {
        self.deleted_at.is_none()
    }

    /// Adds to the number of members. Fails when the circle died.
    pub(super) fn count_write(&self, by: i64) -> Write {
        Write::update(key(self.id)).add("membersCount", by).exists().lacks("deletedAt")
    }

    /// Gives the circle to another owner. Fails with [`NO_CIRCLE`] when it died.
    pub(super) fn owner_write(id: CircleId, owner: UserId) -> Write {
        Self::while_alive_write(Write::update(key(id)).set("ownerId", owner))
    }

    /// Ends the circle. Fails when it ended before.
    pub(super) fn end_write(id: CircleId, at: Time) -> Write {
        Write::update(key(id)).set("deletedAt", at).exists().lacks("deletedAt")
    }

    /// Fails the transaction with [`NO_CIRCLE`] when the circle died.
    pub(super) fn check_alive_write(id: CircleId) -> Write {
        Self::while_alive_write(Write::check(key(id))).into()
    }

    /// Counts one member less, who leaves the network, and gives the circle that they owned to another. Fails when it died,
    /// or when somebody joined or left since it was read.
    pub(super) fn withdraw_write(&self, owner: UserId) -> Write {
        let write = self.count_write(-1).set("ownerId", owner);
        write.equals("membersCount", self.members_count).equals("ownerId", self.owner_id)
    }

    /// Refuses a write with [`NO_CIRCLE`] when the circle died.
    pub(super) fn while_alive_write<K>(write: Write<K>) -> Write<K> {
        write.exists().lacks("deletedAt").or(NO_CIRCLE)
    }
}

/// Returns a living circle.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such circle, or it died.
pub async fn find(app: &App, circle: CircleId) -> Result<Circle> {
    let found: Option<Circle> = app.table.get(&key(circle)).await?;
    found.filter(Circle::lives).ok_or(NO_CIRCLE)
}

/// The key of a circle's row.
pub fn key(circle: CircleId) -> Key {
    Key::new(partition(circle), "CIRCLE")
}

/// The partition of all rows of a circle, except its posts.
pub(super) fn partition(circle: CircleId) -> String {
    format!("CIRCLE#{circle}")
}

/// `CIRCLE#id / CIRCLE`
impl Row for Circle {
    fn key(&self) -> Key {
        key(self.id)
    }
}
