//! Every way that work can fail.

use std::borrow::Cow;

/// The result of work.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller has no valid credentials.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The password is right, and a code of the second factor is missing.
    #[error("a code of the second factor is required")]
    SecondFactorRequired,
    /// The input cannot be accepted; the message names the field.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// There is no such thing.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The caller may not do this.
    #[error("{0}")]
    Forbidden(Cow<'static, str>),
    /// It is done already, or somebody else did it at the same time.
    #[error("{0}")]
    Conflict(&'static str),
    /// What was read changed before the write: see [`crate::retry_on_conflict`].
    #[error("somebody else was faster: try again")]
    WriteConflict,
    /// The caller reached a limit.
    #[error("too many requests: try again in {retry_after} seconds")]
    LimitReached {
        /// Seconds until another attempt makes sense.
        retry_after: i64,
    },
    /// Other writers or a limit of the table kept the work from its rows at every attempt. The boundary logs the
    /// cause and never shows it.
    #[error("too many requests: try again in a second")]
    Throttled(#[source] anyhow::Error),
    /// A failure of the service. The boundary logs its cause and never shows it.
    #[error("something went wrong")]
    Internal(#[source] anyhow::Error),
}

impl Error {
    /// Returns the error for bad input: `field` as the client wrote it, `why` as half a sentence.
    pub fn invalid(field: &str, why: &str) -> Self {
        Self::Invalid(format!("{field}: {why}").into())
    }

    /// Returns whether doing the same again can never succeed.
    pub fn is_permanent(&self) -> bool {
        matches!(self, Self::Invalid(_))
    }

    /// Returns the error for a failure of the service, with its cause for the log.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::Internal(cause.into())
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::internal(cause)
    }
}
