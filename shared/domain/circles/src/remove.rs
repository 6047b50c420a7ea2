//! Removes a member from a circle.

use base::{CircleId, UserId};
use platform::{App, Error, Once, Result, Write};

use super::{
    Left, Member, Permission,
    join_context::JoinContext,
    leave,
    member::NO_MEMBER,
    permissions::{self, Granted},
};

const NOT_LOWER_ROLE: &str = "you can only remove members with a lower role than yours";

/// Removes a member. The removed user can request to join again. The removed user's posts stay.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist or the user is not a member. Fails with
/// [`Error::Forbidden`] unless the caller is the owner or an administrator, and has a higher role than the user.
pub async fn remove(app: &App, caller: UserId, circle: CircleId, user: UserId, once: &Once) -> Result<Left> {
    let work = async |granted| removal(app, granted, circle, user).await;
    let removed = permissions::run(app, caller, circle, Permission::RemoveMembers, once, work).await;
    permissions::invalidate(app, user, circle);
    removed
}

async fn removal(app: &App, granted: Granted, circle: CircleId, user: UserId) -> Result<(Vec<Write>, Left)> {
    let JoinContext { circle, member, .. } = JoinContext::of(app, circle, user).await?;
    let member = member.filter(Member::is_in).ok_or(NO_MEMBER)?;
    if !granted.role().outranks(member.role) {
        return Err(Error::Forbidden(NOT_LOWER_ROLE.into()));
    }
    let now = app.now();
    let log = leave::log_write(user, circle.id, now);
    let writes = vec![member.leave_write(now), circle.count_write(-1), granted.check_role_write(), log];
    let members_count = circle.members_count - 1;
    Ok((writes, Left { circle_id: circle.id, user_id: user.public(), left_at: now, members_count }))
}
