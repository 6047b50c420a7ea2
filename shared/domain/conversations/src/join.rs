//! Adds members to a crowd. A new member can read only messages that are sent afterwards.

use base::{GroupId, UserId};
use people::{UserRef, relationships, unique};
use platform::{App, Error, HOUR_SECONDS, Once, RateLimit, Result, Row, Write, outbox_record_write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Group, GroupView, Member, MemberJoined, create::MEMBERS_MAX, crowd::view, leave::members_in_order,
    left::LeftGroup, member::find_membership,
};

const ADDITIONS: RateLimit = RateLimit { what: "member", most: 100, seconds: HOUR_SECONDS };

/// A request to add a member to a group.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct MemberDraft {
    /// The new member: a username or an ID.
    #[schema(value_type = String, example = "dan")]
    pub username: UserRef,
}

/// The result of a request to add a member.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Joined {
    /// The group.
    #[serde(flatten)]
    pub group: GroupView,
    /// Whether the user was already a member.
    pub is_earlier: bool,
}

/// Adds a user to a crowd. Returns the crowd as the caller sees it.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the group or the user does not exist. Fails with [`Error::Forbidden`] if the
/// caller is not a member or if the group is private. Fails with the same error if a block exists between the user and
/// a member. Fails with [`Error::Invalid`] if the crowd is full. Fails with [`Error::LimitReached`] if the caller has
/// already added 100 members within an hour.
pub async fn add(
    app: &App,
    caller: UserId,
    group: GroupId,
    draft: MemberDraft,
    once: &Once,
) -> Result<Joined> {
    let who = caller.to_string();
    once.run(app, caller, async || {
        let user = unique::user_named(app, &draft.username).await?;
        let (before, member) = find_membership(app, group, caller).await?;
        before.check_crowd()?;
        let members = members_in_order(app, group).await?;
        check_addable(app, user, &members).await?;
        if members.iter().any(|member| member.user == user) {
            return Ok((Vec::new(), Joined { group: view(app, &before, &member).await?, is_earlier: true }));
        }
        once.count(app, ADDITIONS, &who).await?;
        let people: Vec<_> = members.iter().map(|member| member.user).chain([user]).collect();
        let writes = join_writes(app, &before, &people, user);
        let writes = writes.into_iter().chain(once.count_write(app, ADDITIONS, &who)).collect();
        let group = view(app, &before.with_members(&people), &member).await?;
        Ok((writes, Joined { group, is_earlier: false }))
    })
    .await
}

async fn check_addable(app: &App, user: UserId, members: &[Member]) -> Result<()> {
    let others: Vec<_> = members.iter().map(|member| member.user).collect();
    if others.contains(&user) {
        return Ok(());
    }
    if others.len() >= MEMBERS_MAX {
        return Err(Error::invalid("username", "the crowd is full (at most 98 members)"));
    }
    relationships::check_unblocked_with(app, user, others).await
}

/// Returns the writes that add a user to a group. The writes fail with a conflict if the members changed since they
/// were read, for example because the caller left.
fn join_writes(app: &App, before: &Group, people: &[UserId], user: UserId) -> Vec<Write> {
    let group = before.members_write(people).set("nextPlace", before.next_place + 1);
    let member = Member::joining(before, user, app.ids.next(app.now()));
    let event = outbox_record_write(app).then_publish(&MemberJoined { group_id: before.id, user_id: user });
    let left_write = Write::delete(LeftGroup { user, group: before.id }.key());
    vec![group, Write::create(&member), left_write.into(), event]
}
