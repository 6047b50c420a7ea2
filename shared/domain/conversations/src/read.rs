//! Reads one group.

use base::ids::{GroupId, UserId};
use people::{
    relationships::{self, ViewContext},
    users,
};
use platform::{App, Result};

use super::{
    group::{self, Group},
    member::{Member, member_key, members, membership},
    profile,
    view::Conversation,
};

/// Returns a group with all its members, as a member sees it.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the group does not exist. Fails with [`platform::Error::Forbidden`] if
/// the viewer is not a member.
pub async fn find(app: &App, viewer: UserId, id: GroupId) -> Result<Conversation> {
    let (group, member) = group_of_member(app, viewer, id).await?;
    let people = people(app, id).await?;
    let others = people.iter().copied().chain(group.last_sender_id).filter(|user| *user != viewer);
    let others = group.of_crowd(others);
    let hidden = relationships::hidden_from(app, viewer, &others, ViewContext::Thread);
    let groups = [&group];
    let profiles = profile::of_groups(app, &groups);
    let (cards, hidden, mut profiles) = futures::try_join!(users::cards(app, &people), hidden, profiles)?;
    Ok(Conversation::new((&group, &member), &people, &cards, &hidden, profiles.pop()))
}

async fn group_of_member(app: &App, viewer: UserId, id: GroupId) -> Result<(Group, Member)> {
    let mut rows = app.table.get_together_eventual(&[group::key(id), member_key(id, viewer)]).await?;
    membership(&mut rows, id, viewer)
}

/// Returns the members, beginning with the longest-standing member.
async fn people(app: &App, id: GroupId) -> Result<Vec<UserId>> {
    let mut members = members(app, id).await?;
    members.sort_unstable_by_key(|member| member.place);
    Ok(members.into_iter().map(|member| member.user).collect())
}
