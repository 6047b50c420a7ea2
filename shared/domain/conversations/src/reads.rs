//! Read marks. A read mark is the newest message that a member has seen.

use base::{GroupId, MessageId, UserId};
use platform::{App, Query, Result, Row, Write, outbox_record_write, retry_on_conflict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    events::MessageSeen,
    group::Group,
    member::{Member, find_membership},
    message::{Message, NO_MESSAGE, SORT_KEY_END, message_key},
};

/// Maximum unread count of a group. Further unread messages are not counted.
const COUNTED_MAX: usize = 100;

/// A request to mark a group as read.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[schema(as = ReadMarkRequest)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadRequest {
    /// The newest message that the caller has seen. The default is the newest message that was sent to the group.
    pub last_seen_message_id: Option<MessageId>,
}

/// The caller's read mark. A read mark never moves back.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadMark {
    /// The group that the caller read.
    pub public_id: GroupId,
    /// The newest message that the caller has seen, or `null` if the caller has seen none.
    pub last_seen_message_id: Option<MessageId>,
    /// The number of messages from other members that the caller has not seen.
    pub unread_count: i64,
}

/// Moves the caller's read mark forward. The mark never moves back. If the mark is not the newest message, at most 100
/// messages count as unread.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the group or the message does not exist. Fails with
/// [`platform::Error::Forbidden`] if the caller is not a member.
pub async fn mark_read(app: &App, user: UserId, group: GroupId, request: ReadRequest) -> Result<ReadMark> {
    let (group, member) = retry_on_conflict(async || {
        let (group, member) = find_membership(app, group, user).await?;
        let member = match request.last_seen_message_id.or(group.newest_sent()) {
            Some(wanted) if Some(wanted) > member.last_seen => advance(app, &group, member, wanted).await?,
            _ => member,
        };
        Ok((group, member))
    })
    .await?;
    let unread_count = member.unread_in(&group);
    Ok(ReadMark { public_id: group.id, last_seen_message_id: member.last_seen_message(), unread_count })
}

/// Moves the read mark to a message, and returns the updated member.
async fn advance(app: &App, group: &Group, before: Member, to: MessageId) -> Result<Member> {
    let is_newest = Some(to) == group.newest_sent();
    let unseen = if is_newest { 0 } else { count_after(app, &before, to).await? };
    let seen_count = (before.sent_by_others_in(group) - unseen).max(before.seen_count);
    let after = Member { seen_count, last_seen: Some(to), seen_at: Some(app.now()), ..before.clone() };
    let mark = Write::update(after.key()).set("seenCount", after.seen_count);
    let mark = mark.set("lastSeen", after.last_seen).set("seenAt", after.seen_at);
    let mark = mark.equals("seenCount", before.seen_count);
    let (group_id, user_id) = (after.group, after.user);
    let seen =
        outbox_record_write(app).then_publish(&MessageSeen { group_id, user_id, last_seen_message_id: to });
    // The unread messages were counted above. If a message is sent in the meantime, the count is wrong, so this check
    // fails.
    let same_count = || Write::check(group.key()).equals("messagesCount", group.messages_count).into();
    let same_count = (!is_newest).then(same_count);
    app.table.transact([mark, seen].into_iter().chain(same_count).collect()).await.map(|()| after)
}

/// Returns the number of messages from other members that were sent after `to` and not deleted. Counts at most
/// [`COUNTED_MAX`] messages.
async fn count_after(app: &App, member: &Member, to: MessageId) -> Result<i64> {
    let from = message_key(member.group, to);
    let query = Query::partition(from.pk).between(from.sk, SORT_KEY_END).consistent();
    let rows: Vec<Message> = app.table.query(&query.limit(COUNTED_MAX + 1)).await?;
    match rows.split_first() {
        Some((first, later)) if first.id == to => {
            let is_unread =
                |message: &&Message| message.sender != member.user && message.deleted_at.is_none();
            Ok(later.iter().filter(is_unread).count() as i64)
        }
        _ => Err(NO_MESSAGE),
    }
}
