//! What the SDK repeats for the table besides what it repeats for every service, and what is left when it gives up.

use aws_sdk_dynamodb::{
    config::retry::{ClassifyRetry, RetryAction},
    error::ProvideErrorMetadata,
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError, transact_write_items::TransactWriteItemsError,
        update_item::UpdateItemError,
    },
};
use aws_smithy_runtime_api::client::interceptors::context::{Error as OperationError, InterceptorContext};

use crate::error::Error;

const CONFLICT: &str = "TransactionConflictException";
/// The codes of a call that another writer or a limit of the table or the account kept from its rows.
const THROTTLED: [&str; 5] = [
    CONFLICT,
    "TransactionInProgressException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
];
/// The same for the steps of a cancelled transaction.
const THROTTLED_STEPS: [&str; 3] =
    ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
/// A step that could have been written.
const WRITABLE_STEP: &str = "None";

/// Has the SDK repeat what conflicted with another writer. The SDK itself repeats throttles, failures of the
/// service, and calls that never arrived.
#[derive(Debug)]
pub(crate) struct Conflicts;

impl ClassifyRetry for Conflicts {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let failure = context.output_or_error().and_then(|it| it.err());
        match failure.and_then(|it| it.as_operation_error()).is_some_and(conflicted) {
            // For a transient error the SDK would close the connection too.
            true => RetryAction::throttling_error(),
            false => RetryAction::NoActionIndicated,
        }
    }

    fn name(&self) -> &'static str {
        "conflicts of DynamoDB"
    }
}

/// Returns the error of a call that failed, with all its repetitions.
pub(super) fn failed<E: ProvideErrorMetadata + Into<anyhow::Error>>(error: E) -> Error {
    match error.code().is_some_and(|it| THROTTLED.contains(&it)) {
        true => Error::Throttled(error.into()),
        false => Error::internal(error),
    }
}

/// Returns the error of a transaction that failed as [`failed`] does.
pub(super) fn transaction_failed(error: TransactWriteItemsError) -> Error {
    match cancelled_by_others(&error) {
        true => Error::Throttled(error.into()),
        false => failed(error),
    }
}

fn conflicted(error: &OperationError) -> bool {
    code::<PutItemError>(error)
        .or_else(|| code::<UpdateItemError>(error))
        .or_else(|| code::<DeleteItemError>(error))
        .map_or_else(|| error.downcast_ref().is_some_and(cancelled_by_others), |it| it == CONFLICT)
}

fn code<E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static>(
    error: &OperationError,
) -> Option<&str> {
    error.downcast_ref::<E>()?.code()
}

/// Whether conflicts and throttles alone cancelled a transaction: a condition that did not hold is an answer.
fn cancelled_by_others(error: &TransactWriteItemsError) -> bool {
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = error else { return false };
    let codes = cancelled.cancellation_reasons().iter().filter_map(|it| it.code());
    let mut reasons = codes.filter(|it| *it != WRITABLE_STEP).peekable();
    reasons.peek().is_some() && reasons.all(|it| THROTTLED_STEPS.contains(&it))
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::{CancellationReason, error::TransactionCanceledException};

    use super::{TransactWriteItemsError, cancelled_by_others};

    fn cancelled(codes: &[&str]) -> TransactWriteItemsError {
        let reasons = codes.iter().map(|it| CancellationReason::builder().code(*it).build()).collect();
        let cancelled = TransactionCanceledException::builder().set_cancellation_reasons(Some(reasons));
        TransactWriteItemsError::TransactionCanceledException(cancelled.build())
    }

    #[test]
    fn only_conflicts_and_throttles_are_tried_again() {
        assert!(cancelled_by_others(&cancelled(&["None", "TransactionConflict", "ThrottlingError"])));
        assert!(!cancelled_by_others(&cancelled(&["TransactionConflict", "ConditionalCheckFailed"])));
        assert!(!cancelled_by_others(&cancelled(&["TransactionConflict", "ValidationError"])));
        assert!(!cancelled_by_others(&cancelled(&["None"])));
    }
}
