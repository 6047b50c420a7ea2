//! Sending a message.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Message, MessageContent, MessageType, MessageView, key, member_key, membership};
use crate::{
    conversations::MessageSent,
    ids::{GroupId, UserId},
    people::users::{self, User},
};

/// A message to be sent.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct MessageDraft {
    /// The text.
    pub content: MessageContent,
    /// What it is: `TEXT` unless said.
    #[serde(default, rename = "type")]
    #[schema(default = "TEXT")]
    pub kind: MessageType,
}

/// Sends a message to a group. 3 calls and an event with the session's; 1.5 RRU, 5 WRU for 1 KB.
///
/// # Errors
/// [`Error::NotFound`] for no such group, [`Error::Forbidden`] for who is not in it, or where a block
/// stands between the two people of a private group; internal when
/// the event could not be published: then repeating the request with its key publishes it.
pub async fn send(
    app: &App,
    sender: UserId,
    group: GroupId,
    draft: MessageDraft,
    once: &Once,
) -> Result<MessageView> {
    let sent = once.run(app, sender, sending(app, sender, group, draft)).await?;
    app.events.publish(&told(&sent)).await?;
    Ok(sent)
}

async fn sending(
    app: &App,
    sender: UserId,
    group: GroupId,
    draft: MessageDraft,
) -> Result<(Vec<Write>, MessageView)> {
    let user_key = users::key(sender);
    let mut found =
        app.table.get_together_eventual(&[key(group), member_key(group, sender), user_key.clone()]).await?;
    let (group, member) = membership(&mut found, group, sender)?;
    group.must_be_open()?;
    let user: User = found.take(&user_key)?.ok_or(Error::NotFound("user"))?;
    let now = app.now();
    let MessageDraft { content, kind } = draft;
    let message = Message { id: app.ids.next(now), group: group.id, sender, content, kind, created_at: now };
    let writes = vec![group.with_message(&message, &member), Write::create(&message)];
    Ok((writes, MessageView::new(message, sender, Some(user.card()))))
}

fn told(message: &MessageView) -> MessageSent {
    MessageSent {
        message_id: message.public_id,
        group_id: message.message_group_id,
        sender_id: message.sender_id,
        created_at: message.created_at,
    }
}
