//! Confirming an e-mail address.

use base::ids::UserId;
use people::users;
use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::me;
use crate::mailed_tokens::{self, IssuedToken, MailedToken, Purpose, Token};

/// Has another mail sent that asks to confirm the address. Returns false, and sends nothing, when the address is
/// confirmed.
///
/// # Errors
/// [`Error::NotFound`] when the account no longer exists.
pub async fn ask_for_verification(app: &App, user: UserId) -> Result<bool> {
    let user = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
    if user.verified_at.is_some() {
        return Ok(false);
    }
    let issued = IssuedToken::new(app, Purpose::Verify, user.id);
    app.table.write(issued.create_write(app).await?).await?;
    Ok(true)
}

/// Confirms the address that a token was mailed to.
///
/// # Errors
/// [`Error::Invalid`] for a token that is unknown, used or expired, or that was mailed to an address of before.
pub async fn verify(app: &App, token: &Token) -> Result<()> {
    let row = mailed_tokens::find_valid(app, token, Purpose::Verify).await?;
    let confirm_write = Write::update(users::key(row.user)).set("verifiedAt", app.now());
    let confirm_write = confirm_write.exists().lacks("verifiedAt");
    match app.table.transact(vec![row.consume_write(), confirm_write]).await {
        // The token of another mail has confirmed the address: only this token is left to use up.
        Err(Error::WriteConflict) => {
            app.table.transact(vec![row.consume_write(), check_address(&row)]).await?
        }
        done => done?,
    }
    me::invalidate(app, row.user);
    Ok(())
}

/// Checks that the address is still the one that the token was mailed to.
fn check_address(row: &MailedToken) -> Write {
    let check = Write::check(users::key(row.user)).below_or_lacks("emailSetAt", row.issued_at());
    check.or(mailed_tokens::invalid()).into()
}
