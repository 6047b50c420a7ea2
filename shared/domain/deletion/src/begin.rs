//! Deleting an account: from then on there is no such user.

use accounts::{
    Device, SignedOut, check_password_and_code, passwords::TypedPassword, second_factor::Code, sessions,
};
use base::{ids::UserId, jobs::IndexJob};
use platform::{
    App,
    error::{Error, Result},
    outbox::outbox_record_write,
    table::Write,
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{job::DeletionJob, row::Deletion};
use ledger::{
    security::{self, SecurityEvent},
    statistics::{self, Count},
};
use people::{
    unique::UniqueName,
    users::{self, User},
};

const SUPER_ADMIN: &str = "a SUPER_ADMIN stays: another operator of the service takes the role first";
const ACCOUNT_CHANGED: Error = Error::Unauthenticated("the account has just changed: sign in again");

/// A request to delete one's own account.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Leave {
    /// The password.
    pub password: TypedPassword,
    /// The code of the second factor, where the account has one.
    pub code: Option<Code>,
}

/// An account that was deleted.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountDeletion {
    /// RFC 3339 time of the deletion: from then on there is no such user.
    pub deleted_at: Time,
    /// RFC 3339 time until which what is left of the account is erased, but for what expires by itself within 30 days.
    pub erased_until: Time,
}

/// A day, within which the rows and files are deleted.
const ERASED_WITHIN_SECONDS: i64 = 24 * 60 * 60;

/// Deletes the caller's account, and has all that is kept of them deleted. Ends all sessions.
///
/// The account goes only as it was read, so a ban, a new password or new roles at the same time stand.
///
/// # Errors
/// [`Error::Invalid`] for a wrong password; [`Error::Forbidden`] for a SUPER_ADMIN; [`Error::LimitReached`] after too many
/// tries; [`Error::Unauthenticated`] when the account has just changed.
pub async fn leave(app: &App, user: UserId, request: Leave, device: &Device) -> Result<AccountDeletion> {
    let user = check_password_and_code(app, user, request.password, request.code, device).await?;
    if user.is_super_admin() {
        return Err(Error::Forbidden(SUPER_ADMIN.into()));
    }
    let leaving = Deletion::new(app, user.id);
    let mut writes = leave_writes(app, &user, &leaving);
    writes.extend(sessions::end_writes(app, user.id).await?);
    app.table.transact(writes).await?;
    // One may have been opened since they were read.
    sessions::end_all(app, user.id).await?;
    accounts::invalidate(app, user.id);
    security::log(SecurityEvent::AccountDeleted, user.id, "by its owner");
    let deleted_at = leaving.began_at;
    Ok(AccountDeletion { deleted_at, erased_until: deleted_at.plus_seconds(ERASED_WITHIN_SECONDS) })
}

fn leave_writes(app: &App, user: &User, leaving: &Deletion) -> Vec<Write> {
    let account = Write::delete(users::key(user.id)).equals("passwordHash", &user.password_hash);
    let account = account.equals("status", user.status).equals("roles", &user.roles);
    let account = account.equals("username", &user.username).equals("email", &user.email);
    let letter = outbox_record_write(app)
        .then(&DeletionJob::withdrawal(app, user.id))
        .then(&IndexJob::User { user: user.id });
    let names = UniqueName::give_up_writes(app, user.id, &user.username, &user.email);
    let account: Write = account.or(ACCOUNT_CHANGED).into();
    let row = Write::create(leaving);
    let letter = letter.then_publish(&SignedOut { user_id: user.id });
    let count = statistics::count_write(user.id.random(), Count::Users, -1);
    [account, row, letter, count].into_iter().chain(names).collect()
}
