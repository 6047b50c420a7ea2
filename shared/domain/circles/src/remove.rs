//! Removes a member from a circle.

use base::ids::{CircleId, UserId};
use platform::{
    App,
    error::{Error, Result},
    retry_on_conflict,
};

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
pub async fn remove(app: &App, caller: UserId, circle: CircleId, user: UserId) -> Result<Left> {
    retry_on_conflict(async || {
        let granted = permissions::require(app, circle, caller, Permission::RemoveMembers).await?;
        let removed = remove_member(app, granted, circle, user).await;
        if matches!(removed, Err(Error::Forbidden(_))) {
            granted.invalidate(app);
        }
        permissions::invalidate(app, user, circle);
        removed
    })
    .await
}

async fn remove_member(app: &App, granted: Granted, circle: CircleId, user: UserId) -> Result<Left> {
    let JoinContext { circle, member, .. } = JoinContext::of(app, circle, user).await?;
    let member = member.filter(Member::is_in).ok_or(NO_MEMBER)?;
    if !granted.role().outranks(member.role) {
        return Err(Error::Forbidden(NOT_LOWER_ROLE.into()));
    }
    let now = app.now();
    let log = leave::log_write(user, circle.id, now);
    let writes = vec![member.leave_write(now), circle.count_write(-1), granted.check_role_write(), log];
    app.table.transact(writes).await?;
    let members_count = circle.members_count - 1;
    Ok(Left { circle_id: circle.id, user_id: user.public(), left_at: now, members_count })
}
