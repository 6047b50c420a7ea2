//! Showing that an e-mail is one's own.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::me;
use crate::{
    accounts::mailed_tokens::{self, Issued, Purpose, Token},
    ids::UserId,
    people::users,
};

/// Queues another mail that asks to confirm the address; whether there was anything to confirm.
/// 2 calls, 1 RRU and 1 WRU, 1 send.
///
/// # Errors
/// [`Error::NotFound`] when the account is gone.
pub async fn ask_for_verification(app: &App, user: UserId) -> Result<bool> {
    let user = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
    if user.verified_at.is_some() {
        return Ok(false);
    }
    let mail = Issued::new(Purpose::Verify, user.id);
    app.table.write(Write::put(&mail.row(app).await?)).await?;
    app.queues.send(&mail).await?;
    Ok(true)
}

/// Confirms the address that a token was mailed to. 2 calls, 1 RRU and 5 WRU.
///
/// # Errors
/// [`Error::Invalid`] for a token that is unknown, used up or too old.
pub async fn verify(app: &App, token: &Token) -> Result<()> {
    let row = mailed_tokens::present(app, token, Purpose::Verify).await?;
    let confirm = Write::update(users::key(row.user)).set("verifiedAt", app.now());
    let confirm = confirm.exists().lacks("verifiedAt");
    match app.table.transact(vec![row.consume(), confirm]).await {
        Ok(()) => me::forget(app, row.user),
        // Another mail's token was faster: the address is confirmed since then.
        Err(Error::Stale) => app.table.write(row.consume()).await?,
        Err(refusal) => return Err(refusal),
    }
    Ok(())
}
