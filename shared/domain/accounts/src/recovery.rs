//! Resetting a lost password.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{App, error::Result, outbox::outbox_record_write, table::Write};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    events::SignedOut,
    mailed_tokens::{self, IssuedToken, MailedToken, Purpose, Token},
    passwords::NewPassword,
    sessions,
};
use people::{
    unique,
    users::{self, Email},
};

/// A request to set a new password.
#[derive(Clone, Deserialize, ToSchema)]
pub struct NewSecret {
    /// The mailed token that permits it.
    pub token: Token,
    /// The new password.
    pub password: NewPassword,
}

/// Has the mail sent that permits a new password.
///
/// For an unknown e-mail it does the same work: the token belongs to nobody and is never mailed. So the
/// answer does not show whether an account exists.
pub async fn ask_for_reset(app: &App, email: &Email) -> Result<()> {
    let owner = unique::find_by_email(app, &email.to_string()).await?;
    let user = owner.unwrap_or_else(|| UserId::random_at(app, app.now()));
    let issued = IssuedToken::new(app, Purpose::Reset, user);
    app.table.write(issued.create_write(app).await?).await
}

/// Sets a new password, and ends every session and every other link to reset it.
///
/// The sessions end first, so that a failure leaves a token that still works. They end again afterwards,
/// because the old password may have opened another one in between.
///
/// # Errors
/// [`platform::Error::Invalid`] for a token that is unknown, used, expired, or older than the present password or e-mail.
pub async fn reset(app: &App, request: NewSecret) -> Result<()> {
    let row = mailed_tokens::find_valid(app, &request.token, Purpose::Reset).await?;
    let hash = request.password.hash().await?;
    sessions::end_all(app, row.user).await?;
    let letter = outbox_record_write(app).then_publish(&SignedOut { user_id: row.user });
    app.table.transact(vec![row.consume_write(), password_write(app, &row, hash), letter]).await?;
    sessions::end_all(app, row.user).await?;
    security::log(SecurityEvent::PasswordReset, row.user, "by a mailed link");
    Ok(())
}

/// Sets the password, unless it or the e-mail was changed after the link was issued.
fn password_write(app: &App, row: &MailedToken, hash: String) -> Write {
    let write = Write::update(users::key(row.user)).set("passwordHash", hash).set("passwordSetAt", app.now());
    let write = write.exists().below_or_lacks("passwordSetAt", row.issued_at());
    write.below_or_lacks("emailSetAt", row.issued_at()).or(mailed_tokens::invalid())
}
