//! Leaving a circle.

use base::ids::{CircleId, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{
    App,
    error::{Error, Result},
    retry_on_conflict,
    table::Write,
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Circle, CircleLeft, Member, Role, join_context::JoinContext, permissions};

const NOT_IN: &str = "you are not a member of this circle";
const OWNER: &str = "hand the circle over before you leave it";

/// The answer to leaving a circle, and to removing a member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// The circle.
    pub circle_id: CircleId,
    /// The user who left, or was removed.
    pub user_id: UserId,
    /// RFC 3339 time of the leaving.
    pub left_at: Time,
    /// The number of members who remain.
    #[schema(example = 3)]
    pub members_count: i64,
}

/// Leaves a circle.
///
/// # Errors
/// [`Error::NotFound`] when there is no such circle; [`Error::Forbidden`] for somebody who is not a member,
/// and for the owner while there are other members.
pub async fn leave(app: &App, user: UserId, circle: CircleId) -> Result<Left> {
    retry_on_conflict(async || {
        let JoinContext { circle, member, .. } = JoinContext::of(app, circle, user).await?;
        let member = member.filter(Member::is_in).ok_or(Error::Forbidden(NOT_IN.into()))?;
        if member.role == Role::Owner && circle.members_count > 1 {
            return Err(Error::Forbidden(OWNER.into()));
        }
        let now = app.now();
        let log = log_write(user, circle.id, now);
        let writes = vec![member.leave_write(now), count_leaver_write(&circle, &member), log];
        app.table.transact(writes).await?;
        permissions::invalidate(app, user, circle.id);
        let members_count = circle.members_count - 1;
        Ok(Left { circle_id: circle.id, user_id: user, left_at: now, members_count })
    })
    .await
}

/// Logs that somebody is no longer in a circle, and tells their connections.
pub(super) fn log_write(user: UserId, circle: CircleId, now: Time) -> Write {
    let log = Action::on_circle(user, ActionType::LeaveCircle, circle, now).log_write();
    log.then_publish(&CircleLeft { circle_id: circle, user_id: user })
}

/// Counts one member less. Fails for an owner when somebody joined since the circle was read.
fn count_leaver_write(circle: &Circle, leaver: &Member) -> Write {
    let write = circle.count_write(-1);
    if leaver.role == Role::Owner { write.equals("membersCount", 1) } else { write }
}
