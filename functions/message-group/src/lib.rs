//! `/message-group`: groups, their members and their messages; `/chat`: the same groups under the chat API.

mod chat;
mod groups;
mod members;
mod messages;
mod reactions;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(groups::create_message_group, groups::list_message_groups))
        .routes(routes!(groups::change_message_group))
        .routes(routes!(groups::mark_message_group_read))
        .routes(routes!(groups::mute_message_group))
        .routes(routes!(members::leave_message_group))
        .routes(routes!(members::add_message_group_member, members::list_message_group_members))
        .routes(routes!(members::remove_message_group_member))
        .routes(routes!(messages::send_message, messages::list_messages))
        .routes(routes!(messages::edit_message, messages::delete_message))
        .routes(routes!(reactions::react_to_message))
        .routes(routes!(chat::send_chat_message))
        .routes(routes!(chat::mark_message_seen))
        .routes(routes!(chat::list_conversations))
        .routes(routes!(chat::list_chat_messages))
}
