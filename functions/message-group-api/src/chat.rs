//! `/chat`: message groups as conversations.

use axum::extract::State;
use domain::{
    GroupId, MessageId, Position,
    conversations::{self, ChatDraft, ChatMessage, Conversation, ReadMark},
};
use platform::{App, Cursor};
use runtime::{Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// Send a message to a conversation
///
/// Works like `POST /message-group/{publicId}/messages`. `conversationId` is the ID of a message group.
#[utoipa::path(post, path = "/chat/message", tag = "chat",
    extensions(("x-status" = json!("proposed"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    request_body(content = ChatDraft,
        example = json!({"conversationId": "01KGB5T9G0A1B2C3D4E5F6G7H8", "content": "See you at eight"})),
    responses(
        (status = 201, body = Envelope<ChatMessage>),
        (status = 404, description = "`NOT_FOUND`: the conversation does not exist")))]
pub(crate) async fn send_chat_message(
    State(app): State<App>,
    caller: Caller,
    draft: Input<ChatDraft>,
) -> Respond<ChatMessage> {
    Ok(Reply::created(conversations::chat_send(&app, caller.id, draft.body, &draft.once).await?))
}

/// Mark a message as seen
///
/// Also marks all earlier messages of the conversation as seen. Returns 404 if the message is not in one of the
/// caller's conversations.
#[utoipa::path(patch, path = "/chat/{messageId}/seen", tag = "chat",
    extensions(("x-status" = json!("proposed"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("messageId" = MessageId, Path,)),
    responses((status = 200, body = Envelope<ReadMark>)))]
pub(crate) async fn mark_message_seen(
    State(app): State<App>,
    caller: Caller,
    Path(message): Path<MessageId>,
    _: Input<Empty>,
) -> Respond<ReadMark> {
    Ok(Reply::ok(conversations::chat_seen(&app, caller.id, message).await?))
}

/// List the caller's conversations
///
/// Works like `GET /message-group`.
#[utoipa::path(get, path = "/chat/conversations", tag = "chat",
    extensions(("x-status" = json!("proposed"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<Position>),
    responses((status = 200, body = ListEnvelope<Conversation>)))]
pub(crate) async fn list_conversations(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<Conversation> {
    Ok(List(conversations::list(&app, caller.id, cursor).await?))
}

/// List a conversation's messages
///
/// Members only. Returns messages, newest first. The status of a message is `SEEN` if all other members have read it,
/// and `DELIVERED` if some have. Otherwise it is `SENT`.
#[utoipa::path(get, path = "/chat/{conversationId}/messages", tag = "chat",
    extensions(("x-status" = json!("proposed"))),
    security(("bearer" = []), ("token" = ["read"])), params(("conversationId" = GroupId, Path,), Cursor<MessageId>),
    responses((status = 200, body = ListEnvelope<ChatMessage>)))]
pub(crate) async fn list_chat_messages(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Query(cursor): Query<Cursor<MessageId>>,
) -> RespondList<ChatMessage> {
    Ok(List(conversations::chat_history(&app, caller.id, group, cursor).await?))
}
