//! Refuses the sign-in of a suspended user. A banned user gets a token with which they can appeal.

use ledger::security::{self, SecurityEvent};
use people::{Status, User};
use platform::{App, Error, Result};

use crate::{sanction::Sanction, tokens};

/// Returns the error for a banned or locked user whose credentials are right. Call it after the check of the second
/// factor, because the error reveals the reason for the ban.
pub(crate) async fn refusal(app: &App, user: &User) -> Result<Error> {
    security::log(SecurityEvent::SignInRefused, user.id, "banned or locked");
    if user.status != Status::Banned {
        return Ok(Error::Forbidden("this account is locked".into()));
    }
    let reason =
        user.standing_reason.as_ref().map_or_else(String::new, |reason| format!(" Reason: {reason}."));
    let message = format!(
        "this account is {}.{reason} To appeal within 15 minutes, send the token of the header x-appeal-token as a \
         bearer token to POST /me/moderation/{}/appeal.",
        Sanction::of(user),
        user.id.public(),
    );
    Ok(Error::Suspended { message, appeal_token: tokens::appeal_token(app, user.id).await? })
}
