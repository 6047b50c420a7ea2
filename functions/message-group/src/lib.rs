//! `/message-group`: groups and their messages; `/chat`: the same groups under the chat API.

mod chat;
mod groups;
mod messages;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(groups::create, groups::list))
        .routes(routes!(groups::read))
        .routes(routes!(messages::send, messages::history))
        .routes(routes!(chat::send))
        .routes(routes!(chat::seen))
        .routes(routes!(chat::conversations))
        .routes(routes!(chat::history))
}
