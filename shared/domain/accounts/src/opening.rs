//! Opens sessions.

use people::{User, users};
use platform::{App, Error, Result, Write};

use crate::sessions::{self, Session};

const ACCOUNT_CHANGED: Error = Error::Unauthenticated("the account has just changed. Sign in again.");

/// Stores a new session together with `writes`. The caller must then call [`sessions::revoke_oldest`].
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if the account changed after it was read.
pub(crate) async fn open_session(
    app: &App,
    user: &User,
    session: Session,
    writes: Vec<Write>,
) -> Result<Session> {
    let session = sessions::count_opening(app, session).await?;
    let opening = [check_unchanged(user), Write::create(&session)];
    app.table.transact(opening.into_iter().chain(writes).collect()).await?;
    Ok(session)
}

/// Returns the check that an account has not changed since it was read. Every write of a new session includes this
/// check.
pub(crate) fn check_unchanged(user: &User) -> Write {
    let check = Write::check(users::key(user.id)).equals("passwordHash", &user.password_hash);
    let check = check.equals("status", user.status).equals("roles", &user.roles);
    check.is_still("secondFactorAt", user.second_factor_at).or(ACCOUNT_CHANGED).into()
}
