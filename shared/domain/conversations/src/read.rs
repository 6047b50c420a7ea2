//! Reads one group.

use base::{GroupId, UserId};
use people::users;
use platform::{App, Result};

use super::{Conversation, hidden::hidden_in, member::find_membership_eventual, members, profile};

/// Returns a group with all its members, as a member sees it.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the group does not exist. Fails with [`platform::Error::Forbidden`] if
/// the viewer is not a member.
pub async fn find(app: &App, viewer: UserId, id: GroupId) -> Result<Conversation> {
    let (group, member) = find_membership_eventual(app, id, viewer).await?;
    let people = people(app, id).await?;
    let shown = people.iter().copied().chain(group.last_sender_id).collect();
    let hidden = hidden_in(app, &group, viewer, shown);
    let groups = [&group];
    let profiles = profile::of_groups(app, &groups);
    let (cards, hidden, mut profiles) = futures::try_join!(users::cards(app, &people), hidden, profiles)?;
    Ok(Conversation::new((&group, &member), &people, &cards, &hidden, profiles.pop()))
}

/// Returns the members, beginning with the longest-standing member.
async fn people(app: &App, id: GroupId) -> Result<Vec<UserId>> {
    let mut members = members(app, id).await?;
    members.sort_unstable_by_key(|member| member.place);
    Ok(members.into_iter().map(|member| member.user).collect())
}
