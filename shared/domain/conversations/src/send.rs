//! Sends a message.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use base::{GroupId, MessageId, UserId};
use people::{User, users};
use platform::{App, Error, Once, Result, Time, Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Group, Member, Message, MessageContent, MessageSent, MessageType, MessageView, SentMessage, key,
    member::membership, member_key, message::Recency, replies,
};

/// A request to send a message.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct MessageDraft {
    /// The text. For `IMAGE` and `FILE`, the HTTP or HTTPS URL of the file.
    pub content: MessageContent,
    /// The kind of content. The default is `TEXT`.
    #[serde(default, rename = "type")]
    #[schema(default = "TEXT")]
    pub kind: MessageType,
    /// The ID of the replied-to message, which must be in the same group.
    #[serde(default, rename = "replyToId")]
    pub reply_to: Option<MessageId>,
}

/// Sends a message to a group.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the message is of type IMAGE or FILE, and its content is not a URL. Fails with
/// [`Error::NotFound`] if the group or the replied-to message does not exist. Fails with [`Error::Forbidden`] if the
/// sender is not a member, or if a block or an account deletion closed the group.
pub async fn send(
    app: &App,
    sender: UserId,
    group: GroupId,
    draft: MessageDraft,
    once: &Once,
) -> Result<MessageView> {
    draft.kind.check_content(&draft.content)?;
    let now = app.now();
    let id = app.ids.next(now);
    let is_retry = AtomicBool::new(false);
    let check_may_send = async |message| group_of_sender(app, sender, group).await.map(|_| message);
    once.run_while(app, sender, check_may_send, async || {
        // The first attempt conflicts if a newer message was stored.
        let recency = if is_retry.swap(true, Relaxed) { Recency::Overtaken } else { Recency::Newest };
        send_writes(app, sender, group, (id, now), draft.clone(), recency).await
    })
    .await
}

async fn group_of_sender(app: &App, sender: UserId, group: GroupId) -> Result<(Group, Member, User)> {
    let user_key = users::key(sender);
    let keys = [key(group), member_key(group, sender), user_key.clone()];
    let mut rows = app.table.get_together_eventual(&keys).await?;
    let (group, member) = membership(&mut rows, group, sender)?;
    group.check_open()?;
    Ok((group, member, rows.take(&user_key)?.ok_or(Error::NotFound("user"))?))
}

async fn send_writes(
    app: &App,
    sender: UserId,
    group: GroupId,
    sent: (MessageId, Time),
    MessageDraft { content, kind, reply_to }: MessageDraft,
    recency: Recency,
) -> Result<(Vec<Write>, MessageView)> {
    let (group, member, user) = group_of_sender(app, sender, group).await?;
    let replied = match reply_to {
        Some(id) => Some(replies::replied_message(app, &group, &member, id).await?),
        None => None,
    };
    let message = Message::new((group.id, sender), sent, (content, kind), reply_to);
    // The outbox is on the group's row, because each message writes this row anyway, and no index contains it.
    let group_write = message.group_write(&group, &member, recency).then_publish(&sent_event(&message));
    let writes = vec![group_write, Write::create(&message)];
    let sent = SentMessage { reply_to: replied, ..SentMessage::new(message, Some(user.card())) };
    Ok((writes, sent.seen_by(sender)))
}

fn sent_event(message: &Message) -> MessageSent {
    let &Message { id, group, sender, created_at, .. } = message;
    MessageSent { message_id: id, group_id: group, sender_id: sender, created_at }
}
