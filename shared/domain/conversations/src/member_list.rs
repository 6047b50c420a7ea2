//! Lists the members of a group in pages.

use base::ids::{GroupId, UserId};
use platform::{
    App, Result,
    page::{Cursor, Page},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    group::{Group, key},
    member::{Member, member_key, members, membership},
};
use people::{
    relationships::{self, ViewContext},
    users::{self, Person},
};

/// A member of a group.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupMember {
    /// The member.
    #[serde(flatten)]
    pub person: Person,
    /// Whether the member owns the group.
    pub is_owner: bool,
}

/// Returns a page of a group's members. The member with the oldest account comes first. In a crowd, leaves out a member
/// if a block exists between the member and the viewer.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the group does not exist. Fails with [`platform::Error::Forbidden`] if
/// the viewer is not a member.
pub async fn list_members(
    app: &App,
    viewer: UserId,
    group: GroupId,
    cursor: Cursor<UserId>,
) -> Result<Page<GroupMember>> {
    let (group, mut people) =
        futures::try_join!(group_of_member(app, viewer, group), async { members(app, group).await })?;
    people.sort_unstable_by_key(|it| it.user);
    let others = group.of_crowd(people.iter().map(|it| it.user).filter(|it| *it != viewer));
    let hidden = relationships::hidden_from(app, viewer, &others, ViewContext::Thread).await?;
    people.retain(|member| {
        let user = member.user;
        Some(user) > cursor.after && !(others.contains(&user) && hidden.contains(&user))
    });
    let Page { rows, after } = Page::cut(people, cursor.take, |it| it.user.public().to_string());
    let ids: Vec<_> = rows.iter().map(|member: &Member| member.user).collect();
    let cards = users::cards(app, &ids).await?;
    let owner = group.created_by_id.public();
    let people = ids.iter().filter_map(|id| Person::among(&cards, *id));
    let rows = people.map(|person| GroupMember { is_owner: person.user_id == owner, person });
    Ok(Page { rows: rows.collect(), after })
}

async fn group_of_member(app: &App, viewer: UserId, group: GroupId) -> Result<Group> {
    let keys = [key(group), member_key(group, viewer)];
    let mut rows = app.table.get_together_eventual(&keys).await?;
    membership(&mut rows, group, viewer).map(|(group, _)| group)
}
