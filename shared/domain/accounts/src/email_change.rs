//! Changes the email address of an account. The previous address stays in use until the new address is confirmed.

use base::IndexJob;
use ledger::security::{self, SecurityEvent};
use platform::{App, Error, Once, Result, Write};
use serde::Deserialize;
use tokio::sync::OnceCell;
use utoipa::ToSchema;

use super::{
    Assertion, Code, Device, Notice, NoticeKind, Proof, Proven, SessionOwner, TypedPassword, check_proof,
    mailed_tokens::{self, IssuedToken, MailedToken, Purpose, Token},
    me,
};
use people::{Address, Email, User, addresses, users};

/// A request to change the email address.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct EmailChange {
    /// The password. Required unless `code` is present.
    #[serde(default)]
    pub password: Option<TypedPassword>,
    /// A code from the authenticator, or a recovery code. Replaces the password if the session was opened with a second
    /// factor.
    #[serde(default)]
    pub code: Option<Code>,
    /// A passkey's response to the options from `POST /auth/passkeys/login/options`. Replaces the password if the
    /// session was opened with a second factor.
    #[serde(default)]
    pub passkey: Option<Assertion>,
    /// The new address. It must be neither the current address nor the confirmed address of another account.
    pub email: Email,
}

/// Sends a confirmation link to the new address and a notice to the current address.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the password or the code is wrong. Also fails if the address is taken, or is already
/// the user's address. Fails with [`Error::LimitReached`] after too many attempts.
pub async fn request_email_change(
    app: &App,
    owner: SessionOwner,
    request: EmailChange,
    device: &Device,
    once: &Once,
) -> Result<()> {
    let (user, checked) = (owner.id, OnceCell::new());
    let ((), requested) = once
        .run_with(app, user, async || {
            let EmailChange { password, code, passkey, email } = request.clone();
            let proof = Proof { password, code, passkey };
            let Proven { user: before, mut writes } =
                check_proof(app, owner, proof, device, &checked).await?;
            if email == before.email {
                return Err(Error::invalid("email", "is already your address"));
            }
            if !addresses::is_free(app, &email).await? {
                return Err(addresses::is_taken());
            }
            let link = IssuedToken::new(app, Purpose::ChangeEmail, user);
            let notice = Notice::new(app, NoticeKind::EmailChangeRequested, user).to(before.email.clone());
            writes.extend([link.create_write_to(app, email).await?, notice.create_write()]);
            Ok((writes, (), ()))
        })
        .await?;
    if requested.is_some() {
        security::log(SecurityEvent::EmailChanged, user, "requested");
    }
    Ok(())
}

/// Confirms the address that received the token, and makes it the user's address. Releases the previous address, and
/// invalidates the links sent to that address.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the token is unknown, used or expired. Also fails if the address or password changed
/// since the token was issued, or another user has the new address.
pub async fn confirm_email_change(app: &App, token: &Token, once: &Once) -> Result<()> {
    let ((), user) = once
        .run_with(app, token.owner(), async || {
            let row = mailed_tokens::find_valid(app, token, Purpose::ChangeEmail).await?;
            Ok((confirmation_writes(app, &row).await?, (), row.user))
        })
        .await?;
    if let Some(user) = user {
        me::invalidate(app, user);
        security::log(SecurityEvent::EmailChanged, user, "confirmed");
    }
    Ok(())
}

async fn confirmation_writes(app: &App, row: &MailedToken) -> Result<Vec<Write>> {
    let email = row.email.clone().ok_or_else(mailed_tokens::invalid)?;
    let before = users::find(app, row.user).await?.ok_or_else(mailed_tokens::invalid)?;
    let claim = Address::confirm_write(row.user, &email).then(&IndexJob::User { user: row.user });
    let mut writes = vec![row.consume_write(), user_write(app, row, &before, &email), claim];
    if let Some(release) = addresses::release_write(app, &before).await? {
        let notice = Notice::new(app, NoticeKind::EmailChanged, row.user).to(before.email.clone());
        writes.extend([release, notice.create_write()]);
    }
    Ok(writes)
}

fn user_write(app: &App, row: &MailedToken, before: &User, email: &Email) -> Write {
    let (now, issued_at) = (app.now(), row.issued_at());
    let write = Write::update(users::key(row.user)).set("email", email).set("verifiedAt", now);
    let write = write.set("emailSetAt", now).remove("emailStatus");
    let write = write.equals("email", &before.email);
    let write = write.below_or_lacks("emailSetAt", issued_at).below_or_lacks("passwordSetAt", issued_at);
    write.or(mailed_tokens::invalid())
}
