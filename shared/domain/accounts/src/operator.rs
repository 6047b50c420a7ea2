//! Actions of an operator of the service. An operator has access to the table and the secrets.

use base::UserId;
use ledger::security::{self, SecurityEvent};
use people::users;
use platform::{App, Result, Write};

use super::{Grant, Session, opening::check_unchanged, sessions};

const USER_AGENT: &str = "operator";

/// Opens a session without a password or a second factor, so that an operator can act as this user. Revokes the oldest
/// session if the user has more than 20 sessions. No Lambda function calls this function.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the user does not exist. Fails with [`platform::Error::Forbidden`] if the
/// account is banned or locked.
pub async fn sign_in_as(app: &App, id: UserId) -> Result<Grant> {
    let user = users::get(app, id).await?;
    user.check_active()?;
    let session = Session::open(app, &user, Some(USER_AGENT));
    app.table.transact(vec![check_unchanged(&user), Write::create(&session)]).await?;
    sessions::revoke_oldest(app, id).await?;
    security::log(SecurityEvent::SignedIn, id, "by an operator");
    Ok(session.grant(&user))
}
