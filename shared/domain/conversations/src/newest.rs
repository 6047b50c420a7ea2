//! Removes deleted messages from previews and unread counts.

use base::GroupId;
use platform::{App, Query, Result, Row, Write};

use super::{
    group::{self, Group},
    member::{Member, members},
    message::{Message, SORT_KEY_END, SORT_KEY_PREFIX},
};

/// Numbers of messages that the first and the second query read.
const PAGES: [usize; 2] = [20, 200];

/// Returns the newest message of a group that is neither deleted nor excluded by `is_excluded`. Returns `None` if there
/// is none among the newest 219 messages.
pub(super) async fn newest(
    app: &App,
    group: &Group,
    is_excluded: impl Fn(&Message) -> bool,
) -> Result<Option<Message>> {
    let mut before = SORT_KEY_END.to_owned();
    for rows in PAGES {
        let query = Query::partition(group::partition(group.id)).between(SORT_KEY_PREFIX, &before);
        let found: Vec<Message> = app.table.query(&query.newest_first().limit(rows).consistent()).await?;
        let last = found.last().filter(|_| found.len() == rows).map(|message| message.key().sk);
        let kept = found.into_iter().find(|message| message.deleted_at.is_none() && !is_excluded(message));
        match (kept, last) {
            (None, Some(last)) => before = last,
            (kept, _) => return Ok(kept),
        }
    }
    Ok(None)
}

/// Returns the writes that count a message as seen for each member who has not seen it, at most 97. The writes fail
/// with a conflict if a member marks messages as read in the meantime.
pub(super) async fn seen_writes(app: &App, group: GroupId, message: &Message) -> Result<Vec<Write>> {
    let members = members(app, group).await?;
    let unseen = members.into_iter().filter(|member| {
        member.user != message.sender && member.may_read(message.id) && member.last_seen < Some(message.id)
    });
    Ok(unseen.map(|member| seen_write(&member)).collect())
}

fn seen_write(member: &Member) -> Write {
    Write::update(member.key()).add("seenCount", 1).equals("seenCount", member.seen_count)
}
