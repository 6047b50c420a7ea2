//! The row of a circle: its name, owner and number of members.

use base::{CircleId, UserId};
use platform::{App, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

use super::{CircleDescription, CircleName, NO_CIRCLE};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Circle {
    pub(super) id: CircleId,
    pub(super) name: CircleName,
    pub(super) description: CircleDescription,
    /// The circle's owner, or [`UserId::NONE`] after the last member left.
    pub(super) owner_id: UserId,
    pub(super) members_count: i64,
    pub(super) created_at: Time,
    /// The time at which the circle died or was deleted, or `None` while it is alive.
    pub(super) deleted_at: Option<Time>,
}

impl Circle {
    pub(super) fn is_alive(&self) -> bool {
        self.deleted_at.is_none()
    }

    /// Returns the write that changes the number of members by `by`. The write fails if the circle is dead.
    pub(super) fn count_write(&self, by: i64) -> Write {
        Write::update(key(self.id)).add("membersCount", by).exists().lacks("deletedAt")
    }

    /// Returns the write that sets the owner. The write fails with [`NO_CIRCLE`] if the circle is dead.
    pub(super) fn owner_write(id: CircleId, owner: UserId) -> Write {
        Self::while_alive_write(Write::update(key(id)).set("ownerId", owner))
    }

    /// Returns the write that soft-deletes the circle. The write fails if the circle is already dead.
    pub(super) fn end_write(id: CircleId, at: Time) -> Write {
        Write::update(key(id)).set("deletedAt", at).exists().lacks("deletedAt")
    }

    /// Returns the check that fails the transaction with [`NO_CIRCLE`] if the circle is dead.
    pub(super) fn check_alive_write(id: CircleId) -> Write {
        Self::while_alive_write(Write::check(key(id))).into()
    }

    /// Returns the write that replaces the owner. The write fails if the circle is dead, or if its owner changed after
    /// it was read.
    pub(super) fn replace_owner_write(&self, owner: UserId) -> Write {
        let write = Write::update(key(self.id)).set("ownerId", owner).exists().lacks("deletedAt");
        write.equals("ownerId", self.owner_id)
    }

    /// Returns the write that soft-deletes the circle. The write fails if the circle is dead, or if the owner or the
    /// number of members changed after the read.
    pub(super) fn close_unchanged_write(&self, at: Time) -> Write {
        let write = Self::end_write(self.id, at).equals("ownerId", self.owner_id);
        write.equals("membersCount", self.members_count)
    }

    /// Returns the write that removes the owner from the circle and soft-deletes the circle. The write fails if the
    /// circle is dead, or if its number of members changed after it was read.
    pub(super) fn close_write(&self, at: Time) -> Write {
        let write = self.count_write(-1).set("ownerId", UserId::NONE).set("deletedAt", at);
        write.equals("membersCount", self.members_count)
    }

    /// Returns `write` with the added condition that the circle is alive. If the circle is dead, the write fails with
    /// [`NO_CIRCLE`].
    pub(super) fn while_alive_write<K>(write: Write<K>) -> Write<K> {
        write.exists().lacks("deletedAt").or(NO_CIRCLE)
    }
}

/// Returns a living circle.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the circle does not exist or is dead.
pub(super) async fn find(app: &App, circle: CircleId) -> Result<Circle> {
    let found: Option<Circle> = app.table.get(&key(circle)).await?;
    found.filter(Circle::is_alive).ok_or(NO_CIRCLE)
}

pub(super) fn key(circle: CircleId) -> Key {
    Key::new(partition(circle), "CIRCLE")
}

/// Returns the partition of all rows of a circle except its posts.
pub(super) fn partition(circle: CircleId) -> String {
    format!("CIRCLE#{circle}")
}

/// `CIRCLE#id / CIRCLE`
impl Row for Circle {
    fn key(&self) -> Key {
        key(self.id)
    }
}
