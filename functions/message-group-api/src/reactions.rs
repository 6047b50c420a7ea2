//! `/message-group/{publicId}/messages/{messageId}/reaction`: what members say to a message with an emoji.

use axum::extract::State;
use domain::{
    conversations::{self, MessageView, ReactionRequest},
    ids::{GroupId, MessageId},
};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Body, Envelope, Path, Reply, Respond},
};

/// React to a message, or take that back
///
/// One emoji for each member and message; another takes its place, and null takes it back. A message has at most 20
/// different ones. 404 for a message that the caller may not read, or that was deleted.
#[utoipa::path(put, path = "/message-group/{publicId}/messages/{messageId}/reaction", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    params(("publicId" = GroupId, Path,), ("messageId" = MessageId, Path,)),
    request_body(content = ReactionRequest, example = json!({"emoji": "👍"})),
    responses((status = 200, body = Envelope<MessageView>)))]
pub(crate) async fn react_to_message(
    State(app): State<App>,
    caller: Caller,
    Path((group, message)): Path<(GroupId, MessageId)>,
    Body(request): Body<ReactionRequest>,
) -> Respond<MessageView> {
    Ok(Reply::ok(conversations::react(&app, caller.id, group, message, request).await?))
}
