//! Deleting a circle: it ends as a circle that dies does, and leaves no stone.

use base::ids::{CircleId, UserId};
use platform::{App, error::Result, retry_on_conflict, time::Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Change, Circle, Permission, energy, permissions};

/// The answer to deleting a circle.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedCircle {
    /// The circle.
    pub public_id: CircleId,
    /// RFC 3339 time of its end.
    pub deleted_at: Time,
}

/// Deletes a circle. It takes no request from that moment; its members hear of it, and its rows are purged 24 hours
/// later, as those of a circle that died. The museum gets no stone, because it did not die; heroes keep their badges.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such circle; [`platform::Error::Forbidden`] for a caller who is not
/// its owner.
pub async fn delete(app: &App, caller: UserId, id: CircleId) -> Result<DeletedCircle> {
    retry_on_conflict(async || {
        let granted = permissions::require(app, id, caller, Permission::ChangeCircle).await?;
        let (energy, now) = (energy::energy(app, id).await?, app.now());
        let transition = Change::deletion(caller, app.ids.next(now), &energy).apply(&energy, now)?;
        let mut writes = transition.energy_writes();
        writes.push(Circle::end_write(id, now));
        granted.commit(app, writes).await?;
        permissions::invalidate(app, caller, id);
        Ok(DeletedCircle { public_id: id, deleted_at: now })
    })
    .await
}
