//! Who may listen to what happens in a group at once, and talk to the others past the service.

use base::ids::{GroupId, UserId};
use people::relationships;
use platform::{App, Result};

use super::{
    group::{Group, key},
    member::{Member, member_key, members},
    values::GroupType,
};

/// Returns whether a user may listen to a group's channel: a member of a private group that no block closes, or of a
/// crowd in which they block nobody.
pub async fn may_listen(app: &App, user: UserId, group: GroupId) -> Result<bool> {
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
    let others = members(app, group).await?.iter().map(|it| it.user).filter(|it| *it != user).collect();
    let found = relationships::find_all(app, user, &others).await?;
    Ok(found.iter().any(|it| it.blocks && others.contains(&it.other)))
}
