//! Leaves a circle.

use base::ids::{CircleId, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Circle, CircleLeft, Member, Role, join_context::JoinContext, permissions};

const NOT_A_MEMBER: &str = "you are not a member of this circle";
const OWNER: &str = "you own this circle. Make another member the owner before you leave.";

/// The response to leaving a circle or removing a member.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// The circle.
    pub circle_id: CircleId,
    /// The user who left or was removed.
    pub user_id: UserId,
    /// RFC 3339 time at which the membership ended.
    pub left_at: Time,
    /// The number of remaining members.
    #[schema(example = 3)]
    pub members_count: i64,
}

/// Leaves a circle.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist. Fails with [`Error::Forbidden`] if the user is not a
/// member, or is the owner of a circle that has other members.
pub async fn leave(app: &App, user: UserId, circle: CircleId, once: &Once) -> Result<Left> {
    let left = once
        .run(app, user, async || {
            let JoinContext { circle, member, .. } = JoinContext::of(app, circle, user).await?;
            let member = member.filter(Member::is_in).ok_or(Error::Forbidden(NOT_A_MEMBER.into()))?;
            if member.role == Role::Owner && circle.members_count > 1 {
                return Err(Error::Forbidden(OWNER.into()));
            }
            let now = app.now();
            let log = log_write(user, circle.id, now);
            let writes = vec![member.leave_write(now), count_leave_write(&circle, &member), log];
            let members_count = circle.members_count - 1;
            Ok((writes, Left { circle_id: circle.id, user_id: user, left_at: now, members_count }))
        })
        .await?;
    permissions::invalidate(app, user, circle);
    Ok(left)
}

/// Returns the write that logs that a user left a circle, and publishes [`CircleLeft`].
pub(super) fn log_write(user: UserId, circle: CircleId, now: Time) -> Write {
    let log = Action::on_circle(user, ActionType::LeaveCircle, circle, now).log_write();
    log.then_publish(&CircleLeft { circle_id: circle, user_id: user })
}

/// Returns the write that decrements the number of members. If the owner leaves, the write fails if a user joined after
/// the circle was read.
fn count_leave_write(circle: &Circle, member: &Member) -> Write {
    let write = circle.count_write(-1);
    if member.role == Role::Owner { write.equals("membersCount", 1) } else { write }
}
