//! Confirms email addresses.

use base::UserId;
use people::{Address, User, addresses, users};
use platform::{App, Error, Once, Result, Write};

use super::me;
use crate::mailed_tokens::{self, IssuedToken, MailedToken, Purpose, Token};

/// Sends a new email to confirm the address, and returns true. If the address is already confirmed, sends nothing and
/// returns false.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the account no longer exists. Fails with [`Error::Invalid`] if the address belongs
/// to another account.
pub async fn resend_verification(app: &App, user: UserId, once: &Once) -> Result<bool> {
    once.run(app, user, async || {
        let user = users::get(app, user).await?;
        if user.verified_at.is_some() {
            return Ok((Vec::new(), false));
        }
        if !addresses::is_confirmable(app, &user).await? {
            return Err(Error::invalid("email", "belongs to another account. Change your email address."));
        }
        let issued = IssuedToken::new(app, Purpose::Verify, user.id);
        Ok((vec![issued.create_write(app).await?.marked()], true))
    })
    .await
}

/// Confirms the address that received the token. The address then belongs to this account alone.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the token is unknown, used or expired, or if it was sent to a previous address. Also
/// fails if the address belongs to another account.
pub async fn verify(app: &App, token: &Token, once: &Once) -> Result<()> {
    let ((), user) = once
        .run_with(app, token.owner(), async || {
            let row = mailed_tokens::find_valid(app, token, Purpose::Verify).await?;
            let user = users::find(app, row.user).await?.ok_or_else(mailed_tokens::invalid)?;
            let mut writes = vec![row.consume_write()];
            match user.verified_at {
                Some(_) => writes.push(check_address(&row)),
                None => writes.extend(confirm_writes(app, &user)),
            }
            Ok((writes, (), row.user))
        })
        .await?;
    user.into_iter().for_each(|user| me::invalidate(app, user));
    Ok(())
}

/// Returns the writes that confirm a user's address. The address then belongs to no other account.
fn confirm_writes(app: &App, user: &User) -> [Write; 2] {
    let write = Write::update(users::key(user.id)).set("verifiedAt", app.now()).exists().lacks("verifiedAt");
    let taken = Error::invalid("token", "is for an address that belongs to another account");
    [write.equals("email", &user.email), Address::confirm_write(user.id, &user.email).or(taken)]
}

/// Returns the check that the address has not changed since the token was sent.
fn check_address(row: &MailedToken) -> Write {
    let check = Write::check(users::key(row.user)).below_or_lacks("emailSetAt", row.issued_at());
    check.or(mailed_tokens::invalid()).into()
}
