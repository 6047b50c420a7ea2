//! Leaving a circle.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::permissions;
use super::{
    Circle, Member, Role,
    standing::{JoinContext, MEANWHILE},
};
use crate::{
    ids::{CircleId, UserId},
    ledger::action_log::{Action, ActionType},
};

const TRIES: usize = 16;
const NOT_IN: &str = "you are not a member of this circle";
const OWNER: &str = "hand the circle over before you leave it";

/// That somebody left.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// The circle.
    pub circle_id: CircleId,
    /// Who left.
    pub user_id: UserId,
    /// When.
    pub left_at: Time,
    /// How many are still in it.
    #[schema(example = 3)]
    pub members_count: i64,
}

/// Leaves a circle. 2 calls: 5 RRU, 8 WRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle; [`Error::Forbidden`] for who is not in it, and for its owner
/// while others are.
pub async fn leave(app: &App, user: UserId, circle: CircleId) -> Result<Left> {
    for _ in 0..TRIES {
        let standing = JoinContext::of(app, circle, user).await?;
        let member = standing.member.filter(Member::is_in).ok_or(Error::Forbidden(NOT_IN.into()))?;
        if member.role == Role::Owner && standing.circle.members_count > 1 {
            return Err(Error::Forbidden(OWNER.into()));
        }
        let now = app.now();
        let log = Action::on_circle(user, ActionType::LeaveCircle, circle, now).log_write();
        let writes = vec![member.leaving(now), standing.circle.losing(&member), log];
        match app.table.transact(writes).await {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        }
        permissions::forget(app, user, circle);
        let members_count = standing.circle.members_count - 1;
        return Ok(Left { circle_id: circle, user_id: user, left_at: now, members_count });
    }
    Err(Error::internal(anyhow::anyhow!("a circle kept changing while somebody left")))
}

impl Member {
    fn leaving(&self, now: Time) -> Write {
        let gone = Self { left_at: Some(now), ..self.clone() };
        let write = Write::reindex(&gone).set("leftAt", now).equals("role", self.role);
        write.equals("joinedAt", self.joined_at).lacks("leftAt").or(MEANWHILE)
    }
}

impl Circle {
    /// One member less; an owner leaves only alone.
    fn losing(&self, member: &Member) -> Write {
        let write = self.counting(-1);
        let write = if member.role == Role::Owner { write.equals("membersCount", 1) } else { write };
        write.or(MEANWHILE)
    }
}
