//! The messages of a group, newest first.

use base::ids::{GroupId, MessageId, UserId};
use people::relationships::{self, ViewContext};
use platform::{
    App, Result,
    page::{Cursor, FillingPage, Page},
    table::Query,
};

use super::{
    group::{Group, key, partition},
    member::{Member, member_key, membership},
    message::{Message, NO_MESSAGE, SORT_KEY_END, SORT_KEY_PREFIX, message_key},
    shown::shown,
    view::MessageView,
};

/// Returns a page of a group's messages, back to when the viewer joined. A crowd's has none whose sender a block
/// separates from the viewer, and is short where many of those follow one another.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such group, or the cursor is not a message of it;
/// [`platform::Error::Forbidden`] when the viewer is not a member.
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
        messages.retain(|it| member.may_read(it.id));
        let (last, read) = (messages.last().map(|it| it.id), messages.len());
        page.add(unhidden(app, viewer, &group, messages).await?, last, read);
        let Some(cursor) = page.to_read() else { break };
        messages = older(app, group.id, &cursor).await?;
    }
    let Page { rows, after } = page.page(|it| it.id.to_string());
    Ok(Page { rows: shown(app, &group, &member, rows).await?, after })
}

async fn readable_group(
    app: &App,
    viewer: UserId,
    group: GroupId,
    after: Option<MessageId>,
) -> Result<(Group, Member)> {
    let cursor = after.map(|it| message_key(group, it));
    let keys: Vec<_> = [key(group), member_key(group, viewer)].into_iter().chain(cursor.clone()).collect();
    let mut found = app.table.get_together_eventual(&keys).await?;
    let (group, member) = membership(&mut found, group, viewer)?;
    let Some(cursor) = cursor else { return Ok((group, member)) };
    let message = found.take::<Message>(&cursor)?.filter(|it| member.may_read(it.id));
    message.map(|_| (group, member)).ok_or(NO_MESSAGE)
}

/// Returns the rows of a page, and one more when there is a next page.
async fn older(app: &App, group: GroupId, cursor: &Cursor<MessageId>) -> Result<Vec<Message>> {
    let high = cursor.after.map_or_else(|| SORT_KEY_END.to_owned(), |it| message_key(group, it).sk);
    let query = Query::partition(partition(group)).between(SORT_KEY_PREFIX, high).newest_first();
    // BETWEEN includes both ends, so it finds the cursor's own row too.
    let mut rows: Vec<Message> = app.table.query(&query.limit(cursor.take.rows() + 2)).await?;
    rows.retain(|it| Some(it.id) != cursor.after);
    rows.truncate(cursor.take.rows() + 1);
    Ok(rows)
}

/// Returns those messages of a crowd whose sender no block separates from the viewer; all of a private group.
async fn unhidden(
    app: &App,
    viewer: UserId,
    group: &Group,
    mut messages: Vec<Message>,
) -> Result<Vec<Message>> {
    let senders = group.of_crowd(messages.iter().map(|it| it.sender).filter(|it| *it != viewer));
    let hidden = relationships::hidden_from(app, viewer, &senders, ViewContext::Thread).await?;
    messages.retain(|it| !(senders.contains(&it.sender) && hidden.contains(&it.sender)));
    Ok(messages)
}
