//! Checks which users may subscribe to a group's realtime channel. On this channel, members can also send client
//! events.

use base::{GroupId, UserId};
use people::relationships;
use platform::{App, Result};

use super::{Group, GroupType, Member, key, member_key, members};

/// Returns whether a user may subscribe to a group's channel. The user must be a member. If the group is private,
/// returns false while a block closes it. If the group is a crowd, returns false if the user blocks a member.
pub async fn may_subscribe(app: &App, user: UserId, group: GroupId) -> Result<bool> {
    let (group_key, member_key) = (key(group), member_key(group, user));
    let mut rows = app.table.get_together_eventual(&[group_key.clone(), member_key.clone()]).await?;
    let (group, member) = (rows.take::<Group>(&group_key)?, rows.take::<Member>(&member_key)?);
    match (group, member) {
        (Some(group), Some(_)) if group.group_type == GroupType::Private => Ok(group.check_open().is_ok()),
        (Some(group), Some(_)) => Ok(!blocks_a_member(app, user, group.id).await?),
        _ => Ok(false),
    }
}

async fn blocks_a_member(app: &App, user: UserId, group: GroupId) -> Result<bool> {
    let members = members(app, group).await?;
    let others = members.iter().map(|member| member.user).filter(|other| *other != user).collect();
    let found = relationships::find_all(app, user, &others).await?;
    Ok(found.iter().any(|relationship| relationship.blocks && others.contains(&relationship.other)))
}
