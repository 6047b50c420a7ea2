//! `/auth`: registration, sign-in, sessions and mailed tokens.

mod account;
mod availability;
mod leaving;
mod recovery;
mod sessions;
mod tokens;
mod verification;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(tokens::register_account))
        .routes(routes!(tokens::sign_in))
        .routes(routes!(tokens::refresh_tokens))
        .routes(routes!(tokens::sign_out))
        .routes(routes!(account::get_me))
        .routes(routes!(account::update_profile))
        .routes(routes!(leaving::delete_account))
        .routes(routes!(leaving::request_export, leaving::get_export))
        .routes(routes!(verification::resend_verification_email))
        .routes(routes!(verification::verify_email))
        .routes(routes!(recovery::request_password_reset))
        .routes(routes!(recovery::validate_reset_token))
        .routes(routes!(recovery::reset_password))
        .routes(routes!(availability::check_email))
        .routes(routes!(availability::check_username))
        .routes(routes!(sessions::list_sessions))
        .routes(routes!(sessions::end_session))
}
