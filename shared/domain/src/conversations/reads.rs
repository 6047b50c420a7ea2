//! How far a member has read.

use platform::{
    App,
    error::{Error, Result},
    table::{Query, Row, Write},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Group, Member, Message, NO_MESSAGE, key, member_key, membership, message_key, rows::pk};
use crate::{
    conversations::MessageSeen,
    ids::{GroupId, MessageId, UserId},
};

const TRIES: usize = 8;
/// Of what lies behind a mark that is not at the end, at most so many messages are counted as unread.
const COUNTED_MAX: usize = 100;
const MOVED: Error = Error::Conflict("the group was written to meanwhile");

/// How far to mark as read.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadRequest {
    /// The newest message that was seen; everything, unless it is said.
    pub last_seen_message_id: Option<MessageId>,
}

/// How far the caller has read. It only ever moves on.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadMark {
    /// The group.
    pub public_id: GroupId,
    /// The newest message they have seen; null in a group without messages.
    pub last_seen_message_id: Option<MessageId>,
    /// Messages of others that they have not.
    pub unread_count: i64,
}

/// Moves the caller's read mark; it never moves back. 3 calls and an event with the session's: 2
/// RRU, 4 WRU. Short of the end 1 call, 1 RRU and 0.5 for each 4 KB behind it, and 2 WRU more; then
/// at most 100 messages count as unread.
///
/// # Errors
/// [`Error::NotFound`] for no such group or message, [`Error::Forbidden`] for who is not in it.
pub async fn mark_read(app: &App, user: UserId, group: GroupId, wish: ReadRequest) -> Result<ReadMark> {
    for _ in 0..TRIES {
        let (group, member) = as_it_is(app, group, user).await?;
        let wanted = wish.last_seen_message_id.or(group.last_message_id);
        let marked = match wanted {
            Some(wanted) if Some(wanted) > member.last_seen => {
                match advance(app, &group, member, wanted).await {
                    Err(Error::Conflict(_)) => continue,
                    marked => marked?,
                }
            }
            _ => member,
        };
        tell(app, &marked).await?;
        let unread_count = group.unread_by(&marked);
        return Ok(ReadMark { public_id: group.id, last_seen_message_id: marked.last_seen, unread_count });
    }
    Err(Error::internal(anyhow::anyhow!("a group was written to whenever it was marked as read")))
}

async fn as_it_is(app: &App, group: GroupId, user: UserId) -> Result<(Group, Member)> {
    let mut found = app.table.get_together(&[key(group), member_key(group, user)]).await?;
    membership(&mut found, group, user)
}

/// The member with the mark moved on to a message.
async fn advance(app: &App, group: &Group, before: Member, to: MessageId) -> Result<Member> {
    let is_end = group.last_message_id == Some(to);
    let unseen = if is_end { 0 } else { count_after(app, &before, to).await? };
    let seen_count = (group.sent_by_others(&before) - unseen).max(before.seen_count);
    let after = Member { seen_count, last_seen: Some(to), seen_at: Some(app.now()), ..before.clone() };
    let mark = Write::update(after.key()).set("seenCount", after.seen_count);
    let mark = mark.set("lastSeen", after.last_seen).set("seenAt", after.seen_at);
    let mark = mark.equals("seenCount", before.seen_count).or(MOVED);
    // What was counted behind the mark must be all there is.
    let still = || Write::check(group.key()).equals("messagesCount", group.messages_count).or(MOVED);
    let writes = if is_end { vec![mark] } else { vec![mark, still()] };
    app.table.transact(writes).await.map(|()| after)
}

/// How many messages of others come after this one.
async fn count_after(app: &App, member: &Member, to: MessageId) -> Result<i64> {
    let from = message_key(member.group, to);
    let query = Query::partition(pk(member.group)).between(from.sk, "MSG#~").consistent();
    let rows: Vec<Message> = app.table.query(&query.limit(COUNTED_MAX + 1)).await?;
    match rows.split_first() {
        Some((first, later)) if first.id == to => {
            Ok(later.iter().filter(|it| it.sender != member.user).count() as i64)
        }
        _ => Err(NO_MESSAGE),
    }
}

/// Also when nothing moved: the telling may have failed the first time.
async fn tell(app: &App, member: &Member) -> Result<()> {
    let Some(last_seen_message_id) = member.last_seen else { return Ok(()) };
    let (group_id, user_id) = (member.group, member.user);
    app.events.publish(&MessageSeen { group_id, user_id, last_seen_message_id }).await
}
