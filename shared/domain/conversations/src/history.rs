//! Lists the messages of a group in pages, newest first.

use base::{GroupId, MessageId, UserId};
use platform::{App, Cursor, FillingPage, Page, Query, Result};

use super::{
    group::{Group, key, partition},
    hidden::hidden_in,
    member::{Member, member_key, membership},
    message::{Message, NO_MESSAGE, SORT_KEY_PREFIX, message_key},
    message_views::message_views,
    view::MessageView,
};

/// Returns a page of the messages that were sent to a group after the viewer joined. In a crowd, leaves out a message
/// if a block exists between its sender and the viewer.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the group does not exist or the cursor is not a message in it. Fails
/// with [`platform::Error::Forbidden`] if the viewer is not a member.
pub async fn history(
    app: &App,
    viewer: UserId,
    group: GroupId,
    cursor: Cursor<MessageId>,
) -> Result<Page<MessageView>> {
    let readable = readable_group(app, viewer, group, cursor.after);
    let ((group, member), mut messages) = futures::try_join!(readable, older(app, group, &cursor))?;
    let mut page = FillingPage::new(cursor);
    loop {
        messages.retain(|message| member.may_read(message.id));
        let (last, read) = (messages.last().map(|message| message.id), messages.len());
        let senders = messages.iter().map(|message| message.sender).collect();
        let hidden = hidden_in(app, &group, viewer, senders).await?;
        page.add(messages.into_iter().filter(|message| !hidden.contains(&message.sender)), last, read);
        let Some(cursor) = page.to_read() else { break };
        messages = older(app, group.id, &cursor).await?;
    }
    let Page { rows, after } = page.page(|message| message.id.to_string());
    Ok(Page { rows: message_views(app, &group, &member, rows).await?, after })
}

async fn readable_group(
    app: &App,
    viewer: UserId,
    group: GroupId,
    after: Option<MessageId>,
) -> Result<(Group, Member)> {
    let cursor = after.map(|id| message_key(group, id));
    let keys: Vec<_> = [key(group), member_key(group, viewer)].into_iter().chain(cursor.clone()).collect();
    let mut found = app.table.get_together_eventual(&keys).await?;
    let (group, member) = membership(&mut found, group, viewer)?;
    let Some(cursor) = cursor else { return Ok((group, member)) };
    let message = found.take::<Message>(&cursor)?.filter(|message| member.may_read(message.id));
    message.map(|_| (group, member)).ok_or(NO_MESSAGE)
}

/// Returns the rows of a page, plus one more row if there is a next page.
async fn older(app: &App, group: GroupId, cursor: &Cursor<MessageId>) -> Result<Vec<Message>> {
    let query = Query::partition(partition(group)).prefix_before(SORT_KEY_PREFIX, cursor.after);
    app.table.query(&query.newest_first().limit(cursor.take.rows() + 1)).await
}
