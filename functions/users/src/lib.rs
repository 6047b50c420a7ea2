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
        .routes(routes!(profile::read))
        .routes(routes!(profile::posts))
        .routes(routes!(follow::toggle))
        .routes(routes!(follow::followers))
        .routes(routes!(follow::following))
        .routes(routes!(friend::send))
        .routes(routes!(friend::accept))
        .routes(routes!(friend::cancel))
        .routes(routes!(friend::received))
        .routes(routes!(friend::sent))
        .routes(routes!(block::block))
        .routes(routes!(block::mute))
}
