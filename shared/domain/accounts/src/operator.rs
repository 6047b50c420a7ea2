//! What an operator of the service does to an account: whoever holds the table and the secrets.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use people::users;
use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::{
    sessions::{self, Session},
    sign_in::check_unchanged,
    tokens::Grant,
};

const USER_AGENT: &str = "operator";

/// Opens a session of an account without its password and its second factor, as an operator does who looks at the
/// service with somebody's eyes. No function calls it. Ends the oldest session of more than 20.
///
/// # Errors
/// [`Error::NotFound`] when there is no such user; [`Error::Forbidden`] for a banned or locked one.
pub async fn sign_in_as(app: &App, id: UserId) -> Result<Grant> {
    let user = users::find(app, id).await?.ok_or(Error::NotFound("user"))?;
    user.check_active()?;
    let session = Session::open(app, &user, Some(USER_AGENT));
    app.table.transact(vec![check_unchanged(&user), Write::create(&session)]).await?;
    sessions::end_oldest(app, id).await?;
    security::log(SecurityEvent::SignedIn, id, "by an operator");
    Ok(session.grant(&user))
}
