//! Confirms email addresses.

use base::ids::UserId;
use people::users;
use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::me;
use crate::mailed_tokens::{self, IssuedToken, MailedToken, Purpose, Token};

/// Sends a new email to confirm the address, and returns true. If the address is already confirmed, sends nothing and
/// returns false.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the account no longer exists.
pub async fn resend_verification(app: &App, user: UserId) -> Result<bool> {
    let user = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
    if user.verified_at.is_some() {
        return Ok(false);
    }
    let issued = IssuedToken::new(app, Purpose::Verify, user.id);
    app.table.write(issued.create_write(app).await?).await?;
    Ok(true)
}

/// Confirms the address that received the token.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the token is unknown, used or expired, or if it was sent to a previous address.
pub async fn verify(app: &App, token: &Token) -> Result<()> {
    let row = mailed_tokens::find_valid(app, token, Purpose::Verify).await?;
    let confirm_write = Write::update(users::key(row.user)).set("verifiedAt", app.now());
    let confirm_write = confirm_write.exists().lacks("verifiedAt");
    match app.table.transact(vec![row.consume_write(), confirm_write]).await {
        // A different token has already confirmed the address. Only consume this token.
        Err(Error::WriteConflict) => {
            app.table.transact(vec![row.consume_write(), check_address(&row)]).await?
        }
        done => done?,
    }
    me::invalidate(app, row.user);
    Ok(())
}

/// Returns the check that the address has not changed since the token was sent.
fn check_address(row: &MailedToken) -> Write {
    let check = Write::check(users::key(row.user)).below_or_lacks("emailSetAt", row.issued_at());
    check.or(mailed_tokens::invalid()).into()
}
