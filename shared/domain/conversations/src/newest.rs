//! Removes deleted messages, and messages of former members, from previews and unread counts.

use base::ids::{MessageId, UserId};
use platform::{
    App, Result,
    table::{Query, Row, Write},
};

use super::{
    group::{self, Group},
    member::Member,
    message::{Message, SORT_KEY_END, SORT_KEY_PREFIX},
};

/// Numbers of messages that the first and the second query read.
const PAGES: [usize; 2] = [20, 200];
/// Maximum number of writes about other members when a member leaves. The transaction has up to four other writes.
const LEFT_WRITES_MAX: usize = 96;

/// Returns the newest message of a group that is not deleted and whose sender is one of `members`. Leaves out the message
/// `except`. Returns `None` if there is none among the newest 219 messages.
pub(super) async fn newest(
    app: &App,
    group: &Group,
    members: &[Member],
    except: Option<MessageId>,
) -> Result<Option<Message>> {
    let is_shown = |message: &Message| {
        message.deleted_at.is_none()
            && Some(message.id) != except
            && members.iter().any(|member| member.user == message.sender)
    };
    let mut before = SORT_KEY_END.to_owned();
    for rows in PAGES {
        let found = newest_before(app, group, &before, rows).await?;
        let last = found.last().filter(|_| found.len() == rows).map(|message| message.key().sk);
        let kept = found.into_iter().find(is_shown);
        match (kept, last) {
            (None, Some(last)) => before = last,
            (kept, _) => return Ok(kept),
        }
    }
    Ok(None)
}

/// Returns up to `rows` messages of a group up to a sort key, newest first.
async fn newest_before(app: &App, group: &Group, before: &str, rows: usize) -> Result<Vec<Message>> {
    let query = Query::partition(group::partition(group.id)).between(SORT_KEY_PREFIX, before);
    app.table.query(&query.newest_first().limit(rows).consistent()).await
}

/// Returns the writes that count a message as seen for each member who has not seen it, at most 97. The writes fail
/// with a conflict if a member marks messages as read in the meantime.
pub(super) fn seen_writes(members: &[Member], message: &Message) -> Vec<Write> {
    counted_writes(members, &[message])
}

/// Returns the writes that count the messages of a member who leaves as seen for each other member. Considers the newest
/// 200 messages and 96 members, because a transaction has at most 100 writes. Fails as [`seen_writes`] does.
pub(super) async fn left_writes(
    app: &App,
    group: &Group,
    others: &[Member],
    left: UserId,
) -> Result<Vec<Write>> {
    if group.last_message_id.is_none() || others.iter().all(|member| member.unread_in(group) == 0) {
        return Ok(Vec::new());
    }
    let messages = newest_before(app, group, SORT_KEY_END, PAGES[1]).await?;
    let of_left = |message: &&Message| message.sender == left && message.deleted_at.is_none();
    let messages: Vec<_> = messages.iter().filter(of_left).collect();
    Ok(counted_writes(&others[..others.len().min(LEFT_WRITES_MAX)], &messages))
}

fn counted_writes(members: &[Member], messages: &[&Message]) -> Vec<Write> {
    let unseen = |member: &Member| {
        let is_unseen = |message: &&&Message| {
            member.user != message.sender
                && member.may_read(message.id)
                && member.last_seen < Some(message.id)
        };
        messages.iter().filter(is_unseen).count()
    };
    let counted = members.iter().map(|member| (member, unseen(member))).filter(|(_, unseen)| *unseen > 0);
    counted.map(|(member, unseen)| seen_write(member, unseen)).collect()
}

fn seen_write(member: &Member, messages: usize) -> Write {
    Write::update(member.key()).add("seenCount", messages as i64).equals("seenCount", member.seen_count)
}
