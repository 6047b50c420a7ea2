//! `/user`, `/me` and `/push`: profiles, follows, friends, blocks, mutes, drafts, devices and notification preferences.

mod block;
mod device;
mod drafts;
mod follow;
mod friend;
mod moderation;
mod preferences;
mod profile;
mod words;

use runtime::{Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![
        profile::get_profile,
        profile::list_user_posts,
        follow::toggle_follow,
        follow::list_followers,
        follow::list_following,
        follow::list_followed_hashtags,
        friend::send_friend_request,
        friend::accept_friend_request,
        friend::cancel_friend_request,
        friend::list_received_friend_requests,
        friend::list_sent_friend_requests,
        friend::list_friends,
        friend::end_friendship,
        block::block_user,
        block::mute_user,
        block::list_blocked_users,
        block::list_muted_users,
        drafts::list_drafts,
        drafts::create_draft,
        drafts::get_draft,
        drafts::edit_draft,
        drafts::delete_draft,
        moderation::list_own_moderation,
        moderation::appeal_moderation,
        moderation::list_own_reports,
        device::get_push_key,
        device::list_devices,
        device::register_device,
        device::remove_device,
        preferences::get_notification_preferences,
        preferences::change_notification_preferences,
        words::list_muted_words,
        words::mute_word,
        words::unmute_word,
    ]
}
