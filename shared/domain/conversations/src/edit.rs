//! Edits and deletes the caller's own messages.

use base::{GroupId, MessageId, UserId};
use platform::{App, Error, Once, Result, Row, Time, Write, outbox_record_write, retry_on_conflict};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Group, Member, Message, MessageContent, MessageDeleted, MessageEdited, MessageType, MessageView,
    message::{LAST_MESSAGE, NO_MESSAGE, with_newest},
    message_views::message_view,
    newest::{newest, seen_writes},
    readable,
};

const EDITABLE_SECONDS: i64 = 15 * 60;
const NOT_YOURS: Error =
    Error::Forbidden(std::borrow::Cow::Borrowed("only the sender can change this message"));

/// A request to change a message.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct MessageEdit {
    /// The new text.
    pub content: MessageContent,
}

/// Changes the text of the user's own message, at most 15 minutes after it was sent. Has no effect if the text is the
/// same.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the group or the message does not exist, or if the message was deleted. Fails with
/// [`Error::Forbidden`] if the user is not a member or not the sender, or if the group is closed. Fails with the same
/// error if the message is not of type TEXT or is older than 15 minutes.
pub async fn edit(
    app: &App,
    user: UserId,
    group: GroupId,
    message: MessageId,
    request: MessageEdit,
) -> Result<MessageView> {
    let (group, member, message) = retry_on_conflict(async || {
        let (group, member, before) = readable::find(app, user, group, message).await?;
        check_editable(&group, user, &before, app.now())?;
        if before.content == request.content {
            return Ok((group, member, before));
        }
        let after = Message { content: request.content.clone(), edited_at: Some(app.now()), ..before };
        app.table.transact(edit_writes(app, &group, &member, &after)).await?;
        Ok((group, member, after))
    })
    .await?;
    message_view(app, &group, &member, message).await
}

/// Deletes the user's own message. The sender and time of the message are kept. The message no longer counts as unread,
/// and the group's preview shows an earlier message.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the group or the message does not exist, or if the message was deleted. Fails with
/// [`Error::Forbidden`] if the user is not a member or not the sender.
pub async fn delete(
    app: &App,
    user: UserId,
    group: GroupId,
    message: MessageId,
    once: &Once,
) -> Result<MessageView> {
    once.run(app, user, async || {
        let (group, member, before) = readable::find(app, user, group, message).await?;
        if before.sender != user {
            return Err(NOT_YOURS);
        }
        if before.deleted_at.is_some() {
            return Err(NO_MESSAGE);
        }
        let after = before.clone().stub(app.now());
        let mut writes = delete_writes(app, &group, &member, (&before, &after)).await?;
        writes.extend(seen_writes(app, group.id, &before).await?);
        Ok((writes, message_view(app, &group, &member, after).await?))
    })
    .await
}

fn check_editable(group: &Group, user: UserId, message: &Message, now: Time) -> Result<()> {
    group.check_open()?;
    if message.deleted_at.is_some() {
        return Err(NO_MESSAGE);
    }
    if message.sender != user {
        return Err(NOT_YOURS);
    }
    if message.kind != MessageType::Text {
        return Err(Error::Forbidden("only text messages can be edited".into()));
    }
    match now > message.created_at.plus_seconds(EDITABLE_SECONDS) {
        true => Err(Error::Forbidden("a message can be edited only within 15 minutes".into())),
        false => Ok(()),
    }
}

fn edit_writes(app: &App, group: &Group, member: &Member, after: &Message) -> Vec<Write> {
    let message = Write::update(after.key()).exists().lacks("deletedAt");
    let message = message.set("content", &after.content).set("editedAt", after.edited_at);
    let preview = newest_write(group, member, after).map(|write| {
        let write = write.set("lastMessagePreview", after.content.preview());
        group.if_open_write(write).or(Error::WriteConflict)
    });
    let &Message { id: message_id, group: group_id, sender: sender_id, .. } = after;
    // An outbox in the message's own row would make each read of the message more expensive.
    let event = outbox_record_write(app).then_publish(&MessageEdited { message_id, group_id, sender_id });
    vec![message, preview.unwrap_or_else(|| member.check_in_write(group)), event]
}

async fn delete_writes(
    app: &App,
    group: &Group,
    member: &Member,
    (before, after): (&Message, &Message),
) -> Result<Vec<Write>> {
    let message =
        Write::put(after).exists().lacks("deletedAt").is_still("reactionsSeq", before.reactions_seq);
    let &Message { id: message_id, group: group_id, sender: sender_id, .. } = after;
    let event = MessageDeleted { message_id, group_id, sender_id };
    let group = match newest_write(group, member, after) {
        Some(write) => {
            let newest = newest(app, group, |message| message.id == after.id).await?;
            with_newest(write, newest.as_ref()).set("newestDeleted", group.newest_sent()).then_publish(&event)
        }
        None => outbox_record_write(app).then_publish(&event),
    };
    // A transaction has at most 100 writes: these two, the stored response and one for each of 97 other members.
    Ok(vec![message, group])
}

/// Returns a write of the group's row, to which the caller adds the changes. The write fails with a conflict if a newer
/// message was sent or if the member left. Returns `None` if `group` already has a newer message.
fn newest_write(group: &Group, member: &Member, message: &Message) -> Option<Write> {
    let write = Write::update(group.key()).equals(LAST_MESSAGE, message.id).lacks(&member.left_attribute());
    (group.last_message_id == Some(message.id)).then_some(write)
}
