//! Removes a deleted account from its message groups. The user's messages lose their text and no longer count as
//! unread. Their rows stay, because replies refer to them. A group without members is deleted.

use base::{GroupId, MessageId, UserId};
use futures::{StreamExt, TryStreamExt, stream};
use platform::{App, Index, Query, Result, Row, Write, outbox_record_write, retry_on_conflict};

use super::{
    group::{self, Group},
    leave::{deletion_writes, members_in_order, other_members, pair_key, purge_chore, removal_writes},
    member::{Member, groups_partition, member_key, members},
    message::{Message, SORT_KEY_END, SORT_KEY_PREFIX, message_key, with_newest},
    newest::{newest, seen_writes},
    profile,
    values::MessageContent,
};

const PAGE_ROWS: usize = 500;
/// Maximum number of reactions that are removed concurrently.
const PARALLEL_REMOVALS: usize = 10;

/// Returns the next group in a user's list, together with its cursor. Returns `None` after the last group.
pub async fn listed_after(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Option<(String, GroupId)>> {
    let query = Query::index(Index::Gsi1, groups_partition(user)).after(after).limit(1);
    let found: Vec<Member> = app.table.query(&query).await?;
    Ok(found.into_iter().next().map(|member| (member.position.to_string(), member.group)))
}

/// Processes the next 500 messages of a group. Removes the content of the messages that the user sent, and removes the
/// user's reactions from all other messages. Returns the ID of the last processed message, or `None` if there are no
/// more messages.
pub async fn stub_page(
    app: &App,
    user: UserId,
    group: GroupId,
    after: Option<MessageId>,
) -> Result<Option<MessageId>> {
    let low = after.map_or_else(|| SORT_KEY_PREFIX.to_owned(), |id| message_key(group, id).sk);
    let query = Query::partition(group::partition(group)).between(low, SORT_KEY_END).consistent();
    let messages: Vec<Message> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    let last = messages.last().map(|message| message.id).filter(|_| messages.len() == PAGE_ROWS);
    let (own, others): (Vec<_>, Vec<_>) = messages.into_iter().partition(|message| message.sender == user);
    stub(app, group, own.into_iter().filter(|message| message.deleted_at.is_none()).collect()).await?;
    let reactions = others.iter().filter(|message| message.reaction_of(user).is_some());
    let removals = stream::iter(reactions).map(|message| remove_reaction(app, user, message));
    removals.buffer_unordered(PARALLEL_REMOVALS).try_collect::<()>().await?;
    Ok(last)
}

/// Removes the content of a sender's messages. The messages no longer count as unread.
async fn stub(app: &App, group: GroupId, messages: Vec<Message>) -> Result<()> {
    if messages.is_empty() {
        return Ok(());
    }
    let oldest_seen = oldest_seen(&members(app, group).await?, messages[0].sender);
    let (seen, unseen): (Vec<_>, Vec<_>) =
        messages.into_iter().partition(|message| Some(message.id) <= oldest_seen);
    let stubs: Vec<_> = seen.into_iter().map(|message| message.stub(app.now())).collect();
    app.table.batch_write(&stubs, &[]).await?;
    for message in unseen {
        retry_on_conflict(async || {
            let stub = Write::put(&message.clone().stub(app.now())).exists().lacks("deletedAt");
            let seen = seen_writes(app, group, &message).await?;
            app.table.transact([stub].into_iter().chain(seen).collect()).await
        })
        .await?;
    }
    Ok(())
}

/// Returns the newest message that all members other than `sender` have seen.
fn oldest_seen(members: &[Member], sender: UserId) -> Option<MessageId> {
    members.iter().filter(|member| member.user != sender).map(|member| member.last_seen).min().flatten()
}

/// Removes a reaction. Has no effect if the message no longer exists.
async fn remove_reaction(app: &App, user: UserId, message: &Message) -> Result<()> {
    let write = Write::update(message.key()).exists().remove(&Message::reaction_attribute(user));
    app.table.try_write(write).await.map(drop)
}

/// Removes a deleted user from a group, after [`stub_page`] has emptied the user's messages. Also removes the name and
/// picture that the user set. If the user owned the group, the longest-standing member becomes the owner. A group
/// without members is deleted. A repeated call has no effect.
pub async fn withdraw(app: &App, user: UserId, group: GroupId) -> Result<()> {
    retry_on_conflict(async || profile::remove_of_user(app, user, group).await).await?;
    retry_on_conflict(async || {
        let (key, member_key) = (group::key(group), member_key(group, user));
        let mut rows = app.table.get_together(&[key.clone(), member_key.clone()]).await?;
        let (found, member) = (rows.take::<Group>(&key)?, rows.take::<Member>(&member_key)?);
        let Some(before) = found else {
            // The group was purged. Afterwards, this worker may have written rows of messages again, so purge the group
            // again.
            let purge = outbox_record_write(app).then(&purge_chore(group));
            return app.table.transact(vec![Write::delete(member_key).into(), purge]).await;
        };
        let others = other_members(app, user, group).await?;
        if others.is_empty() {
            return app.table.transact(deletion_writes(&before, user, member.as_ref())).await;
        }
        let last = match last_is_of(app, user, &before).await? {
            true => Some(newest(app, &before, |message| message.sender == user).await?),
            false => None,
        };
        let writes = deleted_user_writes(app, (user, member.as_ref()), &before, &others, last);
        if writes.is_empty() { Ok(()) } else { app.table.transact(writes).await }
    })
    .await
}

/// Returns the IDs of a group's members.
pub async fn people_of(app: &App, group: GroupId) -> Result<Vec<UserId>> {
    Ok(members_in_order(app, group).await?.into_iter().map(|member| member.user).collect())
}

/// Returns true if the user sent the newest message and the group's preview still shows the text of that message.
async fn last_is_of(app: &App, user: UserId, group: &Group) -> Result<bool> {
    let (Some(last), Some(_)) = (group.last_message_id, &group.last_message_preview) else {
        return Ok(false);
    };
    match group.last_sender_id {
        Some(sender) => Ok(sender == user),
        None => {
            let message: Option<Message> = app.table.get(&message_key(group.id, last)).await?;
            Ok(message.is_some_and(|message| message.sender == user)
                && group.last_message_preview != Some(MessageContent::deleted().preview()))
        }
    }
}

fn deleted_user_writes(
    app: &App,
    (user, member): (UserId, Option<&Member>),
    before: &Group,
    others: &[Member],
    last: Option<Option<Message>>,
) -> Vec<Write> {
    let is_referenced =
        before.created_by_id == user || before.first_members.contains(&user) || before.mentions(user);
    if member.is_none() && last.is_none() && !is_referenced {
        return Vec::new();
    }
    let [group, left] = removal_writes(app, before, (user, member), others);
    let group = group.is_still("lastMessageId", before.last_message_id).clear_outbox();
    let group = match last {
        Some(newest) => with_newest(group, newest.as_ref()),
        None => group,
    };
    let membership = member.map(|member| Write::delete(member.key()).exists().into());
    let pair = pair_key(before).map(|key| Write::delete(key).into());
    // Without the pair row, the remaining user cannot find the private group by username.
    [group, left].into_iter().chain(membership).chain(pair).collect()
}
