//! The chat API over the same rows: a conversation is a message group.

use base::ids::{GroupId, MessageId, UserId};
use people::relationships::{self, ViewContext};
use platform::{
    App, Result,
    idempotency::Once,
    page::{Cursor, Page},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    history::history,
    member::{Member, members, memberships},
    message::{Message, NO_MESSAGE, message_key},
    reads::{ReadMark, ReadRequest, mark_read},
    send::{MessageDraft, send},
    values::{MessageContent, MessageType},
    view::MessageView,
};

/// A request to send a message to a conversation.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatDraft {
    /// The conversation: a message group's id.
    pub conversation_id: GroupId,
    /// The text; for `IMAGE` and `FILE` its address.
    pub content: MessageContent,
    /// The kind of content; `TEXT` when it is left out.
    #[serde(default, rename = "type")]
    #[schema(default = "TEXT")]
    pub kind: MessageType,
    /// The message of the same conversation that it answers.
    #[serde(default, rename = "replyToId")]
    pub reply_to: Option<MessageId>,
}

/// How many of the other members have seen a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MessageStatus {
    /// Nobody else has seen it.
    Sent,
    /// Some of the others have.
    Delivered,
    /// All of the others have.
    Seen,
}

/// A message of a conversation.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatMessage {
    /// The message.
    #[serde(flatten)]
    pub message: MessageView,
    /// How many of the other members have seen it.
    pub status: MessageStatus,
    /// The time at which the last of the others had read up to it or further; null until then.
    pub seen_at: Option<Time>,
}

/// Sends a message to a conversation.
///
/// # Errors
/// Those of [`send()`].
pub async fn chat_send(app: &App, sender: UserId, draft: ChatDraft, once: &Once) -> Result<ChatMessage> {
    let ChatDraft { conversation_id, content, kind, reply_to } = draft;
    let message = send(app, sender, conversation_id, MessageDraft { content, kind, reply_to }, once).await?;
    Ok(ChatMessage { message, status: MessageStatus::Sent, seen_at: None })
}

/// Returns a page of a conversation, each message with its status; members whom a block separates from the viewer do
/// not count for it.
///
/// # Errors
/// Those of [`history()`].
pub async fn chat_history(
    app: &App,
    viewer: UserId,
    group: GroupId,
    cursor: Cursor<MessageId>,
) -> Result<Page<ChatMessage>> {
    let members = shown_members(app, viewer, group);
    let (page, members) = futures::try_join!(history(app, viewer, group, cursor), members)?;
    Ok(page.map(|message| ChatMessage::new(message, &members)))
}

async fn shown_members(app: &App, viewer: UserId, group: GroupId) -> Result<Vec<Member>> {
    let mut members = members(app, group).await?;
    let others = members.iter().map(|it| it.user).filter(|it| *it != viewer).collect();
    let hidden = relationships::hidden_from(app, viewer, &others, ViewContext::Thread).await?;
    members.retain(|it| !hidden.contains(&it.user));
    Ok(members)
}

/// Marks a message and all before it as seen by the caller.
///
/// # Errors
/// [`platform::Error::NotFound`] when none of the caller's groups has this message.
pub async fn chat_seen(app: &App, user: UserId, message: MessageId) -> Result<ReadMark> {
    let groups = memberships(app, user).await?;
    let keys: Vec<_> = groups.iter().map(|it| message_key(it.group, message)).collect();
    let found: Vec<Message> = app.table.batch_get_eventual(&keys).await?;
    let found = found.first().ok_or(NO_MESSAGE)?;
    mark_read(app, user, found.group, ReadRequest { last_seen_message_id: Some(message) }).await
}

impl ChatMessage {
    fn new(message: MessageView, members: &[Member]) -> Self {
        let others = || members.iter().filter(|it| it.user != message.sender_id);
        let saw = |it: &&Member| it.last_seen >= Some(message.public_id);
        let status = match others().filter(saw).count() {
            0 => MessageStatus::Sent,
            some if some < others().count() => MessageStatus::Delivered,
            _ => MessageStatus::Seen,
        };
        let seen_at = others().map(|it| it.seen_at).max().flatten();
        Self { seen_at: seen_at.filter(|_| status == MessageStatus::Seen), status, message }
    }
}
