//! Adding somebody to a crowd. They read what comes from then on.

use base::ids::{GroupId, UserId};
use people::{relationships, unique, users::Username};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    outbox::outbox_record_write,
    rate_limit::RateLimit,
    retry_on_conflict,
    table::{Row, Write},
    time::HOUR_SECONDS,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    create::MEMBERS_MAX,
    depart::members_in_order,
    events::MemberJoined,
    group::Group,
    left::LeftGroup,
    member::{Member, find_membership},
};

/// The people whom one user adds to groups.
const ADDITIONS: RateLimit = RateLimit { what: "member", most: 100, seconds: HOUR_SECONDS };

/// A request to add somebody to a group.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct MemberDraft {
    /// The username of who is added.
    #[schema(value_type = String, example = "dan")]
    pub username: Username,
}

/// Whether somebody was added, or is a member already.
pub(super) enum Added {
    /// They were added.
    Now,
    /// They are a member already.
    Before,
}

/// Adds somebody to a crowd.
///
/// # Errors
/// [`Error::NotFound`] when there is no such group or user; [`Error::Forbidden`] when the caller is not a member, the group
/// is a private one, or a block stands between the new member and any other; [`Error::Invalid`] for a 99th member;
/// [`Error::LimitReached`] for the 101st addition within an hour.
pub(super) async fn join(
    app: &App,
    caller: UserId,
    group: GroupId,
    draft: &MemberDraft,
    once: &Once,
) -> Result<Added> {
    let owner = caller.to_string();
    if once.earlier::<GroupId>(app, &owner).await?.is_some() {
        return Ok(Added::Now);
    }
    let user = unique::user_named(app, &draft.username).await?;
    retry_on_conflict(async || {
        let (before, _) = find_membership(app, group, caller).await?;
        before.check_crowd()?;
        let members = members_in_order(app, group).await?;
        check_addable(app, user, &members).await?;
        if members.iter().any(|it| it.user == user) {
            return Ok(Added::Before);
        }
        ADDITIONS.count(app, &owner).await?.enforce()?;
        let writes = join_writes(app, &before, &members, user);
        once.commit(app, &owner, writes, group).await.map(|_| Added::Now)
    })
    .await
}

async fn check_addable(app: &App, user: UserId, members: &[Member]) -> Result<()> {
    let others: Vec<_> = members.iter().map(|it| it.user).collect();
    if others.contains(&user) {
        return Ok(());
    }
    if others.len() >= MEMBERS_MAX {
        return Err(Error::invalid("username", "is one too many: a crowd has at most 98 members"));
    }
    relationships::check_unblocked_with(app, user, others).await
}

/// Returns the writes by which somebody is in a group. They are stale when its members changed after they were read: so who
/// adds is a member still.
fn join_writes(app: &App, before: &Group, members: &[Member], user: UserId) -> Vec<Write> {
    let people: Vec<_> = members.iter().map(|it| it.user).chain([user]).collect();
    let group = before.members_write(&people).set("nextPlace", before.next_place + 1);
    let member = Member::joining(before, user, app.ids.next(app.now()));
    let told = outbox_record_write(app).then_publish(&MemberJoined { group_id: before.id, user_id: user });
    let left = Write::delete(LeftGroup { user, group: before.id }.key());
    vec![group, Write::create(&member), left.into(), told]
}
