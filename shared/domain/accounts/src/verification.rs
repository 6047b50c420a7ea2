//! Confirms email addresses.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use base::ids::UserId;
use people::users;
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};

use super::me;
use crate::mailed_tokens::{self, IssuedToken, MailedToken, Purpose, Token};

/// Sends a new email to confirm the address, and returns true. If the address is already confirmed, sends nothing and
/// returns false.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the account no longer exists.
pub async fn resend_verification(app: &App, user: UserId, once: &Once) -> Result<bool> {
    once.run(app, user, async || {
        let user = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
        if user.verified_at.is_some() {
            return Ok((Vec::new(), false));
        }
        let issued = IssuedToken::new(app, Purpose::Verify, user.id);
        Ok((vec![issued.create_write(app).await?.marked()], true))
    })
    .await
}

/// Confirms the address that received the token.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the token is unknown, used or expired, or if it was sent to a previous address.
pub async fn verify(app: &App, token: &Token, once: &Once) -> Result<()> {
    let is_retry = AtomicBool::new(false);
    let ((), user) = once
        .run_with(app, token.owner(), async || {
            let row = mailed_tokens::find_valid(app, token, Purpose::Verify).await?;
            // The first attempt conflicts if a different token has confirmed the address. Then only consume this token.
            let write =
                if is_retry.swap(true, Relaxed) { check_address(&row) } else { confirm_write(app, &row) };
            Ok((vec![row.consume_write(), write], (), row.user))
        })
        .await?;
    user.into_iter().for_each(|user| me::invalidate(app, user));
    Ok(())
}

fn confirm_write(app: &App, row: &MailedToken) -> Write {
    Write::update(users::key(row.user)).set("verifiedAt", app.now()).exists().lacks("verifiedAt")
}

/// Returns the check that the address has not changed since the token was sent.
fn check_address(row: &MailedToken) -> Write {
    let check = Write::check(users::key(row.user)).below_or_lacks("emailSetAt", row.issued_at());
    check.or(mailed_tokens::invalid()).into()
}
