//! Repeats calls that DynamoDB throttled or that conflicted with another writer.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

use crate::retry::{ATTEMPTS, pause};

/// Calls until the answer is neither a conflict nor a throttle, at most [`ATTEMPTS`] times.
pub(super) async fn retry<T, E, R, F>(call: impl Fn() -> F) -> Result<T, SdkError<E, R>>
where
    E: ProvideErrorMetadata,
    F: Future<Output = Result<T, SdkError<E, R>>>,
{
    for attempt in 1..ATTEMPTS {
        match call().await {
            Err(error) if passes(&error) => pause(attempt).await,
            answer => return answer,
        }
    }
    call().await
}

/// Whether the error is a conflict with another writer, or a limit of the table or the account.
fn passes<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> bool {
    let Some(service) = error.as_service_error() else { return false };
    match service.code() {
        Some(
            "TransactionConflictException"
            | "TransactionInProgressException"
            | "ProvisionedThroughputExceededException"
            | "RequestLimitExceeded"
            | "ThrottlingException",
        ) => true,
        Some("TransactionCanceledException") => conflicted(service.message().unwrap_or_default()),
        _ => false,
    }
}

/// Whether a transaction was cancelled by conflicts or throttles alone. A cancelled transaction lists a reason
/// for each step, and a condition that did not hold is an answer, not a conflict.
fn conflicted(message: &str) -> bool {
    let transient = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
    !message.contains("ConditionalCheckFailed") && transient.iter().any(|it| message.contains(it))
}
