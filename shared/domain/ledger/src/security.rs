//! The security log: sign-ins, refusals, and changes to credentials and permissions. A line contains the user's ID, and
//! no other personal data.

use base::UserId;
use strum::AsRefStr;

/// A security event of an account.
#[derive(Clone, Copy, Debug, AsRefStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum SecurityEvent {
    /// A sign-in succeeded.
    SignedIn,
    /// A sign-in failed.
    SignInRefused,
    /// A session was revoked because an old refresh token was reused.
    SessionRevoked,
    /// A new password was set.
    PasswordReset,
    /// A new email address was requested or confirmed.
    EmailChanged,
    /// The second factor was enabled or disabled.
    SecondFactorChanged,
    /// A passkey was added or removed.
    PasskeyChanged,
    /// An application token was created or revoked.
    ApplicationTokenChanged,
    /// A request failed because the user does not have the required role or scope.
    Forbidden,
    /// Roles were granted or revoked.
    RolesChanged,
    /// A ban or lock started or ended.
    StatusChanged,
    /// A user requested an export of their data.
    ExportRequested,
    /// A user deleted their account.
    AccountDeleted,
}

/// Logs an event about a user's account in the span of the request. `user` is `None` if the account does not exist.
pub fn log(event: SecurityEvent, user: impl Into<Option<UserId>>, reason: &str) {
    let user = user.into().map(|id| id.to_string()).unwrap_or_default();
    tracing::info!(event = event.as_ref(), user, reason, "security");
}
