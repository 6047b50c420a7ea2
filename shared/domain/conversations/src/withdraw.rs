//! Leaving message groups, when somebody leaves the network: their messages stay as stubs, so that what is unread stays
//! exact, and a group without people is deleted.

use base::ids::{GroupId, MessageId, UserId};
use futures::{StreamExt, TryStreamExt, stream};
use platform::{
    App, Result,
    outbox::outbox_record_write,
    retry_on_conflict,
    table::{Index, Query, Row, Write},
};

use super::{
    depart::{depart_writes, end_writes, others, pair_key, purge_chore},
    group::{self, Group},
    member::{Member, groups_partition, member_key},
    message::{Message, SORT_KEY_END, SORT_KEY_PREFIX, message_key},
    profile,
    values::MessageContent,
};

/// Messages of a page.
const PAGE_ROWS: usize = 500;
/// Reactions that are taken back at the same time.
const TOGETHER: usize = 10;

/// Returns a user's next group, by its position in their list.
pub async fn listed_after(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Option<(String, GroupId)>> {
    let query = Query::index(Index::Gsi1, groups_partition(user)).after(after).limit(1);
    let found: Vec<Member> = app.table.query(&query).await?;
    Ok(found.into_iter().next().map(|it| (it.position.to_string(), it.group)))
}

/// Empties the user's messages among the next 500 of a group, and takes back their reactions to the others. Returns the
/// last of them when there are more.
pub async fn stub_page(
    app: &App,
    user: UserId,
    group: GroupId,
    after: Option<MessageId>,
) -> Result<Option<MessageId>> {
    let low = after.map_or_else(|| SORT_KEY_PREFIX.to_owned(), |it| message_key(group, it).sk);
    let query = Query::partition(group::partition(group)).between(low, SORT_KEY_END).consistent();
    let messages: Vec<Message> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    let last = messages.last().map(|it| it.id).filter(|_| messages.len() == PAGE_ROWS);
    let (own, others): (Vec<_>, Vec<_>) = messages.into_iter().partition(|it| it.sender == user);
    let own = own.into_iter().filter(|it| it.deleted_at.is_none());
    let stubs: Vec<_> = own.map(|it| it.stub(app.now())).collect();
    app.table.batch_write(&stubs, &[]).await?;
    let reactions = others.iter().filter(|it| it.reaction_of(user).is_some());
    let taken_back = stream::iter(reactions).map(|it| take_back(app, user, it));
    taken_back.buffer_unordered(TOGETHER).try_collect::<()>().await?;
    Ok(last)
}

/// Takes a reaction back, unless the message is gone.
async fn take_back(app: &App, user: UserId, message: &Message) -> Result<()> {
    let write = Write::update(message.key()).exists().remove(&Message::reaction_attribute(user));
    app.table.try_write(write).await.map(drop)
}

/// Takes a user out of a group whose messages of theirs are stubs, and the name and the picture that they gave it. A
/// crowd that they owned belongs to its eldest member from then on; a group without people ends. A repetition changes
/// nothing.
pub async fn withdraw(app: &App, user: UserId, group: GroupId) -> Result<()> {
    retry_on_conflict(async || profile::forget(app, user, group).await).await?;
    retry_on_conflict(async || {
        let (key, member_key) = (group::key(group), member_key(group, user));
        let mut rows = app.table.get_together(&[key.clone(), member_key.clone()]).await?;
        let (found, member) = (rows.take::<Group>(&key)?, rows.take::<Member>(&member_key)?);
        let Some(before) = found else {
            // What was emptied a moment ago may have been written behind who deleted it.
            let again = outbox_record_write(app).then(&purge_chore(group));
            return app.table.transact(vec![Write::delete(member_key).into(), again]).await;
        };
        let others = others(app, user, group).await?;
        if others.is_empty() {
            return app.table.transact(end_writes(&before, user, member.as_ref())).await;
        }
        let mine = last_is_of(app, user, &before).await?;
        let writes = withdraw_writes(app, (user, member.as_ref()), &before, &others, mine);
        if writes.is_empty() { Ok(()) } else { app.table.transact(writes).await }
    })
    .await
}

/// Returns the people of a group.
pub async fn people_of(app: &App, group: GroupId) -> Result<Vec<UserId>> {
    let query = Query::partition(group::partition(group)).prefix("MEMBER#").consistent();
    let members: Vec<Member> = app.table.query(&query).await?;
    Ok(members.into_iter().map(|it| it.user).collect())
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

fn withdraw_writes(
    app: &App,
    (user, member): (UserId, Option<&Member>),
    before: &Group,
    others: &[Member],
    last_is_mine: bool,
) -> Vec<Write> {
    let is_there = before.created_by_id == user || before.first_members.contains(&user) || before.names(user);
    if member.is_none() && !last_is_mine && !is_there {
        return Vec::new();
    }
    let [group, left] = depart_writes(app, before, (user, member), others);
    let group = group.is_still("lastMessageId", before.last_message_id).clear_outbox();
    let group = match last_is_mine {
        true => group.set("lastMessagePreview", MessageContent::gone().preview()).remove("lastSenderId"),
        false => group,
    };
    let membership = member.map(|it| Write::delete(it.key()).exists().into());
    let pair = pair_key(before).map(|it| Write::delete(it).into());
    // A private group is nobody's any more: the one who stays cannot write to it by name.
    [group, left].into_iter().chain(membership).chain(pair).collect()
}
