//! Creating a group, or finding the private group that two people already have.

use std::collections::HashSet;

use base::ids::UserId;
use people::{relationships, unique, users};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    rate_limit::RateLimit,
    retry_on_conflict,
    table::Write,
    time::HOUR_SECONDS,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    group::{self, Group},
    member::Member,
    pair::{self, Pair},
    values::{GroupType, Usernames},
    view::GroupView,
};

/// Each member is a step of the transaction. It holds 100 steps, and the group and the idempotency key
/// take two.
pub(super) const MEMBERS_MAX: usize = 98;

/// The groups that one user makes.
const GROUPS: RateLimit = RateLimit { what: "group", most: 20, seconds: HOUR_SECONDS };

/// A request to create a group.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct GroupDraft {
    /// `private` for two people, `crowd` for three or more, in upper or lower case.
    #[serde(rename = "type")]
    pub kind: GroupType,
    /// The usernames of its members. The caller is added; a name that nobody has is left out.
    pub members: Usernames,
}

/// The group that a [`GroupDraft`] led to.
pub enum Opened {
    /// A new group.
    New(GroupView),
    /// The private group that the two people already had.
    Existing(GroupView),
}

/// Creates a group.
///
/// # Errors
/// [`Error::Invalid`] unless there are two members for a private group or three or more for a crowd;
/// [`Error::Forbidden`] where a block stands between any two of them; [`Error::LimitReached`] for the 21st new group
/// within an hour.
pub async fn create(app: &App, creator: UserId, draft: GroupDraft, once: &Once) -> Result<Opened> {
    let owner = creator.to_string();
    if let Some(earlier) = once.earlier::<GroupView>(app, &owner).await? {
        let members: Vec<_> = earlier.members.iter().map(|it| it.user_id).collect();
        check_unblocked(app, earlier.group_type, &members).await?;
        return Ok(Opened::New(earlier));
    }
    let members = members(app, creator, &draft).await?;
    check_unblocked(app, draft.kind, &members).await?;
    retry_on_conflict(async || {
        if let Some(existing) = existing(app, draft.kind, &members).await? {
            return Ok(Opened::Existing(existing));
        }
        GROUPS.count(app, &owner).await?.enforce()?;
        let now = app.now();
        let group = Group::new(app.ids.next(now), draft.kind, &members, creator, now);
        let cards = users::cards(app, &members).await?;
        let view = GroupView::new(&group, &members, &cards, &HashSet::new());
        once.commit(app, &owner, create_writes(&group, &members), view).await.map(Opened::New)
    })
    .await
}

/// Returns the distinct members, the creator first.
async fn members(app: &App, creator: UserId, draft: &GroupDraft) -> Result<Vec<UserId>> {
    let mut others = unique::users_named(app, draft.members.names()).await?;
    others.retain(|it| *it != creator);
    others.sort_unstable();
    let members: Vec<_> = [creator].into_iter().chain(others).collect();
    match (draft.kind, members.len()) {
        (GroupType::Private, 2) | (GroupType::Crowd, 3..=MEMBERS_MAX) => Ok(members),
        (GroupType::Private, _) => {
            Err(Error::invalid("members", "must be one other user in a private group"))
        }
        (GroupType::Crowd, _) => Err(Error::invalid("members", "must be 2 to 97 other users in a crowd")),
    }
}

async fn check_unblocked(app: &App, kind: GroupType, members: &[UserId]) -> Result<()> {
    match (kind, members) {
        (GroupType::Private, &[one, other]) => relationships::check_unblocked(app, one, other).await,
        _ => relationships::check_unblocked_among(app, members).await,
    }
}

/// Returns the private group that two people already have.
async fn existing(app: &App, kind: GroupType, members: &[UserId]) -> Result<Option<GroupView>> {
    let (GroupType::Private, &[one, other]) = (kind, members) else { return Ok(None) };
    let Some(pair) = app.table.get::<Pair>(&pair::key([one, other])).await? else { return Ok(None) };
    let key = group::key(pair.group);
    let (group, cards) = futures::try_join!(app.table.get::<Group>(&key), users::cards(app, members))?;
    Ok(group.map(|it| GroupView::new(&it, &it.first_members, &cards, &HashSet::new())))
}

/// Returns the writes of a group, its members and its pair. They are stale when the two people of a
/// private group already have one.
fn create_writes(group: &Group, members: &[UserId]) -> Vec<Write> {
    let private = match (group.group_type, members) {
        (GroupType::Private, &[one, other]) => vec![
            Write::create(&Pair::new([one, other], group.id)),
            // A block may have begun since the relationships were read.
            relationships::check_unblocked_write(one, other),
        ],
        _ => Vec::new(),
    };
    let members =
        (members.iter().enumerate()).map(|(place, user)| Write::create(&Member::new(group.id, *user, place)));
    private.into_iter().chain([Write::create(group)]).chain(members).collect()
}
