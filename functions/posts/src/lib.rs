//! `/posts`: writing, reading, replying, liking, and the feeds.

mod engage;
mod feed;
mod read;
mod write;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(write::create))
        .routes(routes!(read::detail, write::edit, write::delete))
        .routes(routes!(read::replies))
        .routes(routes!(read::history))
        .routes(routes!(read::context))
        .routes(routes!(read::judge_status))
        .routes(routes!(write::reply))
        .routes(routes!(write::repost))
        .routes(routes!(write::quote))
        .routes(routes!(engage::like))
        .routes(routes!(engage::hide))
        .routes(routes!(engage::report))
        .routes(routes!(engage::save))
        .routes(routes!(feed::saved))
        .routes(routes!(feed::news_feed))
}
