//! `/posts`: posts, replies, likes and feeds. `/hashtags`: posts with a hashtag, followed hashtags and trends.

mod engage;
mod feed;
mod hashtags;
mod read;
mod who;
mod write;

use runtime::{Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![
        write::create_post,
        read::get_post,
        write::edit_post,
        write::delete_post,
        read::list_replies,
        read::list_post_versions,
        read::get_post_context,
        read::get_judge_status,
        write::create_reply,
        write::create_repost,
        write::create_quote,
        engage::like_post,
        engage::hide_post,
        engage::report_post,
        engage::save_post,
        engage::mute_thread,
        engage::pin_post,
        engage::vote_in_poll,
        who::list_likers,
        who::list_reposters,
        who::list_quotes,
        feed::list_saved_posts,
        feed::get_news_feed,
        hashtags::list_posts_of_hashtag,
        hashtags::list_trends,
        hashtags::follow_hashtag,
    ]
}
