//! `/posts`: writing, reading, replying, liking, and the feeds; `/hashtags`.

mod engage;
mod feed;
mod hashtags;
mod read;
mod who;
mod write;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(write::create_post))
        .routes(routes!(read::get_post, write::edit_post, write::delete_post))
        .routes(routes!(read::list_replies))
        .routes(routes!(read::list_post_versions))
        .routes(routes!(read::get_post_context))
        .routes(routes!(read::get_judge_status))
        .routes(routes!(write::create_reply))
        .routes(routes!(write::create_repost))
        .routes(routes!(write::create_quote))
        .routes(routes!(engage::like_post))
        .routes(routes!(engage::hide_post))
        .routes(routes!(engage::report_post))
        .routes(routes!(engage::save_post))
        .routes(routes!(engage::mute_thread))
        .routes(routes!(engage::pin_post))
        .routes(routes!(engage::vote_in_poll))
        .routes(routes!(who::list_likers))
        .routes(routes!(who::list_reposters))
        .routes(routes!(who::list_quotes))
        .routes(routes!(feed::list_saved_posts))
        .routes(routes!(feed::get_news_feed))
        .routes(routes!(hashtags::list_posts_of_hashtag))
        .routes(routes!(hashtags::list_trends))
        .routes(routes!(hashtags::follow_hashtag))
}
