//! Resets a lost password.

use base::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{App, Once, Result, Write, outbox_record_write};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::{
    NewPassword, SignedOut, factor_reset,
    mailed_tokens::{self, IssuedToken, MailedToken, Purpose, Token},
    passkeys, sessions,
};
use people::{Email, addresses, users};

/// A request to set a new password.
#[derive(Clone, Deserialize, ToSchema)]
#[schema(as = PasswordReset)]
#[serde(rename_all = "camelCase")]
pub struct NewSecret {
    /// The token from the email.
    pub token: Token,
    /// The password that replaces the current one.
    pub password: NewPassword,
    /// True to remove the second factor 72 hours later, unless a code is used in the meantime. Requires a confirmed
    /// email address.
    #[serde(default)]
    pub remove_second_factor: bool,
}

/// Sends an email with a link to set a new password.
///
/// If the address is unknown, does the same work. The token then belongs to a random user ID and is never mailed. So
/// the response does not reveal whether an account exists.
pub async fn request_password_reset(app: &App, email: &Email, once: &Once) -> Result<()> {
    // The table must not contain the address of an unknown user, so hash it.
    let owner = format!("RESET#{}", hex::encode(Sha256::digest(email.to_string())));
    once.run(app, owner, async || {
        let owner = addresses::find_user(app, &email.to_string()).await?;
        let user = owner.unwrap_or_else(|| UserId::random_at(app, app.now()));
        let issued = IssuedToken::new(app, Purpose::Reset, user);
        Ok((vec![issued.create_write(app).await?.marked()], ()))
    })
    .await
}

/// Sets a new password. Revokes all sessions and all other reset links, and removes all passkeys.
///
/// Sessions are revoked before the token is consumed, so that the token still works if revoking them fails. Sessions
/// are revoked again after the change, because a concurrent sign-in with the old password may have opened a session.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if the token is unknown, used or expired. Also fails if the password or the
/// address changed after the token was issued, and as [`factor_reset::request_writes`] does.
pub async fn reset(app: &App, request: NewSecret, once: &Once) -> Result<()> {
    let ((), user) = once
        .run_with(app, request.token.owner(), async || {
            let row = mailed_tokens::find_valid(app, &request.token, Purpose::Reset).await?;
            let user = users::find(app, row.user).await?.ok_or_else(mailed_tokens::invalid)?;
            // Another account may have confirmed the address after the link was mailed.
            if !addresses::is_owned(app, &user).await? {
                return Err(mailed_tokens::invalid());
            }
            let hash = request.password.clone().hash().await?;
            let removal = if request.remove_second_factor {
                factor_reset::request_writes(app, &user)?
            } else {
                Vec::new()
            };
            sessions::revoke_all(app, row.user).await?;
            let record = outbox_record_write(app).then_publish(&SignedOut { user_id: row.user });
            let writes =
                [row.consume_write(), password_write(app, &row, hash), record].into_iter().chain(removal);
            Ok((writes.collect(), (), row.user))
        })
        .await?;
    if let Some(user) = user {
        sessions::revoke_all(app, user).await?;
        passkeys::remove_all(app, user).await?;
        security::log(SecurityEvent::PasswordReset, user, "with a mailed link");
    }
    Ok(())
}

/// Returns the write that sets the password. The write fails if the password or the address changed after the link was
/// issued.
fn password_write(app: &App, row: &MailedToken, hash: String) -> Write {
    let write = Write::update(users::key(row.user)).set("passwordHash", hash).set("passwordSetAt", app.now());
    let write = write.exists().below_or_lacks("passwordSetAt", row.issued_at());
    write.below_or_lacks("emailSetAt", row.issued_at()).or(mailed_tokens::invalid())
}
