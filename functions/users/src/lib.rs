//! `/user` and `/me`: profiles, follows, friend requests, blocks and mutes.

mod block;
mod follow;
mod friend;
mod profile;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(profile::get_profile))
        .routes(routes!(profile::list_user_posts))
        .routes(routes!(follow::toggle_follow))
        .routes(routes!(follow::list_followers))
        .routes(routes!(follow::list_following))
        .routes(routes!(friend::send_friend_request))
        .routes(routes!(friend::accept_friend_request))
        .routes(routes!(friend::cancel_friend_request))
        .routes(routes!(friend::list_received_friend_requests))
        .routes(routes!(friend::list_sent_friend_requests))
        .routes(routes!(block::block_user))
        .routes(routes!(block::mute_user))
}
