//! A user's groups, newest message first.
//!
//! The order changes with every message. To keep each member's list sorted would cost a write for each member and
//! message. So a membership moves once an hour in which messages come. A list reads the 1,000 groups that moved last,
//! and sorts them. This is cheaper unless users read their lists more often than their groups receive messages.

use std::collections::HashMap;

use base::ids::{GroupId, Position, UserId};
use platform::{
    App, Result,
    page::{Cursor, Page},
    time::Time,
};
use serde::Serialize;
use ulid::Ulid;
use utoipa::ToSchema;

use super::{
    group::{Group, key},
    member::{Member, memberships},
    profile,
    values::GroupType,
    view::Conversation,
};
use people::{
    relationships::{self, ViewContext},
    users,
};

/// A group with unread messages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadGroup {
    /// The group's id.
    pub public_id: GroupId,
    /// Whether it is for two people or a crowd.
    pub group_type: GroupType,
    /// The time of the newest message.
    pub last_message_at: Option<Time>,
    /// The number of messages of others that the caller has not seen.
    pub unread_count: i64,
}

/// Returns a page of a user's groups, newest message first.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<Conversation>> {
    let mut groups = newest(app, user).await?;
    if let Some(after) = cursor.after {
        // The cursor is a group's position or a group's id.
        let named = groups.iter().find(|(group, _)| Ulid::from(group.id) == Ulid::from(after));
        let below = named.map_or(after, |(group, member)| member.position_of(group));
        groups.retain(|(group, member)| member.position_of(group) < below);
    }
    let page = Page::cut(groups, cursor.take, |(group, member)| member.position_of(group).to_string());
    let mut people: Vec<_> = page.rows.iter().flat_map(|(group, _)| &group.first_members).copied().collect();
    people.sort_unstable();
    people.dedup();
    let crowds = page.rows.iter();
    let crowds =
        crowds.flat_map(|(it, _)| it.of_crowd(it.first_members.iter().copied().chain(it.last_sender_id)));
    let crowds = crowds.filter(|it| *it != user).collect();
    let hidden = relationships::hidden_from(app, user, &crowds, ViewContext::Thread);
    let shown: Vec<_> = page.rows.iter().map(|(group, _)| group).collect();
    let profiles = profile::of_groups(app, &shown);
    let (cards, hidden, profiles) = futures::try_join!(users::cards(app, &people), hidden, profiles)?;
    let mut profiles: HashMap<_, _> = profiles.into_iter().map(|it| (it.group, it)).collect();
    Ok(page.map(|(group, member)| {
        let profile = profiles.remove(&group.id);
        Conversation::new(&group, &member, &cards, &hidden, profile)
    }))
}

/// Returns a user's groups with unread messages, newest message first.
pub async fn unread(app: &App, user: UserId) -> Result<Vec<UnreadGroup>> {
    let groups = newest(app, user).await?;
    let row = |(group, member): (Group, Member)| UnreadGroup {
        public_id: group.id,
        group_type: group.group_type,
        last_message_at: group.last_message_at.filter(|_| member.may_read_newest(&group)),
        unread_count: member.unread_in(&group),
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
    groups.sort_unstable_by_key(|(group, member)| std::cmp::Reverse(member.position_of(group)));
    Ok(groups)
}
