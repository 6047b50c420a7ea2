//! Leaving a group: by oneself, by its owner's hand, or with the account. The eldest member inherits it, and the last one
//! who leaves ends it.

use base::{
    ids::{GroupId, UserId},
    jobs::Chore,
};
use platform::{
    App,
    error::{Error, Result},
    paged::Paged,
    retry_on_conflict,
    table::{Key, KeyOnly, Query, Row, Write},
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    events::MemberLeft,
    group::{self, Group},
    left::LeftGroup,
    member::{Member, find_membership, member_key},
    pair,
    profile::release_picture,
    values::GroupType,
};

/// Rows of a group that one message deletes at most.
const PAGE_ROWS: usize = 200;

/// The answer to leaving a group, and to removing a member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Departed {
    /// The group.
    pub message_group_id: GroupId,
    /// The user who left, or was removed.
    pub user_id: UserId,
    /// RFC 3339 time of the leaving.
    pub left_at: Time,
    /// The number of members who remain.
    #[schema(example = 3)]
    pub members_count: usize,
}

/// Leaves a crowd.
///
/// # Errors
/// [`Error::NotFound`] when there is no such group; [`Error::Forbidden`] when the user is not a member, or the group is a
/// private one.
pub async fn leave(app: &App, user: UserId, group: GroupId) -> Result<Departed> {
    retry_on_conflict(async || {
        let (before, member) = find_membership(app, group, user).await?;
        before.check_crowd()?;
        depart(app, &before, &member).await
    })
    .await
}

/// Removes a member from a crowd of the caller's.
///
/// # Errors
/// [`Error::NotFound`] when there is no such group or member; [`Error::Forbidden`] when the caller does not own it, or for
/// themselves, or in a private group.
pub async fn remove(app: &App, owner: UserId, group: GroupId, user: UserId) -> Result<Departed> {
    retry_on_conflict(async || {
        let (before, _) = find_membership(app, group, owner).await?;
        before.check_crowd()?;
        if before.created_by_id != owner {
            return Err(Error::Forbidden("only the owner of a group removes members".into()));
        }
        if user == owner {
            return Err(Error::Forbidden("who owns a group leaves it by themselves".into()));
        }
        let member: Option<Member> = app.table.get(&member_key(group, user)).await?;
        depart(app, &before, &member.ok_or(Error::NotFound("member"))?).await
    })
    .await
}

async fn depart(app: &App, before: &Group, member: &Member) -> Result<Departed> {
    let others = others(app, member.user, before.id).await?;
    let writes = match others.is_empty() {
        true => end_writes(before, member.user, Some(member)),
        false => {
            let [group, left] = depart_writes(app, before, (member.user, Some(member)), &others);
            vec![group, left, Write::delete(member.key()).exists().into()]
        }
    };
    app.table.transact(writes).await?;
    let (message_group_id, user_id) = (before.id, member.user);
    Ok(Departed { message_group_id, user_id, left_at: app.now(), members_count: others.len() })
}

/// Returns the members, the eldest first.
pub(super) async fn members_in_order(app: &App, group: GroupId) -> Result<Vec<Member>> {
    let query = Query::partition(group::partition(group)).prefix("MEMBER#").consistent();
    let mut members: Vec<Member> = app.table.query(&query).await?;
    members.sort_unstable_by_key(|it| it.place);
    Ok(members)
}

/// Returns the other members, the eldest first.
pub(super) async fn others(app: &App, user: UserId, group: GroupId) -> Result<Vec<Member>> {
    let mut members = members_in_order(app, group).await?;
    members.retain(|it| it.user != user);
    Ok(members)
}

/// Returns the writes of the group and of what stays of a departure: where the user owned the group, its eldest member does
/// from then on. They are stale when the members changed after they were read.
pub(super) fn depart_writes(
    app: &App,
    before: &Group,
    (user, member): (UserId, Option<&Member>),
    others: &[Member],
) -> [Write; 2] {
    let now = app.now();
    let people: Vec<_> = others.iter().map(|it| it.user).collect();
    let heir = people.first().copied().filter(|_| before.created_by_id == user);
    let write = before.members_write(&people).set("createdById", heir.unwrap_or(before.created_by_id));
    let write = before.old_marks(now).fold(write, |write, it| write.remove(it));
    let write = write.remove(&Group::closed_attribute(user));
    let left = Write::put(&LeftGroup { user, group: before.id });
    let Some(member) = member else { return [write, left] };
    let write = write.set("lastLeftAt", now);
    let write = write.set(&member.left_attribute(), now.seconds()).remove(&member.count_attribute());
    // On the person's own row: what follows names them, and the group's row stays when their account goes.
    [write, left.then_publish(&MemberLeft { group_id: before.id, user_id: user })]
}

/// Returns the writes by which a group ends with its last member: from then on nobody finds it, and a worker deletes its
/// rows. They are stale when somebody joined.
pub(super) fn end_writes(before: &Group, user: UserId, member: Option<&Member>) -> Vec<Write> {
    let group = Write::delete(before.key()).exists().equals("membersCount", before.members_count);
    let group = group.equals("memberChanges", before.member_changes);
    let left = Write::put(&LeftGroup { user, group: before.id }).then(&purge_chore(before.id));
    let member = member.map(|it| Write::delete(it.key()).exists().into());
    let pair = pair_key(before).map(|it| Write::delete(it).into());
    [group.into(), left].into_iter().chain(member).chain(pair).collect()
}

/// Returns the chore that deletes what is left of a group that ended.
pub(super) fn purge_chore(group: GroupId) -> Chore {
    Chore::PurgeGroup { group, page: Paged::FIRST }
}

/// Deletes some of the rows of a group that ended, and returns whether there may be more.
pub async fn purge(app: &App, group: GroupId) -> Result<bool> {
    let query = Query::partition(group::partition(group)).consistent().limit(PAGE_ROWS);
    let rows: Vec<KeyOnly> = app.table.query(&query).await?;
    let keys: Vec<_> = rows.iter().map(Row::key).collect();
    // The group's own row comes first.
    if keys.contains(&group::key(group)) {
        return Ok(false);
    }
    release_picture(app, group).await?;
    app.table.batch_write::<KeyOnly>(&[], &keys).await?;
    Ok(keys.len() == PAGE_ROWS)
}

/// Returns the key of the row that names a private group.
pub(super) fn pair_key(group: &Group) -> Option<Key> {
    match (group.group_type, group.first_members.as_slice()) {
        (GroupType::Private, &[one, other]) => Some(pair::key([one, other])),
        _ => None,
    }
}
