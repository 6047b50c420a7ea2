//! `/user`, `/me` and `/push`: profiles, follows, friends, blocks, mutes, muted words, drafts, devices, and what one is notified of.

mod block;
mod device;
mod drafts;
mod follow;
mod friend;
mod moderation;
mod preferences;
mod profile;
mod words;

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
        .routes(routes!(follow::list_followed_hashtags))
        .routes(routes!(friend::send_friend_request))
        .routes(routes!(friend::accept_friend_request))
        .routes(routes!(friend::cancel_friend_request))
        .routes(routes!(friend::list_received_friend_requests))
        .routes(routes!(friend::list_sent_friend_requests))
        .routes(routes!(friend::list_friends))
        .routes(routes!(friend::end_friendship))
        .routes(routes!(block::block_user))
        .routes(routes!(block::mute_user))
        .routes(routes!(block::list_blocked_users))
        .routes(routes!(block::list_muted_users))
        .routes(routes!(drafts::list_drafts, drafts::create_draft))
        .routes(routes!(drafts::get_draft, drafts::edit_draft, drafts::delete_draft))
        .routes(routes!(moderation::list_own_moderation))
        .routes(routes!(moderation::appeal_moderation))
        .routes(routes!(moderation::list_own_reports))
        .routes(routes!(device::get_push_key))
        .routes(routes!(device::list_devices, device::register_device))
        .routes(routes!(device::remove_device))
        .routes(routes!(
            preferences::get_notification_preferences,
            preferences::change_notification_preferences
        ))
        .routes(routes!(words::list_muted_words, words::mute_word, words::unmute_word))
}
