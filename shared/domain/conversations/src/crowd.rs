//! Changes a crowd, a group of three or more users. Each change returns the crowd as the caller sees it.

use base::ids::{GroupId, UserId};
use platform::{App, Result, idempotency::Once};

use super::{
    group::Group,
    join::{self, Added, MemberDraft},
    member::{Member, find_membership},
    profile::{self, GroupChange},
    view::GroupView,
};
use people::{
    relationships::{self, ViewContext},
    users,
};

/// The result of a request to add a member.
pub enum Joined {
    /// The user was added.
    New(GroupView),
    /// The user was already a member.
    Already(GroupView),
}

/// Adds a user to a crowd.
///
/// # Errors
/// Fails like `join`.
pub async fn add(
    app: &App,
    caller: UserId,
    group: GroupId,
    draft: MemberDraft,
    once: &Once,
) -> Result<Joined> {
    let added = join::join(app, caller, group, &draft, once).await?;
    let (group, member) = find_membership(app, group, caller).await?;
    let view = view(app, &group, &member).await?;
    Ok(match added {
        Added::New => Joined::New(view),
        Added::Already => Joined::Already(view),
    })
}

/// Changes the name or picture of a crowd.
///
/// # Errors
/// Fails like `profile::change`.
pub async fn change(app: &App, caller: UserId, group: GroupId, request: GroupChange) -> Result<GroupView> {
    let (group, member) = profile::change(app, caller, group, &request).await?;
    view(app, &group, &member).await
}

/// Returns a crowd with its first members, as a member sees it.
async fn view(app: &App, group: &Group, member: &Member) -> Result<GroupView> {
    let people = &group.first_members;
    let others = people.iter().copied().filter(|it| *it != member.user).collect();
    let hidden = relationships::hidden_from(app, member.user, &others, ViewContext::Thread);
    let profile =
        async { if group.has_profile { profile::find_profile(app, group.id).await } else { Ok(None) } };
    let (cards, hidden, profile) = futures::try_join!(users::cards(app, people), hidden, profile)?;
    Ok(GroupView::new(group, people, &cards, &hidden).of_member(group, member).with_profile(profile))
}
