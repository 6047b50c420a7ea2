//! Changes the profile of a crowd, and returns the crowd as the caller sees it.

use base::{GroupId, UserId};
use platform::{App, Result};

use super::{Group, GroupChange, GroupView, Member, hidden::hidden_in, profile};
use people::users;

/// Changes the name or picture of a crowd.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if the request is empty. Fails with [`platform::Error::NotFound`] if the
/// group does not exist. Fails with [`platform::Error::Forbidden`] if the caller is not a member or if the group is
/// private.
pub async fn change(app: &App, caller: UserId, group: GroupId, request: GroupChange) -> Result<GroupView> {
    let (group, member) = profile::change(app, caller, group, &request).await?;
    view(app, &group, &member).await
}

/// Returns a crowd with its first members, as a member sees it.
pub(super) async fn view(app: &App, group: &Group, member: &Member) -> Result<GroupView> {
    let people = &group.first_members;
    let hidden = hidden_in(app, group, member.user, people.clone());
    let profile = profile::of_group(app, group);
    let (cards, hidden, profile) = futures::try_join!(users::cards(app, people), hidden, profile)?;
    Ok(GroupView::new(group, people, &cards, &hidden)
        .of_member(group, member)
        .with_profile(profile, member.user))
}
