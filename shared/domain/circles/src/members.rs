//! Lists the members of a circle, and changes their roles.

use base::{CircleId, UserId};
use platform::{App, Cursor, Error, FillingPage, Index, Once, Page, Query, Result, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Circle, Member, Permission, Role, find,
    member::{self, NO_MEMBER},
    member_key,
    permissions::{self, Granted},
};
use people::{Status, User, UserCard, UserRef, relationships, unique, users};

/// A member of a circle.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleMember)]
#[serde(rename_all = "camelCase")]
pub struct MemberView {
    /// The member.
    #[serde(flatten)]
    pub user: UserCard,
    /// The member's role.
    pub role: Role,
    /// RFC 3339 time of the last join.
    pub joined_at: Time,
}

/// A request to change a member's role.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = RoleAppointment)]
pub struct Appointment {
    /// The member: a username or an ID.
    pub username: UserRef,
    /// The new role. If it is `OWNER`, the caller's role becomes `ADMIN`.
    pub role: Role,
}

/// A request to transfer the ownership of a circle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = OwnershipTransfer)]
pub struct HandOver {
    /// The new owner, who must be a member: a username or an ID.
    pub username: UserRef,
}

/// Returns a page of a circle's members, oldest account first. Omits members that the viewer blocks, and members that
/// block the viewer.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist or is dead.
pub async fn members(
    app: &App,
    viewer: Option<UserId>,
    circle: CircleId,
    cursor: Cursor<UserId>,
) -> Result<Page<MemberView>> {
    let page = page_of(app, viewer, member::members_partition(circle), cursor);
    let (_, page) = futures::try_join!(find(app, circle), page)?;
    Ok(page.map(|(member, card)| MemberView::new(&member, card)))
}

/// Returns a page of the members or banned users in an index partition. Omits deleted accounts, and users that a block
/// hides from the viewer.
pub(super) async fn page_of(
    app: &App,
    viewer: Option<UserId>,
    partition: String,
    cursor: Cursor<UserId>,
) -> Result<Page<(Member, UserCard)>> {
    let mut page = FillingPage::new(Cursor { take: cursor.take, after: cursor.after.map(UserId::public) });
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = Query::index(Index::Gsi2, partition.clone()).after(after.map(UserId::from));
        let members: Vec<Member> = app.table.query(&query.limit(take.rows() + 1)).await?;
        let people: Vec<_> = members.iter().map(|member| member.user).collect();
        let hidden = relationships::hidden_by_blocks(app, viewer, &people);
        let (mut cards, hidden) = futures::try_join!(users::cards(app, &people), hidden)?;
        let (last, read) = (people.last().copied().map(UserId::public), people.len());
        let with_card = |member: Member| cards.remove(&member.user).map(|card| (member, card));
        let shown = members.into_iter().filter(|member| !hidden.contains(&member.user));
        page.add(shown.filter_map(with_card), last, read);
    }
    Ok(page.page(|(member, _)| member.user.public().to_string()))
}

/// Makes a member the owner of the circle. The caller becomes an administrator.
///
/// # Errors
/// Fails as [`appoint`] does.
pub async fn hand_over(
    app: &App,
    caller: UserId,
    circle: CircleId,
    to: HandOver,
    once: &Once,
) -> Result<MemberView> {
    change_role(app, caller, circle, Appointment { username: to.username, role: Role::Owner }, once).await
}

/// Sets a member's role.
///
/// # Errors
/// - [`Error::NotFound`] if the circle or the user does not exist, or the user is not a member.
/// - [`Error::Forbidden`] unless the caller is the owner.
/// - [`Error::Invalid`] if the user is the caller, or if the account of the new owner is not active.
pub async fn appoint(
    app: &App,
    caller: UserId,
    circle: CircleId,
    request: Appointment,
) -> Result<MemberView> {
    change_role(app, caller, circle, request, &Once::unkeyed()).await
}

async fn change_role(
    app: &App,
    caller: UserId,
    circle: CircleId,
    request: Appointment,
    once: &Once,
) -> Result<MemberView> {
    let (view, user) = once
        .run_with(app, caller, async || {
            let granted = permissions::require(app, circle, caller, Permission::ChangeRoles).await?;
            let user = unique::user_named(app, &request.username).await?;
            if user == caller {
                return Err(Error::invalid("username", "must not be your own"));
            }
            // The commit can fail because of an outdated role in the cache, so remove both roles from the cache first.
            [caller, user].into_iter().for_each(|user| permissions::invalidate(app, user, circle));
            let (member, card) = member_of(app, circle, user).await?;
            let writes = appoint_writes(granted, &member, request.role);
            Ok((writes, MemberView::new(&Member { role: request.role, ..member }, card), user))
        })
        .await?;
    let changed = user.map(|user| [caller, user]);
    changed.into_iter().flatten().for_each(|user| permissions::invalidate(app, user, circle));
    Ok(view)
}

async fn member_of(app: &App, circle: CircleId, user: UserId) -> Result<(Member, UserCard)> {
    let (key, user_key) = (member_key(circle, user), users::key(user));
    let mut found = app.table.get_together(&[key.clone(), user_key.clone()]).await?;
    let member = found.take::<Member>(&key)?.filter(Member::is_in).ok_or(NO_MEMBER)?;
    let user: User = found.take(&user_key)?.ok_or(NO_MEMBER)?;
    Ok((member, user.card()))
}

/// Returns the writes of a role change. If the member becomes the owner, the caller becomes an administrator.
fn appoint_writes(granted: Granted, member: &Member, role: Role) -> Vec<Write> {
    let write = member.role_write(role);
    match role {
        Role::Owner => {
            let active = Write::check(users::key(member.user)).equals("status", Status::Active);
            let active = active.or(Error::invalid("username", "must have an active account"));
            let owner = Circle::owner_write(member.circle, member.user);
            vec![write, granted.role_write(Role::Admin), owner, active.into()]
        }
        _ => vec![write, granted.check_role_write()],
    }
}

impl MemberView {
    fn new(member: &Member, user: UserCard) -> Self {
        Self { user, role: member.role, joined_at: member.joined_at }
    }
}
