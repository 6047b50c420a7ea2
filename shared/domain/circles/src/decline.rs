//! Declines and revokes invitations to a circle.

use base::{CircleId, UserId};
use people::{UserRef, unique};
use platform::{App, Error, Once, Result, Write};

use super::{
    Circle, Invitation, InvitationView, JoinStatus, NO_CIRCLE, invitation, invite::NO_INVITATION, key,
};

const NOT_INVITER: &str = "only the inviter or the circle's owner can revoke an invitation";

/// Declines an invitation. The user can be invited again.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist or the user has no pending invitation.
pub async fn decline(app: &App, user: UserId, circle: CircleId, once: &Once) -> Result<InvitationView> {
    once.run(app, user, async || {
        let (_, invitation) = read(app, circle, user).await?;
        answer(invitation, JoinStatus::Rejected)
    })
    .await
}

/// Revokes an invitation. Only the inviter and the circle's owner can revoke it.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle or the user does not exist, or the user has no pending invitation.
/// Fails with [`Error::Forbidden`] if the caller is neither the inviter nor the circle's owner, even if no invitation
/// exists.
pub async fn revoke(
    app: &App,
    caller: UserId,
    circle: CircleId,
    username: &UserRef,
    once: &Once,
) -> Result<InvitationView> {
    once.run(app, caller, async || {
        let user = unique::user_named(app, username).await?;
        let (circle, invitation) = read(app, circle, user).await?;
        let inviter = invitation.as_ref().map(|invitation| invitation.invited_by_id);
        if caller != circle.owner_id && inviter != Some(caller) {
            return Err(Error::Forbidden(NOT_INVITER.into()));
        }
        answer(invitation, JoinStatus::Withdrawn)
    })
    .await
}

/// Returns a living circle and a user's invitation to it.
async fn read(app: &App, id: CircleId, user: UserId) -> Result<(Circle, Option<Invitation>)> {
    let keys = [key(id), invitation::key(id, user)];
    let mut found = app.table.get_together(&keys).await?;
    let [circle, invitation] = keys;
    let circle = found.take::<Circle>(&circle)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?;
    Ok((circle, found.take(&invitation)?))
}

fn answer(invitation: Option<Invitation>, status: JoinStatus) -> Result<(Vec<Write>, InvitationView)> {
    let pending = invitation.filter(Invitation::is_pending).ok_or(NO_INVITATION)?;
    let (answered, write) = pending.answer_write(status);
    Ok((vec![write.marked()], answered.view()))
}
