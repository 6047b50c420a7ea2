//! `/auth`: registration, sign-in, the second factor, sessions and mailed tokens.

mod account;
mod application_tokens;
mod availability;
mod email;
mod leaving;
mod password;
mod recovery;
mod sessions;
mod tokens;
mod totp;
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
        .routes(routes!(leaving::download_export))
        .routes(routes!(verification::resend_verification_email))
        .routes(routes!(verification::verify_email))
        .routes(routes!(recovery::request_password_reset))
        .routes(routes!(recovery::validate_reset_token))
        .routes(routes!(recovery::reset_password))
        .routes(routes!(availability::check_email))
        .routes(routes!(availability::check_username))
        .routes(routes!(password::change_password))
        .routes(routes!(email::request_email_change))
        .routes(routes!(email::confirm_email_change))
        .routes(routes!(totp::begin_second_factor, totp::remove_second_factor))
        .routes(routes!(totp::confirm_second_factor))
        .routes(routes!(
            application_tokens::issue_application_token,
            application_tokens::list_application_tokens
        ))
        .routes(routes!(application_tokens::end_application_token))
        .routes(routes!(sessions::list_sessions))
        .routes(routes!(sessions::end_session))
}
