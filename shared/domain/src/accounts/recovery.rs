//! Getting back into an account whose password is lost.

use platform::{App, error::Result, table::Write};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    accounts::{
        mailed_tokens::{self, Issued, Purpose, Token},
        passwords::NewPassword,
        sessions,
    },
    ids::UserId,
    people::{
        unique,
        users::{self, Email},
    },
};

/// A new password, and the mailed token that allows it.
#[derive(Clone, Deserialize, ToSchema)]
pub struct NewSecret {
    /// The token of the mail.
    pub token: Token,
    /// The new password.
    pub password: NewPassword,
}

/// Queues the mail that allows a new password. 2 calls, 1 RRU and 1 WRU, 1 send.
///
/// For an e-mail that nobody has it does the same: the token is nobody's, and never mailed.
///
/// # Errors
/// Internal only.
pub async fn ask_for_reset(app: &App, email: &Email) -> Result<()> {
    let owner = unique::find_by_email(app, &email.to_string()).await?;
    let user = owner.unwrap_or_else(|| UserId::random_at(app.now()));
    let mail = Issued::new(Purpose::Reset, user);
    app.table.write(Write::put(&mail.row(app).await?)).await?;
    app.queues.send(&mail).await
}

/// Sets a new password and ends every session. 4 calls, 3 RRU and 5 WRU, and 1 call and 1 WRU a session, 25 sessions a call.
///
/// Sessions end first, so that a failure leaves a token that still works; and again afterwards,
/// for one that was opened meanwhile with the old password.
///
/// # Errors
/// [`platform::Error::Invalid`] for a token that is unknown, used up or too old.
pub async fn reset(app: &App, wanted: NewSecret) -> Result<()> {
    let row = mailed_tokens::present(app, &wanted.token, Purpose::Reset).await?;
    let hash = wanted.password.hash().await?;
    sessions::end_all(app, row.user).await?;
    let change = Write::update(users::key(row.user)).set("passwordHash", hash).exists();
    app.table.transact(vec![row.consume(), change]).await?;
    sessions::end_all(app, row.user).await
}
