//! `/auth`: registration, sign-in, sessions and mailed tokens.

mod account;
mod availability;
mod recovery;
mod sessions;
mod tokens;
mod verification;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(tokens::register))
        .routes(routes!(tokens::login))
        .routes(routes!(tokens::refresh))
        .routes(routes!(tokens::logout))
        .routes(routes!(account::me))
        .routes(routes!(account::profile))
        .routes(routes!(verification::resend))
        .routes(routes!(verification::verify))
        .routes(routes!(recovery::forgot))
        .routes(routes!(recovery::validate))
        .routes(routes!(recovery::reset))
        .routes(routes!(availability::email))
        .routes(routes!(availability::username))
        .routes(routes!(sessions::list))
        .routes(routes!(sessions::end))
}
