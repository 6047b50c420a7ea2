//! Takes deleted messages out of previews and unread counts.

use base::ids::GroupId;
use platform::{
    App, Result,
    table::{Query, Row, Write},
};

use super::{
    group::{self, Group},
    member::{Member, members},
    message::{LAST_MESSAGE, Message, SORT_KEY_PREFIX},
};

/// Number of messages among which the newest message that is not deleted is looked for.
const LOOKED_AT: usize = 20;
/// Maximum number of members whose unread counts a deletion changes, so that the writes fit into a transaction.
const MEMBERS_MAX: usize = 96;

/// Returns the newest message of a group that is not deleted, except for messages that `is_going` accepts. Returns
/// `None` if there is none among the newest 20 messages.
pub(super) async fn newest(
    app: &App,
    group: &Group,
    is_going: impl Fn(&Message) -> bool,
) -> Result<Option<Message>> {
    let query = Query::partition(group::partition(group.id)).prefix(SORT_KEY_PREFIX).newest_first();
    let found: Vec<Message> = app.table.query(&query.limit(LOOKED_AT).consistent()).await?;
    Ok(found.into_iter().find(|message| message.deleted_at.is_none() && !is_going(message)))
}

/// Makes `newest` the newest message of the group that `write` changes.
pub(super) fn with_newest(write: Write, newest: Option<&Message>) -> Write {
    match newest {
        Some(message) => write
            .set(LAST_MESSAGE, message.id)
            .set("lastMessageAt", message.created_at)
            .set("lastMessagePreview", message.content.preview())
            .set("lastSenderId", message.sender),
        None => write
            .remove(LAST_MESSAGE)
            .remove("lastMessageAt")
            .remove("lastMessagePreview")
            .remove("lastSenderId"),
    }
}

/// Returns the writes that count a message as seen for each member who has not seen it, at most 96 members. They fail
/// with a conflict if a member marks messages as read in the meantime.
pub(super) async fn seen_writes(app: &App, group: GroupId, message: &Message) -> Result<Vec<Write>> {
    let members = members(app, group).await?;
    let unseen = members.into_iter().filter(|member| {
        member.user != message.sender && member.may_read(message.id) && member.last_seen < Some(message.id)
    });
    Ok(unseen.take(MEMBERS_MAX).map(|member| seen_write(&member)).collect())
}

fn seen_write(member: &Member) -> Write {
    Write::update(member.key()).add("seenCount", 1).equals("seenCount", member.seen_count)
}
