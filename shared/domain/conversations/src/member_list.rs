//! Lists the members of a group in pages.

use base::{GroupId, UserId};
use platform::{App, Cursor, Page, Result};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Member, hidden::hidden_in, member::find_membership_eventual, members};
use people::{Person, users};

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
    let membership = find_membership_eventual(app, group, viewer);
    let ((group, _), mut people) = futures::try_join!(membership, members(app, group))?;
    people.sort_unstable_by_key(|member| member.user);
    let users = people.iter().map(|member| member.user).collect();
    let hidden = hidden_in(app, &group, viewer, users).await?;
    people.retain(|member| Some(member.user) > cursor.after && !hidden.contains(&member.user));
    let Page { rows, after } = Page::cut(people, cursor.take, |member| member.user.public().to_string());
    let ids: Vec<_> = rows.iter().map(|member: &Member| member.user).collect();
    let cards = users::cards(app, &ids).await?;
    let owner = group.created_by_id.public();
    let people = ids.iter().filter_map(|id| Person::among(&cards, *id));
    let rows = people.map(|person| GroupMember { is_owner: person.user_id == owner, person });
    Ok(Page { rows: rows.collect(), after })
}
