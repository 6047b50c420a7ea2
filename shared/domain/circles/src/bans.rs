//! Bans of users from a circle.

use base::{CircleId, PublicUserId, UserId};
use people::{UserCard, users};
use platform::{App, Cursor, Error, Once, Page, Result, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Invitation, JoinRequest, JoinStatus, Member, Permission, Role, find,
    join_context::JoinContext,
    leave,
    member::bans_partition,
    members::page_of,
    permissions::{self, Granted},
};

const NOT_LOWER_ROLE: &str = "you can only ban users with a lower role than yours";
const NOT_BANNED: Error = Error::NotFound("ban");

/// A banned user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleBan)]
#[serde(rename_all = "camelCase")]
pub struct Ban {
    /// The banned user.
    #[serde(flatten)]
    pub user: UserCard,
    /// RFC 3339 time of the ban.
    pub banned_at: Option<Time>,
}

/// The response to lifting a ban.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleBanRemoval)]
#[serde(rename_all = "camelCase")]
pub struct Lifted {
    /// The circle that had banned the user.
    pub circle_id: CircleId,
    /// The user whose ban was lifted.
    pub user_id: PublicUserId,
}

/// Bans a user from a circle. The user need not be a member. Ends the user's membership, and rejects their pending join
/// request or invitation.
///
/// Until the ban is lifted, the user cannot request to join or be invited. The user's posts stay. Repeating a ban has
/// no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle or the user does not exist. Fails with [`Error::Forbidden`] unless the
/// caller is the owner or an administrator, and has a higher role than the user.
pub async fn ban(app: &App, caller: UserId, circle: CircleId, user: UserId, once: &Once) -> Result<Ban> {
    let banned = permissions::run(app, caller, circle, Permission::RemoveMembers, once, async |granted| {
        let (context, found) =
            futures::try_join!(JoinContext::of(app, circle, user), users::find(app, user))?;
        let card = found.ok_or(Error::NotFound("user"))?.card();
        let (writes, banned_at) = match context.member.as_ref().and_then(|member| member.banned_at) {
            Some(earlier) => (Vec::new(), earlier),
            None => (ban_writes(app, granted, &context)?, app.now()),
        };
        Ok((writes, Ban { user: card, banned_at: Some(banned_at) }))
    })
    .await;
    permissions::invalidate(app, user, circle);
    banned
}

fn ban_writes(app: &App, granted: Granted, context: &JoinContext) -> Result<Vec<Write>> {
    let (now, user) = (app.now(), context.user);
    let role =
        context.member.as_ref().filter(|member| member.is_in()).map_or(Role::Member, |member| member.role);
    if user == granted.user() || !granted.role().outranks(role) {
        return Err(Error::Forbidden(NOT_LOWER_ROLE.into()));
    }
    let member = match &context.member {
        Some(member) => member.ban_write(now),
        None => Write::create(&Member::banned_non_member(context.circle.id, user, now)),
    };
    let request = context.request.as_ref().filter(|request| request.is_pending());
    let request = request.map(|request| {
        JoinRequest::answer_write(&request.answered(app, granted.user(), JoinStatus::Rejected))
    });
    let invitation = context.invitation.clone().filter(Invitation::is_pending);
    let invitation = invitation.map(|invitation| invitation.answer_write(JoinStatus::Rejected).1);
    let count = context.is_member().then(|| context.circle.count_write(-1));
    let log = context.is_member().then(|| leave::log_write(user, context.circle.id, now));
    let writes = [member, granted.check_role_write()].into_iter().chain(request).chain(invitation);
    Ok(writes.chain(count).chain(log).collect())
}

/// Lifts a ban. The user can then request to join again.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle or the ban does not exist. Fails with [`Error::Forbidden`] unless the
/// caller is the owner or an administrator.
pub async fn lift_ban(
    app: &App,
    caller: UserId,
    circle: CircleId,
    user: UserId,
    once: &Once,
) -> Result<Lifted> {
    permissions::run(app, caller, circle, Permission::RemoveMembers, once, async |granted| {
        let JoinContext { member, .. } = JoinContext::of(app, circle, user).await?;
        let banned = member.filter(Member::is_banned).ok_or(NOT_BANNED)?;
        let writes = vec![banned.lift_write(), granted.check_role_write()];
        Ok((writes, Lifted { circle_id: circle, user_id: user.public() }))
    })
    .await
}

/// Returns a page of a circle's banned users, oldest account first.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist. Fails with [`Error::Forbidden`] unless the caller is
/// the owner or an administrator.
pub async fn bans(app: &App, caller: UserId, circle: CircleId, cursor: Cursor<UserId>) -> Result<Page<Ban>> {
    permissions::require(app, circle, caller, Permission::RemoveMembers).await?;
    let (_, page) =
        futures::try_join!(find(app, circle), page_of(app, None, bans_partition(circle), cursor))?;
    Ok(page.map(|(member, user)| Ban { user, banned_at: member.banned_at }))
}
