//! Leaving message groups, when somebody leaves the network: their messages stay as stubs, so that what is unread stays
//! exact, and a group without people is deleted.

use platform::{
    App, Result, retry_stale,
    table::{Index, Key, KeyOnly, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{
    group::{self, FIRST_MEMBERS_MAX, Group},
    member::{Member, groups_partition, member_key},
    message::{Message, SORT_KEY_END, SORT_KEY_PREFIX, message_key},
    pair,
    values::{GroupType, MessageContent, MessageType},
};
use crate::ids::{GroupId, MessageId, UserId};

/// Messages of a page.
const PAGE_ROWS: usize = 500;
const LEFT_PREFIX: &str = "LEFTGROUP#";

/// A group that somebody left who leaves the network: what they caused there is looked for once more.
#[derive(Serialize, Deserialize)]
struct LeftGroup {
    user: UserId,
    group: GroupId,
}

/// Returns a user's next group, by its position in their list. Costs 1 call and 0.5 RRU.
pub(crate) async fn listed_after(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Option<(String, GroupId)>> {
    let query = Query::index(Index::Gsi1, groups_partition(user)).after(after).limit(1);
    let found: Vec<Member> = app.table.query(&query).await?;
    Ok(found.into_iter().next().map(|it| (it.listed_at().to_string(), it.group)))
}

/// Returns the next group that a user left by [`leave`]. Costs 1 call and 1 RRU.
pub(crate) async fn left_after(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Option<(String, GroupId)>> {
    let after = after.map_or_else(|| LEFT_PREFIX.to_owned(), |it| format!("{LEFT_PREFIX}{it}#"));
    let query = Query::partition(user.partition()).between(after, format!("{LEFT_PREFIX}~"));
    let found: Vec<LeftGroup> = app.table.query(&query.consistent().limit(1)).await?;
    Ok(found.into_iter().next().map(|it| (it.group.to_string(), it.group)))
}

/// Empties the user's messages among the next 500 of a group. Returns the last of them when there are more. Costs 1 call,
/// 1 RRU for each 4 KB, and 1 call for each 25 and 1 WRU for each of the user's.
pub(crate) async fn stub_page(
    app: &App,
    user: UserId,
    group: GroupId,
    after: Option<MessageId>,
) -> Result<Option<MessageId>> {
    let low = after.map_or_else(|| SORT_KEY_PREFIX.to_owned(), |it| message_key(group, it).sk);
    let query = Query::partition(group::partition(group)).between(low, SORT_KEY_END).consistent();
    let messages: Vec<Message> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    let last = messages.last().map(|it| it.id).filter(|_| messages.len() == PAGE_ROWS);
    let own = messages.into_iter().filter(|it| it.sender == user && it.content != MessageContent::gone());
    let stubs: Vec<_> =
        own.map(|it| Message { content: MessageContent::gone(), kind: MessageType::Text, ..it }).collect();
    app.table.batch_write(&stubs, &[]).await?;
    Ok(last)
}

/// Takes a user out of a group whose messages of theirs are stubs. A crowd that they made belongs to its eldest member
/// from then on; a group without people is deleted. A repetition changes nothing. Costs 3 calls, 3 RRU and 10 WRU.
pub(crate) async fn leave(app: &App, user: UserId, group: GroupId) -> Result<()> {
    retry_stale(async || {
        let (key, member_key) = (group::key(group), member_key(group, user));
        let mut rows = app.table.get_together(&[key.clone(), member_key.clone()]).await?;
        let (found, member) = (rows.take::<Group>(&key)?, rows.take::<Member>(&member_key)?);
        let Some(before) = found else { return app.table.write(Write::delete(member_key)).await };
        let others = others(app, user, group).await?;
        if others.is_empty() {
            return delete_group(app, &before).await;
        }
        let mine = last_is_of(app, user, &before).await?;
        let writes = leave_writes(user, &before, member.as_ref(), &others, mine);
        if writes.is_empty() { Ok(()) } else { app.table.transact(writes).await }
    })
    .await
}

/// Returns the people of a group. Costs 1 call and 1 RRU for each 15.
pub(crate) async fn people_of(app: &App, group: GroupId) -> Result<Vec<UserId>> {
    let query = Query::partition(group::partition(group)).prefix("MEMBER#").consistent();
    let members: Vec<Member> = app.table.query(&query).await?;
    Ok(members.into_iter().map(|it| it.user).collect())
}

/// Returns the other members, the eldest first.
async fn others(app: &App, user: UserId, group: GroupId) -> Result<Vec<Member>> {
    let query = Query::partition(group::partition(group)).prefix("MEMBER#").consistent();
    let mut members: Vec<Member> = app.table.query(&query).await?;
    members.retain(|it| it.user != user);
    members.sort_unstable_by_key(|it| it.place);
    Ok(members)
}

/// Whether the newest message, whose beginning a list shows, is the user's.
async fn last_is_of(app: &App, user: UserId, group: &Group) -> Result<bool> {
    let (Some(last), Some(_)) = (group.last_message_id, &group.last_message_preview) else {
        return Ok(false);
    };
    match group.last_sender_id {
        Some(sender) => Ok(sender == user),
        None => {
            let message: Option<Message> = app.table.get(&message_key(group.id, last)).await?;
            Ok(message.is_some_and(|it| it.sender == user)
                && group.last_message_preview.as_deref() != Some(&MessageContent::gone().preview()))
        }
    }
}

fn leave_writes(
    user: UserId,
    before: &Group,
    member: Option<&Member>,
    others: &[Member],
    last_is_mine: bool,
) -> Vec<Write> {
    let owns = before.created_by_id == user;
    if member.is_none() && !last_is_mine && !owns && !before.first_members.contains(&user) {
        return Vec::new();
    }
    let first: Vec<_> = others.iter().take(FIRST_MEMBERS_MAX).map(|it| it.user).collect();
    let heir = first.first().copied().filter(|_| owns).unwrap_or(before.created_by_id);
    let write = Write::update(before.key()).set("membersCount", others.len()).set("firstMembers", first);
    let write = write.set("createdById", heir).remove(&Group::closed_attribute(user));
    let write = write.equals("membersCount", before.members_count);
    let write = write.is_still("lastMessageId", before.last_message_id);
    let write = match last_is_mine {
        true => write
            .set("lastMessagePreview", MessageContent::gone().preview())
            .remove("lastSenderId")
            .clear_outbox(),
        false => write,
    };
    let left = LeftGroup { user, group: before.id };
    let membership = member.map(|it| Write::from(Write::delete(it.key()).exists()));
    [write, Write::put(&left)].into_iter().chain(membership).chain(pair_write(before)).collect()
}

/// Returns the write by which a private group is nobody's any more: the one who stays cannot write to it by name.
fn pair_write(group: &Group) -> Option<Write> {
    pair_key(group).map(|it| Write::delete(it).into())
}

/// Deletes a group without people, its own row last, by which it is found.
async fn delete_group(app: &App, group: &Group) -> Result<()> {
    let partition = Query::partition(group::partition(group.id)).consistent().limit(PAGE_ROWS);
    loop {
        let rows: Vec<KeyOnly> = app.table.query(&partition).await?;
        let keys: Vec<_> = rows.iter().map(Row::key).filter(|it| *it != group.key()).collect();
        app.table.batch_write::<KeyOnly>(&[], &keys).await?;
        if keys.is_empty() {
            let last: Vec<_> = [Some(group.key()), pair_key(group)].into_iter().flatten().collect();
            return app.table.batch_write::<KeyOnly>(&[], &last).await;
        }
    }
}

fn pair_key(group: &Group) -> Option<Key> {
    match (group.group_type, group.first_members.as_slice()) {
        (GroupType::Private, &[one, other]) => Some(pair::key([one, other])),
        _ => None,
    }
}

/// `USER#u / LEFTGROUP#group`, until the account is erased
impl Row for LeftGroup {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("{LEFT_PREFIX}{}", self.group))
    }
}
