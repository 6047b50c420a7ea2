//! The error type of the domain.

use std::borrow::Cow;

/// The result of domain functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request or a job failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller has no valid credentials.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The password is correct, but the second-factor code is missing.
    #[error("a second-factor code is required")]
    SecondFactorRequired,
    /// The input is invalid. The message names the field.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// The named resource does not exist.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The caller lacks the permission for the request.
    #[error("{0}")]
    Forbidden(Cow<'static, str>),
    /// The account is banned, and the credentials are right. The message has the reason and the end of the ban.
    #[error("{message}")]
    Suspended {
        /// The message for the user.
        message: String,
        /// A token with which the user can appeal.
        appeal_token: String,
    },
    /// The request conflicts with the current state, for example because the same request was already executed.
    #[error("{0}")]
    Conflict(&'static str),
    /// A row changed between its read and its write. See [`crate::retry_on_conflict`].
    #[error("another request changed the same data: try again")]
    WriteConflict,
    /// The caller exceeded a rate limit.
    #[error("too many requests: try again in {retry_after} seconds")]
    LimitReached {
        /// Seconds to wait before the next attempt.
        retry_after: i64,
    },
    /// Every attempt conflicted with other writers or exceeded a limit of the table. The cause is logged, but not shown
    /// to the client.
    #[error("too many requests: try again in a second")]
    Throttled(#[source] anyhow::Error),
    /// This service or AWS failed. The cause is logged, but not shown to the client. Most functions can fail with this
    /// error. So the documentation of functions does not mention this error.
    #[error("something went wrong")]
    Internal(#[source] anyhow::Error),
}

impl Error {
    /// Returns the error for invalid input, with the message `{field}: {why}`.
    pub fn invalid(field: &str, why: &str) -> Self {
        Self::Invalid(format!("{field}: {why}").into())
    }

    /// Returns the error for an invalid body, with the message `the body {why}`.
    pub fn invalid_body(why: &str) -> Self {
        Self::Invalid(format!("the body {why}").into())
    }

    /// Returns whether each retry would fail with the same error.
    pub fn is_permanent(&self) -> bool {
        matches!(self, Self::Invalid(_))
    }

    /// Returns the error for a failure of the service. `cause` is logged.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::Internal(cause.into())
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::internal(cause)
    }
}
