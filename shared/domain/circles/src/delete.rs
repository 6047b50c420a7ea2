//! Deletes a circle. A deleted circle is treated like a dead circle, but does not appear in the museum.

use base::{CircleId, UserId};
use platform::{App, Once, Result, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Change, Circle, Permission, energy, permissions};

/// The response to deleting a circle.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleDeletion)]
#[serde(rename_all = "camelCase")]
pub struct DeletedCircle {
    /// The deleted circle.
    pub public_id: CircleId,
    /// RFC 3339 time of the deletion.
    pub deleted_at: Time,
}

/// Deletes a circle and notifies its members. The circle's rows are purged 24 hours later, like the rows of a dead
/// circle.
///
/// Users who gave karma to the circle keep their badges.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the circle does not exist, and with [`platform::Error::Forbidden`]
/// unless the caller is its owner.
pub async fn delete(app: &App, caller: UserId, id: CircleId, once: &Once) -> Result<DeletedCircle> {
    let deleted = permissions::run(app, caller, id, Permission::ChangeCircle, once, async |granted| {
        let (energy, now) = (energy::energy(app, id).await?, app.now());
        let transition = Change::deletion(Some(caller), app.ids.next(now), &energy).apply(&energy, now)?;
        let mut writes = transition.energy_writes();
        writes.extend([Circle::end_write(id, now), granted.check_role_write()]);
        Ok((writes, DeletedCircle { public_id: id, deleted_at: now }))
    })
    .await?;
    permissions::invalidate(app, caller, id);
    Ok(deleted)
}
