//! Making a group, or finding the one that two people already have.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Group, GroupType, GroupView, Member, Usernames, key, rows::Pair};
use crate::{
    ids::UserId,
    people::{relationships, unique, users},
};

/// Each is a step of the transaction, which holds 100: two are the group and the idempotency key.
const MEMBERS_MAX: usize = 98;
const ALREADY: Error = Error::Conflict("this group is being made");

/// A group to be made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct GroupDraft {
    /// `private` for two, `crowd` for three or more; in any case.
    #[serde(rename = "type")]
    pub kind: GroupType,
    /// The usernames of its members. The caller is added; a name that nobody has is left out.
    pub members: Usernames,
}

/// A group that was asked for.
pub enum Opened {
    /// It was made.
    New(GroupView),
    /// The two people had it already.
    Existing(GroupView),
}

/// Makes a group. At most 6 calls: 2.5 RRU for each member and 1 for a pair; 5 WRU, and 3 for each member.
///
/// # Errors
/// [`Error::Invalid`] unless there are two members for a private group, three or more for a crowd;
/// [`Error::Forbidden`] where a block stands between the maker and any of them.
pub async fn create(app: &App, maker: UserId, draft: GroupDraft, once: &Once) -> Result<Opened> {
    let owner = maker.to_string();
    if let Some(earlier) = once.earlier(app, &owner).await? {
        return Ok(Opened::New(earlier));
    }
    let members = members(app, maker, &draft).await?;
    relationships::refuse_any(app, maker, &others(maker, &members)).await?;
    if let Some(existing) = existing(app, draft.kind, &members).await? {
        return Ok(Opened::Existing(existing));
    }
    let now = app.now();
    let group = Group::new(app.ids.next(now), draft.kind, &members, maker, now);
    let view = GroupView::new(&group, &members, &users::cards(app, &members).await?);
    match once.commit(app, &owner, steps(&group, &members), view).await {
        Ok(view) => Ok(Opened::New(view)),
        // Two at once: the other one's is the group.
        Err(refusal @ Error::Conflict(_)) => {
            existing(app, draft.kind, &members).await?.map(Opened::Existing).ok_or(refusal)
        }
        Err(error) => Err(error),
    }
}

fn others(maker: UserId, members: &[UserId]) -> Vec<UserId> {
    members.iter().copied().filter(|it| *it != maker).collect()
}

/// The distinct people it is for, its maker first. 1 call.
async fn members(app: &App, maker: UserId, draft: &GroupDraft) -> Result<Vec<UserId>> {
    let mut others = unique::users_named(app, draft.members.names()).await?;
    others.retain(|it| *it != maker);
    others.sort_unstable();
    let members: Vec<_> = [maker].into_iter().chain(others).collect();
    match (draft.kind, members.len()) {
        (GroupType::Private, 2) | (GroupType::Crowd, 3..=MEMBERS_MAX) => Ok(members),
        (GroupType::Private, _) => {
            Err(Error::invalid("members", "must be one other user in a private group"))
        }
        (GroupType::Crowd, _) => Err(Error::invalid("members", "must be 2 to 97 other users in a crowd")),
    }
}

/// The private group that two people already have. At most 3 calls, 3 RRU.
async fn existing(app: &App, kind: GroupType, members: &[UserId]) -> Result<Option<GroupView>> {
    let (GroupType::Private, &[one, other]) = (kind, members) else { return Ok(None) };
    let Some(pair) = app.table.get::<Pair>(&Pair::key_of([one, other])).await? else { return Ok(None) };
    let key = key(pair.group);
    let (group, cards) = futures::try_join!(app.table.get::<Group>(&key), users::cards(app, members))?;
    Ok(group.map(|it| GroupView::new(&it, &it.first_members, &cards)))
}

fn steps(group: &Group, members: &[UserId]) -> Vec<Write> {
    let private = match (group.group_type, members) {
        (GroupType::Private, &[one, other]) => vec![
            Write::create(&Pair::new([one, other], group.id)).or(ALREADY),
            // A block may have come since it was looked for.
            relationships::none_between(one, other),
        ],
        _ => Vec::new(),
    };
    let member = |(place, user): (usize, &UserId)| {
        let group = group.id;
        Write::create(&Member { group, user: *user, place, seen_count: 0, last_seen: None, seen_at: None })
    };
    let members = members.iter().enumerate().map(member);
    private.into_iter().chain([Write::create(group)]).chain(members).collect()
}
