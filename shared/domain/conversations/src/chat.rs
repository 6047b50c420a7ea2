//! The chat API, which returns the same groups and messages as the group API. Each message also has a status.

use base::{GroupId, MessageId, UserId};
use people::{ViewContext, relationships};
use platform::{App, Cursor, Once, Page, Result, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Member, Message, MessageContent, MessageDraft, MessageType, MessageView, ReadMark, ReadRequest, history,
    mark_read, member::memberships, members, message::NO_MESSAGE, message_key, send,
};

/// A request to send a message to a conversation.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatDraft {
    /// The ID of the conversation, which is a message group.
    pub conversation_id: GroupId,
    /// The text. For `IMAGE` and `FILE`, the HTTP or HTTPS URL of the file.
    pub content: MessageContent,
    /// The kind of content. The default is `TEXT`.
    #[serde(default, rename = "type")]
    #[schema(default = "TEXT")]
    pub kind: MessageType,
    /// The ID of the replied-to message, which must be in the same conversation.
    #[serde(default, rename = "replyToId")]
    pub reply_to: Option<MessageId>,
}

/// Whether none, some or all of the other members have seen a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MessageStatus {
    /// No other member has seen the message.
    Sent,
    /// Some but not all other members have seen the message.
    Delivered,
    /// All other members have seen the message.
    Seen,
}

/// A message of a conversation.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatMessage {
    /// The message.
    #[serde(flatten)]
    pub message: MessageView,
    /// Whether none, some or all of the other members have seen the message.
    pub status: MessageStatus,
    /// The latest time at which another member read the group. `null` until all other members have seen this message.
    pub seen_at: Option<Time>,
}

/// Sends a message to a conversation.
///
/// # Errors
/// Fails like [`send()`].
pub async fn chat_send(app: &App, sender: UserId, draft: ChatDraft, once: &Once) -> Result<ChatMessage> {
    let ChatDraft { conversation_id, content, kind, reply_to } = draft;
    let message = send(app, sender, conversation_id, MessageDraft { content, kind, reply_to }, once).await?;
    Ok(ChatMessage { message, status: MessageStatus::Sent, seen_at: None })
}

/// Returns a page of messages in a conversation, with the status of each message. The status ignores a member if a
/// block exists between the member and the viewer.
///
/// # Errors
/// Fails like [`history()`].
pub async fn chat_history(
    app: &App,
    viewer: UserId,
    group: GroupId,
    cursor: Cursor<MessageId>,
) -> Result<Page<ChatMessage>> {
    let members = visible_members(app, viewer, group);
    let (page, members) = futures::try_join!(history(app, viewer, group, cursor), members)?;
    Ok(page.map(|message| ChatMessage::new(message, &members)))
}

async fn visible_members(app: &App, viewer: UserId, group: GroupId) -> Result<Vec<Member>> {
    let mut members = members(app, group).await?;
    let others = members.iter().map(|member| member.user).filter(|user| *user != viewer).collect();
    let hidden = relationships::hidden_from(app, viewer, &others, ViewContext::Thread).await?;
    members.retain(|member| !hidden.contains(&member.user));
    Ok(members)
}

/// Marks a message and all earlier messages of its group as seen by the caller.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if no group of the caller contains the message.
pub async fn chat_seen(app: &App, user: UserId, message: MessageId) -> Result<ReadMark> {
    let groups = memberships(app, user).await?;
    let keys: Vec<_> = groups.iter().map(|member| message_key(member.group, message)).collect();
    let found: Vec<Message> = app.table.batch_get_eventual(&keys).await?;
    let found = found.first().ok_or(NO_MESSAGE)?;
    mark_read(app, user, found.group, ReadRequest { last_seen_message_id: Some(message) }).await
}

impl ChatMessage {
    fn new(message: MessageView, members: &[Member]) -> Self {
        let sender = UserId::from(message.sent.sender_id);
        let others = || members.iter().filter(|member| member.user != sender);
        let has_seen = |member: &&Member| member.last_seen >= Some(message.sent.public_id);
        let status = match others().filter(has_seen).count() {
            0 => MessageStatus::Sent,
            some if some < others().count() => MessageStatus::Delivered,
            _ => MessageStatus::Seen,
        };
        let seen_at = others().map(|member| member.seen_at).max().flatten();
        Self { seen_at: seen_at.filter(|_| status == MessageStatus::Seen), status, message }
    }
}
