//! `/message-group`: groups and their messages; `/chat`: the same groups under the chat API.

mod chat;
mod groups;
mod messages;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(groups::create_message_group, groups::list_message_groups))
        .routes(routes!(groups::mark_message_group_read))
        .routes(routes!(messages::send_message, messages::list_messages))
        .routes(routes!(chat::send_chat_message))
        .routes(routes!(chat::mark_message_seen))
        .routes(routes!(chat::list_conversations))
        .routes(routes!(chat::list_chat_messages))
}
