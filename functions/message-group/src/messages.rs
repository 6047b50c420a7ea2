//! `/message-group/{publicId}/messages`: the messages of a group.

use axum::extract::State;
use domain::{
    conversations::{self, MessageDraft, MessageView},
    ids::{GroupId, MessageId},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Create, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Send a message
///
/// Members only. The content is trimmed.
#[utoipa::path(post, path = "/message-group/{publicId}/messages", tag = "message-group",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = MessageDraft, example = json!({"content": "See you at eight"})),
    responses((status = 201, body = Envelope<MessageView>)))]
pub(crate) async fn send_message(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    draft: Create<MessageDraft>,
) -> Respond<MessageView> {
    Ok(Reply::created(conversations::send(&app, caller.id, group, draft.body, &draft.once).await?))
}

/// List a group's messages
///
/// Members only, newest first. A crowd's messages are left out where a block separates their sender from the caller. A
/// cursor that is not a message of the group answers 404.
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
