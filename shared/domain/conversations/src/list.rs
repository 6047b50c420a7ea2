//! Lists a user's groups. The group with the newest message comes first.
//!
//! The order changes with every message. A sorted list for each member would cost one write for each member and
//! message. Instead, a membership moves to the top of the stored list at most once an hour. A request reads the 1,000
//! most recently moved groups and sorts them.

use std::collections::HashMap;

use base::{GroupId, Position, UserId};
use platform::{App, Cursor, Page, Result, Time};
use serde::Serialize;
use ulid::Ulid;
use utoipa::ToSchema;

use super::{Conversation, Group, GroupType, Member, key, member::memberships, profile};
use people::{ViewContext, relationships, users};

/// A group with unread messages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadGroup {
    /// The group's ID.
    pub public_id: GroupId,
    /// Whether the group is a private group of two users, or a crowd of three or more users.
    pub group_type: GroupType,
    /// The time of the newest message.
    pub last_message_at: Option<Time>,
    /// The number of messages from other members that the caller has not seen.
    pub unread_count: i64,
}

/// Returns a page of a user's groups. The group with the newest message comes first.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<Conversation>> {
    let mut groups = newest(app, user).await?;
    if let Some(after) = cursor.after {
        // The cursor is either a group's position or a group's ID.
        let named = groups.iter().find(|(group, _)| Ulid::from(group.id) == Ulid::from(after));
        let below = named.map_or(after, |(group, member)| member.position_of(group));
        groups.retain(|(group, member)| member.position_of(group) < below);
    }
    let page = Page::cut(groups, cursor.take, |(group, member)| member.position_of(group).to_string());
    let mut people: Vec<_> = page.rows.iter().flat_map(|(group, _)| &group.first_members).copied().collect();
    people.sort_unstable();
    people.dedup();
    let others = page.rows.iter();
    let others = others.flat_map(|(group, _)| {
        group.of_crowd(group.first_members.iter().copied().chain(group.last_sender_id))
    });
    let others = others.filter(|person| *person != user).collect();
    let hidden = relationships::hidden_from(app, user, &others, ViewContext::Thread);
    let groups: Vec<_> = page.rows.iter().map(|(group, _)| group).collect();
    let profiles = profile::of_groups(app, &groups);
    let (cards, hidden, profiles) = futures::try_join!(users::cards(app, &people), hidden, profiles)?;
    let mut profiles: HashMap<_, _> = profiles.into_iter().map(|profile| (profile.group, profile)).collect();
    Ok(page.map(|(group, member)| {
        let profile = profiles.remove(&group.id);
        Conversation::new((&group, &member), &group.first_members, &cards, &hidden, profile)
    }))
}

/// Returns a user's groups with unread messages. The group with the newest message comes first.
pub async fn unread(app: &App, user: UserId) -> Result<Vec<UnreadGroup>> {
    let groups = newest(app, user).await?;
    let row = |(group, member): (Group, Member)| UnreadGroup {
        public_id: group.id,
        group_type: group.group_type,
        last_message_at: group.last_message_at.filter(|_| member.may_read_newest(&group)),
        unread_count: member.unread_in(&group),
    };
    Ok(groups.into_iter().map(row).filter(|group| group.unread_count > 0).collect())
}

async fn newest(app: &App, user: UserId) -> Result<Vec<(Group, Member)>> {
    let members = memberships(app, user).await?;
    let keys: Vec<_> = members.iter().map(|member| key(member.group)).collect();
    let groups: Vec<Group> = app.table.batch_get_eventual(&keys).await?;
    let mut members: HashMap<_, _> = members.into_iter().map(|member| (member.group, member)).collect();
    let both = |group: Group| members.remove(&group.id).map(|member| (group, member));
    let mut groups: Vec<_> = groups.into_iter().filter_map(both).collect();
    groups.sort_unstable_by_key(|(group, member)| std::cmp::Reverse(member.position_of(group)));
    Ok(groups)
}
