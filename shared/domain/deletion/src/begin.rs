//! Starts the deletion of an account.

use accounts::{
    Device, Proven, SignedOut, check_password_and_code, passwords::TypedPassword, second_factor::Code,
    sessions,
};
use base::{IndexJob, UserId};
use platform::{App, Error, Once, Result, Time, Write, outbox_record_write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{job::DeletionJob, row::Deletion};
use ledger::{
    security::{self, SecurityEvent},
    statistics::{self, Count},
};
use people::{UniqueName, User, addresses, users};

const SUPER_ADMIN: &str =
    "a SUPER_ADMIN cannot delete their account. Ask another SUPER_ADMIN to remove the role first.";
const ACCOUNT_CHANGED: Error = Error::Unauthenticated("the account has just changed. Sign in again.");

/// A request to delete the caller's account.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = AccountDeletionRequest)]
pub struct Leave {
    /// The account's password.
    pub password: TypedPassword,
    /// A code of the second factor. Required if the account has a second factor.
    pub code: Option<Code>,
}

/// The response to deleting an account.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountDeletion {
    /// RFC 3339 time of the deletion.
    pub deleted_at: Time,
    /// RFC 3339 time by which the remaining data is erased. Some data instead expires within 30 days.
    pub erased_until: Time,
}

/// Seconds within which rows and files are erased: one day.
const ERASED_WITHIN_SECONDS: i64 = 24 * 60 * 60;

/// Deletes the caller's account, ends all sessions, and enqueues the deletion of the user's data.
///
/// Fails if the account changed after it was read. So a deletion does not overwrite a concurrent ban, new password or
/// change of roles.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the password is wrong, and with [`Error::Forbidden`] for a SUPER_ADMIN. Fails with
/// [`Error::LimitReached`] after too many attempts, and with [`Error::Unauthenticated`] if the account has just
/// changed.
pub async fn delete_account(
    app: &App,
    user: UserId,
    request: Leave,
    device: &Device,
    once: &Once,
) -> Result<AccountDeletion> {
    let (answer, deleted) = once
        .run_with(app, user, async || {
            let Leave { password, code } = request.clone();
            let Proven { user, writes: proof_writes } =
                check_password_and_code(app, user, password, code, device).await?;
            if user.is_super_admin() {
                return Err(Error::Forbidden(SUPER_ADMIN.into()));
            }
            let deletion = Deletion::new(app, user.id);
            let mut writes = deletion_writes(app, &user, &deletion).await?;
            writes.extend(sessions::end_writes(app, user.id).await?);
            writes.extend(proof_writes);
            let (deleted_at, erased_until) =
                (deletion.began_at, deletion.began_at.plus_seconds(ERASED_WITHIN_SECONDS));
            Ok((writes, AccountDeletion { deleted_at, erased_until }, ()))
        })
        .await?;
    if deleted.is_some() {
        // A session may have been opened after the sessions were read.
        sessions::revoke_all(app, user).await?;
        accounts::invalidate(app, user);
        security::log(SecurityEvent::AccountDeleted, user, "by its owner");
    }
    Ok(answer)
}

pub(super) async fn deletion_writes(app: &App, user: &User, deletion: &Deletion) -> Result<Vec<Write>> {
    let account = Write::delete(users::key(user.id)).equals("passwordHash", &user.password_hash);
    let account = account.equals("status", user.status).equals("roles", &user.roles);
    let account = account.equals("username", &user.username).equals("email", &user.email);
    let outbox_record = outbox_record_write(app)
        .then(&DeletionJob::withdrawal(app, user.id))
        .then(&IndexJob::User { user: user.id })
        .then_publish(&SignedOut { user_id: user.id });
    let username = UniqueName::give_up_write(app, user.id, &user.username);
    let address = addresses::release_write(app, user).await?;
    let account: Write = account.or(ACCOUNT_CHANGED).into();
    let row = Write::create(deletion);
    let count = statistics::count_write(user.id.random(), Count::Users, -1);
    Ok([account, row, outbox_record, count, username].into_iter().chain(address).collect())
}
