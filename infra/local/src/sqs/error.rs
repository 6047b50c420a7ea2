//! SQS errors.

use crate::disk::SaveFailed;

const INTERNAL: &str = "InternalFailure";

#[derive(Debug, thiserror::Error)]
#[error("{code}: {message}")]
pub(crate) struct Refusal {
    /// Code of the JSON protocol.
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

/// The error code is internal, so clients may retry.
impl From<SaveFailed> for Refusal {
    fn from(error: SaveFailed) -> Self {
        Self::new(INTERNAL, error.to_string())
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Self::value(error.to_string())
    }
}

impl Refusal {
    /// Returns whether the stack caused the error. Otherwise, the caller caused the error.
    pub(crate) fn is_internal(&self) -> bool {
        self.code == INTERNAL
    }

    /// Returns the code of the query protocol, which older clients expect.
    pub(crate) fn legacy_code(&self) -> String {
        match self.code {
            "QueueDoesNotExist" => "AWS.SimpleQueueService.NonExistentQueue".to_owned(),
            "InvalidParameterValue" | "ReceiptHandleIsInvalid" | INTERNAL => self.code.to_owned(),
            code => format!("AWS.SimpleQueueService.{code}"),
        }
    }

    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(crate) fn no_queue(name: &str) -> Self {
        Self::new("QueueDoesNotExist", format!("The specified queue does not exist: {name}"))
    }

    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new("InvalidParameterValue", message)
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new("UnsupportedOperation", message)
    }
}
