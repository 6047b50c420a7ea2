//! `/message-group/{publicId}/messages`: the messages of a group.

use axum::extract::State;
use domain::{
    GroupId, MessageId,
    conversations::{self, MessageDraft, MessageEdit, MessageView},
};
use platform::{App, Cursor};
use runtime::{Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// Send a message
///
/// Members only. The content is trimmed. To reply to an earlier message in the group, set `replyToId` to its ID.
/// Returns 404 if the caller cannot read the earlier message. The content of a message of type `IMAGE` or `FILE` must
/// be the URL of the file. Other content returns 400. Returns 403 in a private group if a block exists between its
/// members, or if the other user deleted their account. Earlier messages stay readable.
#[utoipa::path(post, path = "/message-group/{publicId}/messages", tag = "message-group",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = MessageDraft, example = json!({"content": "See you at eight"})),
    responses((status = 201, body = Envelope<MessageView>)))]
pub(crate) async fn send_message(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    draft: Input<MessageDraft>,
) -> Respond<MessageView> {
    Ok(Reply::created(conversations::send(&app, caller.id, group, draft.body, &draft.once).await?))
}

/// List a group's messages
///
/// Members only. Returns messages sent since the caller joined, newest first. A deleted message stays listed without
/// its content. In a group of 3 or more, omits a message if a block exists between its sender and the caller. Returns
/// 404 if the cursor is not a message of the group.
#[utoipa::path(get, path = "/message-group/{publicId}/messages", tag = "message-group",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), params(("publicId" = GroupId, Path,), Cursor<MessageId>),
    responses((status = 200, body = ListEnvelope<MessageView>)))]
pub(crate) async fn list_messages(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Query(cursor): Query<Cursor<MessageId>>,
) -> RespondList<MessageView> {
    Ok(List(conversations::history(&app, caller.id, group, cursor).await?))
}

/// Edit a message
///
/// Only the sender can edit a message, and only within 15 minutes. Only text messages can be edited. Returns 403 in a
/// private group if a block exists between its members.
#[utoipa::path(patch, path = "/message-group/{publicId}/messages/{messageId}", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    params(("publicId" = GroupId, Path,), ("messageId" = MessageId, Path,)),
    request_body(content = MessageEdit, example = json!({"content": "See you at nine"})),
    responses((status = 200, body = Envelope<MessageView>)))]
pub(crate) async fn edit_message(
    State(app): State<App>,
    caller: Caller,
    Path((group, message)): Path<(GroupId, MessageId)>,
    Input { body: request, .. }: Input<MessageEdit>,
) -> Respond<MessageView> {
    Ok(Reply::ok(conversations::edit(&app, caller.id, group, message, request).await?))
}

/// Delete a message
///
/// Only the sender can delete a message. A deleted message keeps its sender and time, and has `isDeleted`. The message
/// no longer counts as unread. Returns 404 if the message is already deleted.
#[utoipa::path(delete, path = "/message-group/{publicId}/messages/{messageId}", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    params(("publicId" = GroupId, Path,), ("messageId" = MessageId, Path,)),
    responses((status = 200, body = Envelope<MessageView>)))]
pub(crate) async fn delete_message(
    State(app): State<App>,
    caller: Caller,
    Path((group, message)): Path<(GroupId, MessageId)>,
    Input { once, .. }: Input<Empty>,
) -> Respond<MessageView> {
    Ok(Reply::ok(conversations::delete(&app, caller.id, group, message, &once).await?))
}
