//! `/message-group/{publicId}/messages/{messageId}/reaction`: emoji reactions to messages.

use axum::extract::State;
use domain::{
    GroupId, MessageId,
    conversations::{self, MessageView, ReactionRequest},
};
use platform::App;
use runtime::{Caller, Envelope, Input, Path, Reply, Respond};

/// React to a message, or remove the reaction
///
/// Each member has at most one reaction per message. A different `emoji` replaces the reaction, and null removes it. A
/// message can have at most 20 different emoji. Returns 404 if the message was deleted or the caller cannot read it.
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
    Input { body: request, .. }: Input<ReactionRequest>,
) -> Respond<MessageView> {
    Ok(Reply::ok(conversations::react(&app, caller.id, group, message, request).await?))
}
