//! Every way that work can fail.

use std::borrow::Cow;

/// What work comes to.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No valid credentials.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// Input that cannot be accepted; the message names the field.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// The thing named here does not exist.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The caller may not do this.
    #[error("{0}")]
    Forbidden(Cow<'static, str>),
    /// It was already done, or done by someone else at the same time.
    #[error("{0}")]
    Conflict(&'static str),
    /// What was read had changed before it was written: see [`crate::retry_stale`].
    #[error("somebody else was faster: try again")]
    Stale,
    /// A limit was reached; it opens again after so many seconds.
    #[error("too many requests: try again in {retry_after} seconds")]
    LimitReached {
        /// Seconds until another try makes sense.
        retry_after: i64,
    },
    /// Ours to mend. The cause is logged at the boundary and never shown.
    #[error("something went wrong")]
    Internal(#[source] anyhow::Error),
}

impl Error {
    /// Bad input: `field` is as the client wrote it, `why` is half a sentence.
    pub fn invalid(field: &str, why: &str) -> Self {
        Self::Invalid(format!("{field}: {why}").into())
    }

    /// Something of ours that must not happen, in words for the log.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::Internal(cause.into())
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::internal(cause)
    }
}
