//! Creates a group, or returns the existing private group of two users.

use std::collections::HashSet;

use base::UserId;
use people::{relationships, unique, users};
use platform::{App, Error, HOUR_SECONDS, Once, RateLimit, Result, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Group, GroupName, GroupType, GroupView, Member, Profile, UserRefs, group,
    pair::{self, Pair},
};

/// Maximum number of members. One transaction creates a group, and has at most 100 items: one for each member, one for
/// the group, and one for the idempotency key. A new group with a name has at most 97 members, because the name is an
/// item too. [`count_write`] adds an item if there is room for it.
pub(super) const MEMBERS_MAX: usize = 98;

const CREATIONS: RateLimit = RateLimit { what: "group", most: 20, seconds: HOUR_SECONDS };

/// A request to create a group.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct GroupDraft {
    /// `private` for two users, or `crowd` for three or more users. Case is ignored.
    #[serde(rename = "type")]
    pub kind: GroupType,
    /// The other members, by username or ID. The caller is added automatically. Unknown users are ignored.
    pub members: UserRefs,
    /// The name of a crowd. A crowd that is created with a name has at most 97 members.
    #[serde(default)]
    pub name: Option<GroupName>,
}

/// The result of a request to create a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Opened {
    /// The created group, or the private group that the two users already had.
    #[serde(flatten)]
    pub group: GroupView,
    /// Whether the two users had this private group before the request.
    #[serde(default)]
    pub is_earlier: bool,
}

/// Creates a group.
///
/// # Errors
/// Fails with [`Error::Invalid`] if a private group has a name or not exactly two members. Fails with the same error if
/// a crowd has fewer than three members. Fails with [`Error::Forbidden`] if a block exists between any two members.
/// Fails with [`Error::LimitReached`] if the creator has already created 20 groups within an hour.
pub async fn create(app: &App, creator: UserId, draft: GroupDraft, once: &Once) -> Result<Opened> {
    let owner = creator.to_string();
    let still_unblocked = async |earlier: Opened| {
        let members: Vec<_> = earlier.group.members.iter().map(|member| member.user_id.into()).collect();
        check_unblocked(app, earlier.group.group_type, &members).await.map(|()| earlier)
    };
    once.run_while(app, creator, still_unblocked, async || {
        let members = members(app, creator, &draft).await?;
        check_unblocked(app, draft.kind, &members).await?;
        if let Some(group) = existing(app, draft.kind, &members).await? {
            return Ok((Vec::new(), Opened { group, is_earlier: true }));
        }
        let items = members.len() + usize::from(draft.name.is_some());
        let count_write = count_write(app, &owner, items, once).await?;
        let now = app.now();
        let group = Group::new(app.ids.next(now), draft.kind, &members, creator, now);
        let group = Group { has_profile: draft.name.is_some(), ..group };
        let profile = draft.name.clone().map(|name| Profile::of_new(&group, name));
        let cards = users::cards(app, &members).await?;
        let view = GroupView::new(&group, &members, &cards, &HashSet::new());
        let view = view.with_profile(profile.clone(), creator);
        let writes = create_writes(&group, &members).into_iter().chain(profile.iter().map(Write::create));
        let writes = writes.chain(count_write).collect();
        Ok((writes, Opened { group: view, is_earlier: false }))
    })
    .await
}

/// Counts the new group against the limit, or returns the write that counts it. `items` is the number of members, plus
/// one for a name. A crowd of maximum size is counted immediately, because its transaction has no room for another
/// write.
async fn count_write(app: &App, owner: &str, items: usize, once: &Once) -> Result<Option<Write>> {
    if items < MEMBERS_MAX {
        once.count(app, CREATIONS, owner).await?;
        return Ok(once.count_write(app, CREATIONS, owner));
    }
    CREATIONS.count(app, owner).await?.enforce()?;
    Ok(None)
}

/// Returns the members of the new group without duplicates. The creator comes first.
async fn members(app: &App, creator: UserId, draft: &GroupDraft) -> Result<Vec<UserId>> {
    let mut others = unique::users_named(app, draft.members.all()).await?;
    others.retain(|user| *user != creator);
    others.sort_unstable();
    others.dedup();
    let members: Vec<_> = [creator].into_iter().chain(others).collect();
    match (draft.kind, members.len()) {
        (GroupType::Private, _) if draft.name.is_some() => {
            Err(Error::invalid("name", "must be omitted for a private group"))
        }
        (GroupType::Crowd, MEMBERS_MAX) if draft.name.is_some() => {
            Err(Error::invalid("members", "must name 2 to 96 other users for a crowd with a name"))
        }
        (GroupType::Private, 2) | (GroupType::Crowd, 3..=MEMBERS_MAX) => Ok(members),
        (GroupType::Private, _) => {
            Err(Error::invalid("members", "must name exactly 1 other user for a private group"))
        }
        (GroupType::Crowd, _) => Err(Error::invalid("members", "must name 2 to 97 other users for a crowd")),
    }
}

async fn check_unblocked(app: &App, kind: GroupType, members: &[UserId]) -> Result<()> {
    match (kind, members) {
        (GroupType::Private, &[one, other]) => relationships::check_unblocked(app, one, other).await,
        _ => relationships::check_unblocked_among(app, members).await,
    }
}

/// Returns the existing private group of two users, or `None`.
async fn existing(app: &App, kind: GroupType, members: &[UserId]) -> Result<Option<GroupView>> {
    let (GroupType::Private, &[one, other]) = (kind, members) else { return Ok(None) };
    let Some(pair) = app.table.get::<Pair>(&pair::key([one, other])).await? else { return Ok(None) };
    let key = group::key(pair.group);
    let (group, cards) = futures::try_join!(app.table.get::<Group>(&key), users::cards(app, members))?;
    Ok(group.map(|group| GroupView::new(&group, &group.first_members, &cards, &HashSet::new())))
}

/// Returns the writes that create a group, its members and, for a private group, its pair row. The writes fail with a
/// conflict if the two users of a private group already have one.
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
        (members.iter().enumerate()).map(|(index, user)| Write::create(&Member::new(group.id, *user, index)));
    private.into_iter().chain([Write::create(group)]).chain(members).collect()
}
