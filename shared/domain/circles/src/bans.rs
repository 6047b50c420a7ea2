//! Bans: whom a circle keeps out.

use base::ids::{CircleId, UserId};
use people::users::{self, UserCard};
use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Page},
    retry_on_conflict,
    table::Write,
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    JoinRequest, JoinStatus, Member, Permission, Role, find,
    join_context::JoinContext,
    leave,
    member::bans_partition,
    members::page_of,
    permissions::{self, Granted},
};

const OF_RANK: &str = "you may not ban this member";
const NOT_BANNED: Error = Error::NotFound("ban");

/// Somebody whom a circle bans.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ban {
    /// The user.
    #[serde(flatten)]
    pub user: UserCard,
    /// RFC 3339 time since which they are banned.
    pub banned_at: Option<Time>,
}

/// The answer to lifting a ban.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lifted {
    /// The circle.
    pub circle_id: CircleId,
    /// The user who may ask to join again.
    pub user_id: UserId,
}

/// Bans a user, whether they are in the circle or not: removes them, and answers their request and their invitation.
/// They can neither ask nor be invited until the ban is lifted. What they wrote stays. Banning them again changes
/// nothing.
///
/// # Errors
/// [`Error::NotFound`] when there is no such circle or user; [`Error::Forbidden`] for a caller who is not its owner or
/// administrator, for the owner, and for an administrator unless the caller is the owner.
pub async fn ban(app: &App, caller: UserId, circle: CircleId, user: UserId) -> Result<Ban> {
    retry_on_conflict(async || {
        let granted = permissions::require(app, circle, caller, Permission::RemoveMembers).await?;
        let (context, found) =
            futures::try_join!(JoinContext::of(app, circle, user), users::find(app, user))?;
        let card = found.ok_or(Error::NotFound("user"))?.card();
        let banned_at = match context.member.as_ref().and_then(|it| it.banned_at) {
            Some(earlier) => earlier,
            None => commit(app, granted, &context).await?,
        };
        permissions::invalidate(app, user, circle);
        Ok(Ban { user: card, banned_at: Some(banned_at) })
    })
    .await
}

async fn commit(app: &App, granted: Granted, context: &JoinContext) -> Result<Time> {
    let (now, user) = (app.now(), context.user);
    let role = context.member.as_ref().filter(|it| it.is_in()).map_or(Role::Member, |it| it.role);
    if user == granted.user() || !granted.role().outranks(role) {
        return Err(Error::Forbidden(OF_RANK.into()));
    }
    let member = match &context.member {
        Some(member) => member.ban_write(now),
        None => Write::create(&Member::banned_stranger(context.circle.id, user, now)),
    };
    let request = context.request.as_ref().filter(|it| it.is_pending());
    let request =
        request.map(|it| JoinRequest::answer_write(&it.answered(app, granted.user(), JoinStatus::Rejected)));
    let invitation = context.invitation.clone().filter(|it| it.is_pending());
    let invitation = invitation.map(|it| it.answer_write(JoinStatus::Rejected).1);
    let count = context.is_member().then(|| context.circle.count_write(-1));
    let log = context.is_member().then(|| leave::log_write(user, context.circle.id, now));
    let writes = [member].into_iter().chain(request).chain(invitation).chain(count).chain(log).collect();
    granted.commit(app, writes).await.map(|()| now)
}

/// Lifts a ban: the user may ask to join again.
///
/// # Errors
/// [`Error::NotFound`] when there is no such circle, or it does not ban the user; [`Error::Forbidden`] for a caller who
/// is not its owner or administrator.
pub async fn lift_ban(app: &App, caller: UserId, circle: CircleId, user: UserId) -> Result<Lifted> {
    retry_on_conflict(async || {
        let granted = permissions::require(app, circle, caller, Permission::RemoveMembers).await?;
        let JoinContext { member, .. } = JoinContext::of(app, circle, user).await?;
        let banned = member.filter(|it| it.banned_at.is_some()).ok_or(NOT_BANNED)?;
        granted.commit(app, vec![banned.lift_write()]).await?;
        Ok(Lifted { circle_id: circle, user_id: user })
    })
    .await
}

/// Returns a page of the people whom a circle bans, the oldest account first.
///
/// # Errors
/// [`Error::NotFound`] when there is no such circle; [`Error::Forbidden`] for a caller who is not its owner or
/// administrator.
pub async fn bans(app: &App, caller: UserId, circle: CircleId, cursor: Cursor<UserId>) -> Result<Page<Ban>> {
    permissions::require(app, circle, caller, Permission::RemoveMembers).await?;
    let (_, page) = futures::try_join!(find(app, circle), page_of(app, bans_partition(circle), cursor))?;
    Ok(page.map(|(member, user)| Ban { user, banned_at: member.banned_at }))
}
