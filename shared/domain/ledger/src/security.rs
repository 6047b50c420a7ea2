//! The log of security: who came in, who was refused and why, and whose rights changed. A line has the id of the user
//! whose account it is about, and no other datum of theirs.

use base::ids::UserId;

/// What happened to an account.
#[derive(Clone, Copy, Debug)]
pub enum SecurityEvent {
    /// Somebody signed in.
    SignedIn,
    /// Somebody could not sign in.
    SignInRefused,
    /// A session was ended, because an old refresh token of it came again.
    SessionRevoked,
    /// A new password was set.
    PasswordReset,
    /// Another e-mail address was asked for or confirmed.
    EmailChanged,
    /// The second factor was turned on or off.
    SecondFactorChanged,
    /// An application token was issued or ended.
    ApplicationTokenChanged,
    /// Somebody was refused what only others may do.
    Forbidden,
    /// Roles were given or taken.
    RolesChanged,
    /// A ban or a lock began or ended.
    StatusChanged,
    /// Somebody asked for all that is kept of them.
    ExportRequested,
    /// Somebody deleted their account.
    AccountDeleted,
}

impl SecurityEvent {
    fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "SIGNED_IN",
            Self::SignInRefused => "SIGN_IN_REFUSED",
            Self::SessionRevoked => "SESSION_REVOKED",
            Self::PasswordReset => "PASSWORD_RESET",
            Self::EmailChanged => "EMAIL_CHANGED",
            Self::SecondFactorChanged => "SECOND_FACTOR_CHANGED",
            Self::ApplicationTokenChanged => "APPLICATION_TOKEN_CHANGED",
            Self::Forbidden => "FORBIDDEN",
            Self::RolesChanged => "ROLES_CHANGED",
            Self::StatusChanged => "STATUS_CHANGED",
            Self::ExportRequested => "EXPORT_REQUESTED",
            Self::AccountDeleted => "ACCOUNT_DELETED",
        }
    }
}

/// Writes a line about a user's account, or about none that exists. The line is within the span of its request.
pub fn log(event: SecurityEvent, user: impl Into<Option<UserId>>, reason: &str) {
    let user = user.into().map(|it| it.to_string()).unwrap_or_default();
    tracing::info!(event = event.name(), user, reason, "security");
}
