//! `/auth`: registration, sign-in, the second factor, sessions and emailed tokens.

mod account;
mod account_deletion;
mod application_tokens;
mod availability;
mod email;
mod passkeys;
mod password;
mod recovery;
mod sessions;
mod tokens;
mod totp;
mod verification;

use runtime::{Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![
        tokens::register_account,
        tokens::sign_in,
        tokens::refresh_tokens,
        tokens::sign_out,
        account::get_me,
        account::update_profile,
        account_deletion::delete_account,
        account_deletion::request_export,
        account_deletion::get_export,
        account_deletion::download_export,
        verification::resend_verification_email,
        verification::verify_email,
        recovery::request_password_reset,
        recovery::validate_reset_token,
        recovery::reset_password,
        availability::check_email,
        availability::check_username,
        password::change_password,
        email::request_email_change,
        email::confirm_email_change,
        totp::begin_second_factor,
        totp::remove_second_factor,
        totp::confirm_second_factor,
        passkeys::request_passkey_options,
        passkeys::add_passkey,
        passkeys::list_passkeys,
        passkeys::remove_passkey,
        passkeys::request_passkey_sign_in,
        passkeys::sign_in_with_passkey,
        application_tokens::issue_application_token,
        application_tokens::list_application_tokens,
        application_tokens::end_application_token,
        sessions::list_sessions,
        sessions::end_session,
        sessions::end_other_sessions,
    ]
}
