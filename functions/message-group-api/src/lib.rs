//! `/message-group`: message groups, with their members and messages. `/chat`: the same groups in the chat API.

mod chat;
mod groups;
mod members;
mod messages;
mod reactions;

use runtime::{Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![
        groups::create_message_group,
        groups::list_message_groups,
        groups::get_message_group,
        groups::change_message_group,
        groups::mark_message_group_read,
        groups::mute_message_group,
        members::leave_message_group,
        members::add_message_group_member,
        members::list_message_group_members,
        members::remove_message_group_member,
        messages::send_message,
        messages::list_messages,
        messages::edit_message,
        messages::delete_message,
        reactions::react_to_message,
        chat::send_chat_message,
        chat::mark_message_seen,
        chat::list_conversations,
        chat::list_chat_messages,
    ]
}
