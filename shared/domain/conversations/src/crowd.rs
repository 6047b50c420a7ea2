//! Changes the profile of a crowd, and returns the crowd as the caller sees it.

use base::ids::{GroupId, UserId};
use platform::{App, Result};

use super::{
    group::Group,
    member::Member,
    profile::{self, GroupChange},
    view::GroupView,
};
use people::{
    relationships::{self, ViewContext},
    users,
};

/// Changes the name or picture of a crowd.
///
/// # Errors
/// Fails like `profile::change`.
pub async fn change(app: &App, caller: UserId, group: GroupId, request: GroupChange) -> Result<GroupView> {
    let (group, member) = profile::change(app, caller, group, &request).await?;
    view(app, &group, &member).await
}

/// Returns a crowd with its first members, as a member sees it.
pub(super) async fn view(app: &App, group: &Group, member: &Member) -> Result<GroupView> {
    let people = &group.first_members;
    let others = people.iter().copied().filter(|it| *it != member.user).collect();
    let hidden = relationships::hidden_from(app, member.user, &others, ViewContext::Thread);
    let profile =
        async { if group.has_profile { profile::find_profile(app, group.id).await } else { Ok(None) } };
    let (cards, hidden, profile) = futures::try_join!(users::cards(app, people), hidden, profile)?;
    Ok(GroupView::new(group, people, &cards, &hidden).of_member(group, member).with_profile(profile))
}
