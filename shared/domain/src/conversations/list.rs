//! The groups that somebody is in, newest message first.
//!
//! Where a group stands changes with every message, for every member; writing that down would cost a
//! write for each member and message. So a list reads all of the member's groups, each by half a unit,
//! and sorts them: cheaper than keeping them sorted unless somebody reads their list more often than
//! their groups have messages.

use std::collections::HashMap;

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Index, Query},
    time::Time,
};
use serde::Serialize;
use ulid::Ulid;
use utoipa::ToSchema;

use super::{Conversation, Group, GroupType, Member, key, rows::pk};
use crate::{
    ids::{GroupId, Position, UserId},
    people::users,
};

/// The newest groups that a list knows of.
const GROUPS_MAX: usize = 1000;

/// A group with something unread.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadGroup {
    /// The group.
    pub public_id: GroupId,
    /// How many it is for.
    pub group_type: GroupType,
    /// When the newest message was sent.
    pub last_message_at: Option<Time>,
    /// Messages of others that the caller has not seen.
    pub unread_count: i64,
}

/// A page of somebody's groups, newest message first. 3 calls and 1 for each 100 groups; 0.5 RRU for
/// each group, for each 10 more, and for each person shown.
///
/// # Errors
/// Internal only.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<Conversation>> {
    let mut groups = newest(app, user).await?;
    if let Some(after) = cursor.after {
        // The cursor is a place in time, or a group that stands at one.
        let named = groups.iter().find(|(group, _)| Ulid::from(group.id) == Ulid::from(after));
        let below = named.map_or(after, |(group, _)| group.position());
        groups.retain(|(group, _)| group.position() < below);
    }
    let page = Page::cut(groups, cursor.take, |(group, _)| group.position().to_string());
    let mut people: Vec<_> = page.rows.iter().flat_map(|(group, _)| &group.first_members).copied().collect();
    people.sort_unstable();
    people.dedup();
    let cards = users::cards(app, &people).await?;
    Ok(page.map(|(group, member)| Conversation::new(&group, &member, &cards)))
}

/// Somebody's groups with something unread, newest message first. 2 calls and 1 for each 100 groups.
///
/// # Errors
/// Internal only.
pub async fn unread(app: &App, user: UserId) -> Result<Vec<UnreadGroup>> {
    let groups = newest(app, user).await?;
    let row = |(group, member): (Group, Member)| UnreadGroup {
        public_id: group.id,
        group_type: group.group_type,
        last_message_at: group.last_message_at,
        unread_count: group.unread_by(&member),
    };
    Ok(groups.into_iter().map(row).filter(|it| it.unread_count > 0).collect())
}

async fn newest(app: &App, user: UserId) -> Result<Vec<(Group, Member)>> {
    let members = memberships(app, user).await?;
    let keys: Vec<_> = members.iter().map(|it| key(it.group)).collect();
    let groups: Vec<Group> = app.table.batch_get_eventual(&keys).await?;
    let mut members: HashMap<_, _> = members.into_iter().map(|it| (it.group, it)).collect();
    let both = |group: Group| members.remove(&group.id).map(|it| (group, it));
    let mut groups: Vec<_> = groups.into_iter().filter_map(both).collect();
    groups.sort_unstable_by_key(|(group, _)| std::cmp::Reverse(group.position()));
    Ok(groups)
}

/// Who is in a group. 1 call, 0.5 RRU for each 15 of them.
///
/// # Errors
/// Internal only.
pub async fn members(app: &App, group: GroupId) -> Result<Vec<Member>> {
    app.table.query(&Query::partition(pk(group)).prefix("MEMBER#")).await
}

/// What somebody is a member of, the newest group first. 1 call, 0.5 RRU for each 4 KB.
pub(super) async fn memberships(app: &App, user: UserId) -> Result<Vec<Member>> {
    let query = Query::index(Index::Gsi1, format!("GROUPS#{user}")).newest_first().limit(GROUPS_MAX);
    app.table.query(&query).await
}

impl Group {
    /// Where it stands among groups: at its newest message, or where it was made.
    fn position(&self) -> Position {
        let at = self.last_message_id.map_or(Ulid::from(self.id), Ulid::from);
        Position::from(at)
    }
}
