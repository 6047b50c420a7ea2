//! Leaves a circle.

use base::{CircleId, PublicUserId, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{App, Error, Once, Result, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CircleLeft, Member, join_context::JoinContext, permissions, succession};

const NOT_A_MEMBER: &str = "you are not a member of this circle";

/// The response to leaving a circle or removing a member.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleDeparture)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// The former circle of the user.
    pub circle_id: CircleId,
    /// The user who left or was removed.
    pub user_id: PublicUserId,
    /// RFC 3339 time at which the membership ended.
    pub left_at: Time,
    /// The number of remaining members.
    #[schema(example = 3)]
    pub members_count: i64,
}

/// Leaves a circle. If the owner leaves, the longest-standing administrator becomes the owner, or else the
/// longest-standing member. If all other members are banned permanently, the circle is closed.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist. Fails with [`Error::Forbidden`] if the user is not a
/// member.
pub async fn leave(app: &App, user: UserId, circle: CircleId, once: &Once) -> Result<Left> {
    let left = once
        .run(app, user, async || {
            let JoinContext { circle, member, .. } = JoinContext::of(app, circle, user).await?;
            let member = member.filter(Member::is_in).ok_or(Error::Forbidden(NOT_A_MEMBER.into()))?;
            let now = app.now();
            let log = log_write(user, circle.id, now);
            let mut writes = succession::departure_writes(app, &circle, &member, log).await?;
            writes.push(member.leave_write(now));
            let members_count = circle.members_count - 1;
            Ok((writes, Left { circle_id: circle.id, user_id: user.public(), left_at: now, members_count }))
        })
        .await?;
    permissions::invalidate(app, user, circle);
    Ok(left)
}

/// Returns the write that adds the departure to the user's action log, and publishes [`CircleLeft`].
pub(super) fn log_write(user: UserId, circle: CircleId, now: Time) -> Write {
    let log = Action::on_circle(user, ActionType::LeaveCircle, circle, now).log_write();
    log.then_publish(&CircleLeft { circle_id: circle, user_id: user })
}
