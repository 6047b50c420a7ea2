//! Leaves a group, or removes a member from it. If the owner leaves, the longest-standing member becomes the new owner.
//! If the last member leaves, the group is deleted.

use base::{Chore, GroupId, PublicUserId, UserId};
use platform::{App, Error, Key, Once, Paged, Query, Result, Row, Time, Write, outcomes, table::KeyOnly};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Group, GroupType, Member, MemberLeft, group, left::LeftGroup, member::find_membership, member_key, pair,
    profile::release_picture,
};

/// Maximum number of rows of a group that one call of [`purge`] deletes.
const PAGE_ROWS: usize = 200;

/// The result of a request to leave a group or to remove a member.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = GroupDeparture)]
#[serde(rename_all = "camelCase")]
pub struct Departed {
    /// The former group of the user.
    pub message_group_id: GroupId,
    /// The user who left or was removed.
    pub user_id: PublicUserId,
    /// The time at which the user left or was removed, in RFC 3339 format.
    pub left_at: Time,
    /// The number of remaining members.
    #[schema(example = 3)]
    pub members_count: usize,
}

/// Leaves a crowd.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the group does not exist. Fails with [`Error::Forbidden`] if the user is not a
/// member or if the group is private.
pub async fn leave(app: &App, user: UserId, group: GroupId, once: &Once) -> Result<Departed> {
    once.run(app, user, async || {
        let (before, member) = find_membership(app, group, user).await?;
        before.check_crowd()?;
        departure(app, &before, &member).await
    })
    .await
}

/// Removes a member from a crowd (a group of three or more users) that the caller owns.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the group or the member does not exist. Fails with [`Error::Forbidden`] if the
/// caller does not own the group, the user is the caller, or the group is private.
pub async fn remove(app: &App, owner: UserId, group: GroupId, user: UserId, once: &Once) -> Result<Departed> {
    once.run(app, owner, async || {
        let (before, _) = find_membership(app, group, owner).await?;
        before.check_crowd()?;
        if before.created_by_id != owner {
            return Err(Error::Forbidden("only the owner can remove members".into()));
        }
        if user == owner {
            return Err(Error::Forbidden(
                "the owner cannot remove themselves. Leave the group instead.".into(),
            ));
        }
        let member: Option<Member> = app.table.get(&member_key(group, user)).await?;
        departure(app, &before, &member.ok_or(Error::NotFound("member"))?).await
    })
    .await
}

async fn departure(app: &App, before: &Group, member: &Member) -> Result<(Vec<Write>, Departed)> {
    let others = other_members(app, member.user, before.id).await?;
    let writes = match others.is_empty() {
        true => deletion_writes(before, member.user, Some(member)),
        false => {
            let [group, left] = removal_writes(app, before, (member.user, Some(member)), &others);
            vec![group, left, Write::delete(member.key()).exists().into()]
        }
    };
    let (message_group_id, user_id) = (before.id, member.user.public());
    Ok((writes, Departed { message_group_id, user_id, left_at: app.now(), members_count: others.len() }))
}

/// Returns the members of a group. The longest-standing member comes first.
pub(super) async fn members_in_order(app: &App, group: GroupId) -> Result<Vec<Member>> {
    let query = Query::partition(group::partition(group)).prefix("MEMBER#").consistent();
    let mut members: Vec<Member> = app.table.query(&query).await?;
    members.sort_unstable_by_key(|member| member.place);
    Ok(members)
}

/// Returns all members of a group except `user`. The longest-standing member comes first.
pub(super) async fn other_members(app: &App, user: UserId, group: GroupId) -> Result<Vec<Member>> {
    let mut members = members_in_order(app, group).await?;
    members.retain(|member| member.user != user);
    Ok(members)
}

/// Returns the writes for a member who leaves. The first write updates the group's row, and the second creates the
/// [`LeftGroup`]. If the owner leaves, the longest-standing member becomes the owner. The writes fail with a conflict
/// if the members changed since they were read.
pub(super) fn removal_writes(
    app: &App,
    before: &Group,
    (user, member): (UserId, Option<&Member>),
    others: &[Member],
) -> [Write; 2] {
    let now = app.now();
    let people: Vec<_> = others.iter().map(|member| member.user).collect();
    let new_owner = people.first().copied().filter(|_| before.created_by_id == user);
    let write = before.members_write(&people).set("createdById", new_owner.unwrap_or(before.created_by_id));
    let write = before.expired_left_attributes(now).fold(write, |write, name| write.remove(name));
    let write = write.remove(&Group::closed_attribute(user));
    let left = Write::put(&LeftGroup { user, group: before.id });
    let Some(member) = member else { return [write, left] };
    let write = write.set("lastLeftAt", now);
    let write = write.set(&member.left_attribute(), now.seconds()).remove(&member.count_attribute());
    // The outbox names the user, so it is in the user's own row. The group's row can exist longer than the user's
    // account.
    [write, left.then_publish(&MemberLeft { group_id: before.id, user_id: user })]
}

/// Returns the writes that delete a group whose last member leaves. A worker deletes the remaining rows later. The
/// writes fail with a conflict if a user has joined since the group was read.
pub(super) fn deletion_writes(before: &Group, user: UserId, member: Option<&Member>) -> Vec<Write> {
    let group = Write::delete(before.key()).exists().equals("membersCount", before.members_count);
    let group = group.equals("memberChanges", before.member_changes);
    let left = Write::put(&LeftGroup { user, group: before.id }).then(&purge_chore(before.id));
    let membership = member.map(|member| Write::delete(member.key()).exists().into());
    let pair = pair_key(before).map(|key| Write::delete(key).into());
    [group.into(), left].into_iter().chain(membership).chain(pair).collect()
}

pub(super) fn purge_chore(group: GroupId) -> Chore {
    Chore::PurgeGroup { group, page: Paged::FIRST }
}

/// Deletes up to 200 remaining rows of a deleted group. Returns whether there may be more rows.
pub async fn purge(app: &App, group: GroupId) -> Result<bool> {
    let query = Query::partition(group::partition(group)).consistent().limit(PAGE_ROWS);
    let rows: Vec<KeyOnly> = app.table.query(&query).await?;
    let keys: Vec<_> = rows.iter().map(Row::key).collect();
    // Delete nothing while the group's own row exists. That row sorts first, so this query returns it.
    if keys.contains(&group::key(group)) {
        outcomes::note("the group exists");
        return Ok(false);
    }
    release_picture(app, group).await?;
    app.table.delete_rows(keys).await?;
    Ok(rows.len() == PAGE_ROWS)
}

/// Returns the key of a private group's pair row. Returns `None` for a crowd, and for a private group that lost a
/// member.
pub(super) fn pair_key(group: &Group) -> Option<Key> {
    match (group.group_type, group.first_members.as_slice()) {
        (GroupType::Private, &[one, other]) => Some(pair::key([one, other])),
        _ => None,
    }
}
