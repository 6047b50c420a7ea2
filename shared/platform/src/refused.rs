//! Messages and events that a queue or the bus refused.

use aws_smithy_types::error::metadata::ProvideErrorMetadata;

use crate::Error;

/// Error codes of calls that exceeded a limit of SQS or EventBridge.
///
/// Source: <https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html> and
/// <https://docs.aws.amazon.com/eventbridge/latest/APIReference/CommonErrors.html>.
const THROTTLED: [&str; 2] = ["RequestThrottled", "ThrottlingException"];

/// A refused message or event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Index of the message or event among those of the call.
    pub(crate) position: usize,
    pub(crate) cause: Cause,
}

/// Why a message or event was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The message itself is invalid, so that no retry can succeed.
    Invalid,
    /// A limit of the service is exceeded, so the code is not at fault.
    Throttled,
    /// Any other cause. A retry may succeed.
    Failed,
}

impl Cause {
    /// Returns the cause for an error code of a single message or event.
    pub(crate) fn of_code(code: &str) -> Self {
        if THROTTLED.contains(&code) { Self::Throttled } else { Self::Failed }
    }

    /// Returns the cause for the error of a call.
    pub(crate) fn of_error(error: &Error) -> Self {
        if matches!(error, Error::Throttled(_)) { Self::Throttled } else { Self::Failed }
    }
}

/// Maps the error of a call to SQS or EventBridge that failed after all retries.
pub(crate) fn call_error<E: ProvideErrorMetadata + Into<anyhow::Error>>(error: E) -> Error {
    match error.code().map(Cause::of_code) {
        Some(Cause::Throttled) => Error::Throttled(error.into()),
        _ => Error::internal(error),
    }
}
