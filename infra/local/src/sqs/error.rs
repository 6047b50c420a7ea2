//! SQS errors.

use crate::disk::SaveFailed;

const INTERNAL: &str = "InternalFailure";

/// An error response.
#[derive(Debug, thiserror::Error)]
#[error("{code}: {message}")]
pub(crate) struct Refusal {
    /// Code of the JSON protocol.
    pub(crate) code: &'static str,
    /// Code of the query protocol, which older clients expect.
    pub(crate) legacy: &'static str,
    pub(crate) message: String,
}

/// With this error code, clients may retry.
impl From<SaveFailed> for Refusal {
    fn from(error: SaveFailed) -> Self {
        Self::new(INTERNAL, INTERNAL, error.to_string())
    }
}

impl Refusal {
    /// Returns whether the stack failed. The caller caused all other errors.
    pub(crate) fn is_internal(&self) -> bool {
        self.code == INTERNAL
    }

    fn new(code: &'static str, legacy: &'static str, message: impl Into<String>) -> Self {
        Self { code, legacy, message: message.into() }
    }

    pub(crate) fn no_queue(name: &str) -> Self {
        let message = format!("The specified queue does not exist: {name}");
        Self::new("QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue", message)
    }

    pub(crate) fn bad_receipt(receipt: &str) -> Self {
        let message = format!("The input receipt handle `{receipt}` is not a valid receipt handle.");
        Self::new("ReceiptHandleIsInvalid", "ReceiptHandleIsInvalid", message)
    }

    pub(crate) fn not_in_flight() -> Self {
        let legacy = "AWS.SimpleQueueService.MessageNotInflight";
        Self::new("MessageNotInflight", legacy, "The message is not in flight.")
    }

    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new("InvalidParameterValue", "InvalidParameterValue", message)
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new("UnsupportedOperation", "AWS.SimpleQueueService.UnsupportedOperation", message)
    }

    pub(crate) fn empty_batch() -> Self {
        let legacy = "AWS.SimpleQueueService.EmptyBatchRequest";
        Self::new("EmptyBatchRequest", legacy, "There should be at least one entry in the request.")
    }

    pub(crate) fn too_many() -> Self {
        let legacy = "AWS.SimpleQueueService.TooManyEntriesInBatchRequest";
        Self::new("TooManyEntriesInBatchRequest", legacy, "Maximum number of entries per request are 10.")
    }

    pub(crate) fn not_distinct() -> Self {
        let legacy = "AWS.SimpleQueueService.BatchEntryIdsNotDistinct";
        Self::new(
            "BatchEntryIdsNotDistinct",
            legacy,
            "Two or more batch entries in the request have the same Id.",
        )
    }

    pub(crate) fn too_long() -> Self {
        let legacy = "AWS.SimpleQueueService.BatchRequestTooLong";
        Self::new("BatchRequestTooLong", legacy, "Batch requests cannot be longer than 1048576 bytes.")
    }
}
